/** Does the work at the first call and never again, unless it failed: then at the next one. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let doing: Promise<T> | undefined;
  return () =>
    (doing ??= work().catch((error: unknown) => {
      doing = undefined;
      throw error;
    }));
}
