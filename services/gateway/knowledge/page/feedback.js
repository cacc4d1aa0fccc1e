import { post } from './api.js';
import { el } from './dom.js';
import { renderProblem } from './problem.js';
import { texts } from './texts.js';

/** Rating and comments of a recorded answer; `null` where it cannot be rated. */
export function renderFeedback({ request_id, ratings_enabled }) {
  if (ratings_enabled !== true) return null;
  return el(
    'section',
    { className: 'feedback', attributes: { 'aria-label': texts.helpful } },
    renderRating(request_id),
    renderComment(request_id),
  );
}

function renderRating(request_id) {
  const outcome = el('div', { attributes: { role: 'status' } });
  const words = el('textarea', { id: 'feedback', rows: 2, maxLength: 1_000, autocomplete: 'off' });
  const send = el('button', { type: 'submit' }, texts.sendFeedback);
  const form = el(
    'form',
    { hidden: true, autocomplete: 'off' },
    el('label', { htmlFor: 'feedback' }, texts.feedback),
    words,
    send,
  );
  let chosen = null;
  // A rating replaces the one before, words and all: they go along when only the thumb changes.
  let said = {};
  const buttons = ['up', 'down'].map((rating) =>
    el(
      'button',
      {
        type: 'button',
        className: 'rating',
        attributes: { 'aria-pressed': 'false' },
        onclick: () => rate(rating, said),
      },
      texts[rating],
    ),
  );

  async function rate(rating, feedback) {
    const controls = [...buttons, send];
    for (const control of controls) control.disabled = true;
    try {
      const { updated } = await post('/v1/ratings', { request_id, rating, ...feedback });
      const spoke = feedback !== said;
      chosen = rating;
      said = feedback;
      buttons.forEach((button, i) =>
        button.setAttribute('aria-pressed', String(['up', 'down'][i] === rating)),
      );
      outcome.replaceChildren(spoke ? texts.feedbackSaved : updated ? texts.updated : texts.rated);
      form.hidden = false;
    } catch (error) {
      outcome.replaceChildren(renderProblem(error, null));
    } finally {
      for (const control of controls) control.disabled = false;
    }
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const feedback = words.value.trim();
    if (feedback !== '') await rate(chosen, { feedback });
  });
  return el(
    'div',
    {},
    el(
      'div',
      { className: 'rate' },
      el('h3', {}, texts.helpful),
      el('div', { className: 'choices' }, buttons),
    ),
    outcome,
    form,
  );
}

function renderComment(request_id) {
  const outcome = el('div', { attributes: { role: 'status' } });
  const words = el('textarea', {
    id: 'comment',
    rows: 3,
    maxLength: 2_000,
    autocomplete: 'off',
    attributes: { 'aria-label': texts.comment },
  });
  const send = el('button', { type: 'submit' }, texts.sendComment);
  const saved = el('ul', { className: 'comments' });
  const form = el('form', { autocomplete: 'off' }, words, send, outcome);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const comment = words.value.trim();
    if (comment === '') {
      words.focus();
      return;
    }
    send.disabled = true;
    try {
      const { comment_id } = await post('/v1/comments', { request_id, comment });
      saved.append(el('li', {}, comment));
      outcome.replaceChildren(texts.commented(comment_id));
      words.value = '';
    } catch (error) {
      outcome.replaceChildren(renderProblem(error, null));
    } finally {
      send.disabled = false;
    }
  });
  return el('details', {}, el('summary', {}, texts.comment), saved, form);
}
