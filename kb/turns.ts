const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, in which no other caller of this function continues. `setImmediate` would
 * continue all callers in one turn, and eight long questions would then block the loop as long as one that is eight
 * times as long.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

/** Functions that say whether something has arrived since their last call, so that more may follow. */
const arrivals = new Set<() => boolean>();
/** The most turns in a row that pass without work, because arrivals may never end. */
const MOST_PASSED = 100;
let passed = 0;

/**
 * Lets turns pass without work while something arrives, at most a hundred in a row. Returns a function that ends this.
 */
export function letComeIn(hasCome: () => boolean): () => void {
  arrivals.add(hasCome);
  return () => void arrivals.delete(hasCome);
}

function next(): void {
  // Every function is called, because each forgets an arrival once it has reported it.
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

/** Functions that say whether work is under way for which somebody waits. */
const waitedFor = new Set<() => boolean>();

/**
 * Registers work for which somebody waits, so that other work waits while it is under way. Returns a function that ends
 * this.
 */
export function letGoFirst(isUnderWay: () => boolean): () => void {
  waitedFor.add(isUnderWay);
  return () => void waitedFor.delete(isUnderWay);
}

export const isSomebodyWaiting = (): boolean => [...waitedFor].some((isUnderWay) => isUnderWay());
