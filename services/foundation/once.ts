/** A function that does the work at its first call only. If the work fails, the next call tries again. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let doing: Promise<T> | undefined;
  return () =>
    (doing ??= work().catch((error: unknown) => {
      doing = undefined;
      throw error;
    }));
}
