import { stateOf } from '../page/answer.js';
import { el } from '../page/dom.js';
import { time } from './format.js';
import { inert } from './inert.js';
import { texts } from './texts.js';

/** More of a question says nothing in two lines. */
const EXCERPT = 300;

/** The requests that are shown, in a list element: `hrefOf(request_id)` is where one of them opens. */
export function createList(list, hrefOf) {
  const shown = new Map();
  let current = '';

  const mark = ({ interaction, link }) => {
    if (interaction.request_id === current) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  };

  return {
    get size() {
      return shown.size;
    },
    clear() {
      shown.clear();
      list.replaceChildren();
    },
    /** A request that is shown already stays where it is. */
    append(interactions) {
      for (const interaction of interactions) {
        if (shown.has(interaction.request_id)) continue;
        const link = el('a', { href: hrefOf(interaction.request_id) });
        const entry = { link, interaction };
        shown.set(interaction.request_id, entry);
        write(entry, interaction);
        mark(entry);
        list.append(el('li', {}, link));
      }
    },
    select(requestId) {
      current = requestId;
      for (const entry of shown.values()) mark(entry);
    },
    focus(requestId) {
      (shown.get(requestId)?.link ?? list).focus();
    },
    focusAt(index) {
      (list.children[index]?.firstElementChild ?? list).focus();
    },
    /** What was erased is not shown a moment longer. */
    forget(requestId, erased_at) {
      const entry = shown.get(requestId);
      if (entry !== undefined) write(entry, withoutText(entry.interaction, erased_at));
    },
  };
}

function write(entry, interaction) {
  entry.interaction = interaction;
  entry.link.replaceChildren(...describe(interaction));
}

function withoutText(interaction, erased_at) {
  return {
    ...interaction,
    erased_at,
    question: null,
    answer: null,
    rating: interaction.rating === null ? null : { ...interaction.rating, feedback: null },
    comments: interaction.comments.map((comment) => ({ ...comment, comment: null })),
  };
}

function describe(interaction) {
  const { question, rating, comments, answers, at, erased_at } = interaction;
  return [
    el('span', { className: 'line' }, time(at), chip(interaction)),
    el(
      'bdi',
      { className: question === null ? 'excerpt gone' : 'excerpt' },
      question === null ? missing(erased_at) : inert(question.slice(0, EXCERPT)),
    ),
    el(
      'span',
      { className: 'line small' },
      rating === null ? null : thumb(rating.rating),
      comments.length === 0 ? null : el('span', {}, texts.commentCount(comments.length)),
      answers === 1 ? null : el('span', {}, texts.answerCount(answers)),
    ),
  ];
}

/** Why there is no text. */
export const missing = (erased_at) => (erased_at === null ? texts.noText : texts.erasedText);

/** The outcome in the words of the test page. */
export function chip(interaction) {
  const state = stateOf(interaction);
  return el('span', { className: 'chip', dataset: { state } }, texts[state]);
}

export function thumb(rating) {
  return el(
    'span',
    { className: 'thumb', dataset: { rating } },
    el('span', { attributes: { 'aria-hidden': 'true' } }, rating === 'up' ? '▲ ' : '▼ '),
    rating === 'up' ? texts.ratedUp : texts.ratedDown,
  );
}
