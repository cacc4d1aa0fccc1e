import { ownTurn } from '../turns.ts';

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
