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

/** What tells, once each time, that something has come in of which more may stand behind it. */
const arrivals = new Set<() => boolean>();
/** The most turns that pass without work in a row, because more may keep coming. */
const MOST_PASSED = 100;
let passed = 0;

/** Lets turns pass without work while something comes in, at most a hundred in a row. Returns a function that ends this. */
export function letComeIn(hasCome: () => boolean): () => void {
  arrivals.add(hasCome);
  return () => void arrivals.delete(hasCome);
}

function next(): void {
  // All are asked, because each forgets what it has told.
  const isComing = [...arrivals].filter((hasCome) => hasCome()).length > 0;
  if (isComing && passed < MOST_PASSED) {
    passed += 1;
    setImmediate(next);
    return;
  }
  passed = 0;
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
