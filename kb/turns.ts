const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, in which no other caller of this function continues: `setImmediate` would
 * continue all of them in the same turn, and eight long questions would block the loop as long as one of eight times
 * their length.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

function next(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(next);
}

/** What tells of work under way for which somebody waits. */
const waitedFor = new Set<() => boolean>();

/** Lets work for which nobody waits stand back while such work is under way. Returns a function that ends this. */
export function letGoFirst(isUnderWay: () => boolean): () => void {
  waitedFor.add(isUnderWay);
  return () => void waitedFor.delete(isUnderWay);
}

export const isSomebodyWaiting = (): boolean => [...waitedFor].some((isUnderWay) => isUnderWay());
