import type { AskProgress } from '../../../events/messages/knowledge.ts';
import { el, find, items } from '../dom.ts';
import { texts } from './page-language.ts';

const list = find('#steps');
/**
 * The element with the progress, which screen readers read aloud. It is only visible while no question is being
 * answered.
 */
const progress = find('#progress');
const LAST_ATTEMPT = 2;

/** Shows that an ask has begun. */
export function beginSteps(): void {
  progress.classList.add('unseen');
  list.hidden = false;
  list.setAttribute('aria-label', texts.steps);
  list.replaceChildren(doing(texts.searching));
  list.scrollIntoView({ block: 'nearest' });
  say(texts.searching);
}

/** Shows a completed step and the next one; an unknown step is ignored. */
export function showStep(name: string, data: unknown): void {
  if (!(name in STEPS)) return;
  // The event of that name, as the service defines it.
  const step = STEPS[name as AskProgress['stage']](data as never);
  const { done, failed = false, queries = [], next, aloud } = step;
  list.lastElementChild?.remove();
  list.append(
    el(
      'li',
      { dataset: { state: failed ? 'failed' : 'done' } },
      done,
      queries.length === 0 ? null : el('ul', items(queries)),
    ),
    doing(next),
  );
  if (aloud !== undefined) say(aloud);
}

/** Removes the steps; `words` stay. */
export function endSteps(words = ''): void {
  progress.classList.remove('unseen');
  list.hidden = true;
  list.replaceChildren();
  say(words);
}

interface Step {
  readonly done: string;
  readonly failed?: boolean;
  readonly queries?: readonly string[];
  readonly next: string;
  readonly aloud?: string;
}

/** For each step: what was done, what comes next, and what is announced. */
const STEPS: {
  [Stage in AskProgress['stage']]: (data: Extract<AskProgress, { stage: Stage }>) => Step;
} = {
  planned: ({ queries }) =>
    queries.length > 1
      ? { done: texts.plannedParts(queries.length), queries, next: texts.searching }
      : { done: texts.plannedOne, next: texts.searching },
  retrieved({ passages, covered }) {
    if (covered) {
      const done = texts.retrieved(passages);
      return { done, next: texts.drafting, aloud: `${done}. ${texts.drafting}` };
    }
    return { done: texts.notCovered, failed: true, next: texts.finishing };
  },
  drafted: ({ attempt }) => ({ done: texts.drafted(attempt + 1), next: texts.verifying }),
  verified({ attempt, verified, failures }) {
    if (verified) return { done: texts.holds, next: texts.finishing };
    const done = texts.fails(failures);
    if (attempt >= LAST_ATTEMPT) return { done, failed: true, next: texts.finishing };
    return {
      done,
      failed: true,
      next: texts.again(attempt + 2),
      aloud: `${done}. ${texts.again(attempt + 2)}`,
    };
  },
};

function doing(words: string): HTMLElement {
  return el('li', { dataset: { state: 'doing' } }, words);
}

function say(words: string): void {
  if (progress.textContent !== words) progress.textContent = words;
}
