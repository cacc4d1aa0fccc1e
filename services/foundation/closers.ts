/**
 * Opens one thing after the other, each with its closer on the stack; who opened them closes them by the stack, in the
 * opposite order. Where `open` rejects, all that is open by then is closed, and the reason is the one that `open` gave:
 * what closing adds to it mostly follows from it, and would hide it.
 */
export async function closingOnFailure<T>(open: (closers: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const closers = new AsyncDisposableStack();
  try {
    return await open(closers);
  } catch (error) {
    await closers.disposeAsync().catch(() => undefined);
    throw error;
  }
}
