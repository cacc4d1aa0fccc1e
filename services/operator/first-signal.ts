/**
 * Milliseconds in which copies of a signal may arrive: a terminal or a supervisor signals every process of a command,
 * and npm and the launcher also forward theirs.
 */
const COPIES_MS = 1_000;

/**
 * Calls `stop` at the first of these signals and ignores its copies. A later one, or another of these signals, ends the
 * process at once. Returns a function that stops listening.
 */
export function onFirstSignal(
  signals: readonly NodeJS.Signals[],
  stop: (signal: NodeJS.Signals) => void,
): () => void {
  let copies: NodeJS.Timeout | undefined;
  const off = (): void => {
    clearTimeout(copies);
    for (const signal of signals) process.off(signal, take);
  };
  const take = (signal: NodeJS.Signals): void => {
    if (copies !== undefined) return;
    copies = setTimeout(off, COPIES_MS).unref();
    for (const other of signals) if (other !== signal) process.off(other, take);
    stop(signal);
  };
  for (const signal of signals) process.on(signal, take);
  return off;
}
