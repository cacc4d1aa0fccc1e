/**
 * Opens one thing after the other and puts the closer of each on the stack. Whoever opened them closes the stack, in
 * the opposite order. If `open` rejects, everything that is open by then is closed, and this rejects with the error of
 * `open`: faults of closing mostly follow from it and would hide it.
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
