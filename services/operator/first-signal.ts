/**
 * Milliseconds. A terminal sends Ctrl-C to every process of a command, and a supervisor SIGTERM; npm and the launcher pass
 * theirs on.
 */
const COPIES_MS = 1_000;

/**
 * Calls `stop` at the first of these signals. Its copies are not taken for a second one; that, or another of them, ends
 * the process at once. Returns what ends the listening.
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
