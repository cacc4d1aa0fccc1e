import type { z } from 'zod';
import type { CommentResponse, RatingResponse } from '../../../events/messages/feedback.ts';
import type { AskResponse } from '../../../events/messages/knowledge.ts';
import { post } from './api.ts';
import { el } from '../dom.ts';
import { showFault } from '../faults.ts';
import { renderProblem } from './problem.ts';
import { texts } from './page-language.ts';
import { MOST } from './request-limits.ts';

/**
 * The form for a rating and comments, or a note that the answer was not recorded; `null` if the answer cannot be rated
 * for another reason.
 */
export function renderFeedback(
  { request_id, ratings_enabled }: AskResponse,
  { isLost }: { isLost: boolean },
): HTMLElement | null {
  if (isLost) return el('section.notice.warning', el('p', texts.notRecorded));
  if (!ratings_enabled) return null;
  return el(
    'section.feedback',
    { ariaLabel: texts.helpful },
    renderRating(request_id),
    renderComment(request_id),
  );
}

type Rating = z.output<typeof RatingResponse>['rating'];

const RATINGS: readonly Rating[] = ['up', 'down'];

function renderRating(request_id: string): HTMLElement {
  const outcome = el('div', { role: 'status' });
  const words = el('textarea', { id: 'feedback', rows: 2 });
  const send = el('button', { type: 'submit' }, texts.sendFeedback);
  const form = el(
    'form',
    { hidden: true, autocomplete: 'off' },
    el('label', { htmlFor: 'feedback' }, texts.feedback),
    words,
    send,
  );
  let chosen: Rating | null = null;
  // The text of the last rating. A rating replaces the previous one with its text, so the text is sent again when only
  // the thumb changes.
  let said: { feedback?: string } = {};
  const buttons = RATINGS.map((rating) =>
    el(
      'button.rating',
      { type: 'button', ariaPressed: 'false', onclick: () => rate(rating, said) },
      texts[rating],
    ),
  );

  async function rate(rating: Rating, feedback: { feedback?: string }): Promise<void> {
    const body = { request_id, rating, ...feedback };
    const reply = await sending<typeof RatingResponse>('/v1/ratings', body, outcome, [...buttons, send]);
    if (reply === null) return;
    const spoke = feedback !== said;
    chosen = rating;
    said = feedback;
    buttons.forEach((button, i) => (button.ariaPressed = String(RATINGS[i] === rating)));
    outcome.replaceChildren(spoke ? texts.feedbackSaved : reply.updated ? texts.updated : texts.rated);
    form.hidden = false;
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const feedback = words.value.trim();
    if (feedback !== '' && chosen !== null && fits(words, MOST.feedback)) void rate(chosen, { feedback });
  });
  return el('div', el('div.rate', el('h3', texts.helpful), el('div.choices', buttons)), outcome, form);
}

function renderComment(request_id: string): HTMLElement {
  const outcome = el('div', { role: 'status' });
  const words = el('textarea', { id: 'comment', rows: 3, ariaLabel: texts.comment });
  const send = el('button', { type: 'submit' }, texts.sendComment);
  const saved = el('ul.comments');
  const form = el('form', { autocomplete: 'off' }, words, send, outcome);
  async function save(): Promise<void> {
    const comment = words.value.trim();
    if (comment === '') {
      words.focus();
      return;
    }
    if (!fits(words, MOST.comment)) return;
    const body = { request_id, comment };
    const reply = await sending<typeof CommentResponse>('/v1/comments', body, outcome, [send]);
    if (reply === null) return;
    saved.append(el('li', comment));
    outcome.replaceChildren(texts.commented(reply.comment_id));
    words.value = '';
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void save();
  });
  return el('details', el('summary', texts.comment), saved, form);
}

/** Whether a text is short enough. If not, a message is shown at the field, which keeps the whole text. */
function fits(field: HTMLTextAreaElement, most: number): boolean {
  const isShort = field.value.trim().length <= most;
  if (!isShort) {
    showFault(field, texts.tooLong(most));
    field.focus();
  }
  return isShort;
}

/** Sends one request at a time. Returns the reply, or `null` after showing the problem in `outcome`. */
async function sending<Reply extends z.ZodType>(
  path: string,
  body: object,
  outcome: HTMLElement,
  controls: readonly HTMLButtonElement[],
): Promise<z.output<Reply> | null> {
  for (const control of controls) control.disabled = true;
  try {
    return await post<z.output<Reply>>(path, body);
  } catch (error) {
    outcome.replaceChildren(renderProblem(error, null));
    return null;
  } finally {
    for (const control of controls) control.disabled = false;
  }
}
