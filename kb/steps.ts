import { setTimeout as pause } from 'node:timers/promises';

import { isSomebodyWaiting, ownTurn } from './turns.ts';

/**
 * Work in steps. Each step yields about how many words it compared, so that the runner can let other work run in
 * between.
 */
export type Steps<T> = Generator<number, T>;
/** Work in steps that also waits, for instance for a file. */
export type AsyncSteps<T> = AsyncGenerator<number, T>;

/**
 * The cost of reading a new word, as a number of compared words. The first questions after a start read most words that
 * they find.
 */
export const TO_READ = 60;
/** The cost of reading or searching a letter of a question, as a number of compared words. */
export const TO_SEARCH = 30;

/** The cost of adding a word to a table, as a number of compared words. */
export const TO_NUMBER = 3;

/**
 * The number of words to compare within one turn of the event loop. It takes a few milliseconds, and is enough for a
 * question of some sentences.
 */
const WORDS_A_TURN = 60_000;
/**
 * The milliseconds after which a turn ends, however few words were compared: on a busy machine, or while memory is
 * collected, they take long. An ordinary question is done before, and then recorded in one append.
 */
const TURN_MS = 25;

/** The number of elements that are sorted in one step, and the cost of each as a number of compared words. */
const SORTED_AT_ONCE = 500;
const TO_SORT = 4;

/** A stable sort in steps. */
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

/** Merges two sorted lists in steps. */
export function* merging<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
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

/** Runs all steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The number of words of a short turn, which takes some tenths of a millisecond. */
const WORDS_A_SHORT_TURN = WORDS_A_TURN / 16;
/**
 * After this time a short turn is twice as long as at first, then three times, and so on, up to about a millisecond.
 */
const LONGER_MS = 500;
const LONGEST = 4;

/**
 * The milliseconds that work in short turns waits, altogether, for other work that somebody waits for (`letGoFirst`).
 */
const STANDS_BACK_MS = 200;

/** Runs steps in short turns of the event loop. */
export type ShortTurns = <T>(steps: Steps<T> | AsyncSteps<T>) => Promise<T>;

/**
 * Runs work that no caller waits for, such as taking a change in. At first it waits a while if somebody waits for other
 * work. Its turns are short, because an ask needs many turns of the event loop and would wait for one of these in each.
 * They become longer with time, so that the work ends however many asks there are. Use one result of this function for
 * all parts of one work, so that it waits only once.
 */
export function shortTurns(): ShortTurns {
  const began = performance.now();
  let stoodBack = 0;
  return async (steps) => {
    let compared = 0;
    for (;;) {
      const next = steps.next();
      const step = next instanceof Promise ? await next : next;
      if (step.done === true) return step.value;
      compared += step.value;
      const longer = Math.min(LONGEST, 1 + (performance.now() - began - stoodBack) / LONGER_MS);
      if (compared < WORDS_A_SHORT_TURN * longer) continue;
      compared = 0;
      await ownTurn();
      const from = performance.now();
      while (isSomebodyWaiting() && stoodBack + performance.now() - from < STANDS_BACK_MS) await pause(1);
      stoodBack += performance.now() - from;
    }
  };
}

/** Runs work that consists of one part. */
export const inShortTurns: ShortTurns = (steps) => shortTurns()(steps);

/** Runs the steps over several turns of the event loop, so that a long question only delays its own caller. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  let compared = 0;
  let began = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    compared += step.value;
    if (compared < WORDS_A_TURN && performance.now() - began < TURN_MS) continue;
    await ownTurn();
    compared = 0;
    began = performance.now();
  }
}
