import { ownTurn } from './turns.ts';

/** Work in steps: each says about how many words it compared, so that whoever runs it can let others in between. */
export type Steps<T> = Generator<number, T>;

/** What it costs to read a word that has not been read, in words compared. */
export const TO_READ = 20;
/** What it costs to read a question, or to search for it, in words compared for each of its letters. */
export const TO_SEARCH = 30;

/** What it costs to put a word into a table, in words compared. */
export const TO_NUMBER = 3;

/** Words compared within one turn of the event loop, a few milliseconds: a question of some sentences takes no more. */
const WORDS_A_TURN = 60_000;

/** What is sorted in one step, and what that costs for each, in words compared. */
const SORTED_AT_ONCE = 500;
const TO_SORT = 4;

/** Sorts step by step; what is equal keeps its order. */
export function* sorting<T>(all: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < all.length; from += SORTED_AT_ONCE) {
    runs.push(all.slice(from, from + SORTED_AT_ONCE).sort(compare));
    yield TO_SORT * SORTED_AT_ONCE;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(yield* merging(runs[i]!, runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merging<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const isFirst = j === b.length || (i < a.length && compare(a[i]!, b[j]!) <= 0);
    merged.push(isFirst ? a[i++]! : b[j++]!);
    if (merged.length % SORTED_AT_ONCE === 0) yield SORTED_AT_ONCE;
  }
  return merged;
}

/** Does all of it now. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** For work that nobody who asks waits for: short turns keep those that do from waiting for it. */
export const inShortTurns = <T>(steps: Steps<T>): Promise<T> => inTurns(steps, WORDS_A_TURN / 4);

/** Runs the steps over several turns of the event loop, so that only the asker waits for a long question. */
export async function inTurns<T>(steps: Steps<T>, wordsATurn: number = WORDS_A_TURN): Promise<T> {
  let compared = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    compared += step.value;
    if (compared < wordsATurn) continue;
    compared = 0;
    await ownTurn();
  }
}
