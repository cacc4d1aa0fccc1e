import { el } from '../page/dom.js';
import { renderDiagram } from './diagram.js';
import { copyButton, duration, exactTime, number } from './format.js';
import { inert, inertAnswer } from './inert.js';
import { chip, missing, thumb } from './list.js';
import { table } from './table.js';
import { texts } from './texts.js';
import { renderTimeline } from './timeline.js';

/** All about one request; `onErase` is for a button, where there is text to be erased. */
export function renderDetail({ interaction, story, chain }, onErase) {
  const erased = interaction.erased_at !== null;
  return [
    el(
      'div',
      { className: 'title' },
      el(
        'h2',
        { id: 'request-title', tabIndex: -1 },
        `${texts.request} `,
        el('code', {}, interaction.request_id),
      ),
      copyButton(interaction.request_id, texts.request),
    ),
    el('p', { className: 'line' }, exactTime(interaction.at), chip(interaction), modeOf(interaction)),
    erased ? renderErased(interaction) : null,
    renderWords(interaction),
    renderFeedback(interaction),
    section(texts.answers, renderAnswers(interaction, story)),
    section(texts.diagram, renderDiagram(story.machine)),
    section(texts.timeline, renderSpan(story), renderTimeline(story)),
    section(texts.chain, renderChain(chain)),
    erased
      ? null
      : el(
          'button',
          { type: 'button', id: 'erase-open', className: 'danger', onclick: onErase },
          texts.erase,
        ),
  ];
}

const section = (title, ...content) =>
  el('section', { className: 'part' }, el('h3', {}, title), content.flat());

const modeOf = ({ mode }) => el('span', {}, mode === 'review' ? texts.kindReview : texts.kindAsk);

function renderErased({ erased_at }) {
  return el(
    'div',
    { className: 'notice' },
    el('p', {}, el('strong', {}, texts.erasedAt, ' ', exactTime(erased_at))),
    el('p', {}, texts.erasedNote),
  );
}

/** Each in a direction of its own, so that it cannot turn around what stands beside it. */
function renderWords({ question, answer, citations, erased_at }) {
  return el(
    'div',
    { className: 'words' },
    question === null ? null : el('p', { className: 'asked', dir: 'auto' }, inert(question)),
    answer === null
      ? el('p', { className: 'gone' }, missing(erased_at))
      : el('div', { className: 'prose long', dir: 'auto' }, inertAnswer(answer, citations)),
    citations.length === 0
      ? null
      : el(
          'p',
          { className: 'line cited' },
          el('span', {}, texts.citations),
          citations.map((id) => el('code', { className: 'citation' }, id)),
        ),
  );
}

function renderFeedback({ rating, comments, erased_at }) {
  const words = (text) =>
    text === null
      ? el('p', { className: 'gone' }, missing(erased_at))
      : el('p', { className: 'said long', dir: 'auto' }, inert(text));
  if (rating === null && comments.length === 0) {
    return section(texts.feedbackTitle, el('p', { className: 'hint' }, texts.noFeedback));
  }
  return section(
    texts.feedbackTitle,
    rating === null
      ? null
      : el(
          'div',
          { className: 'voice' },
          el('p', { className: 'line' }, thumb(rating.rating), exactTime(rating.at)),
          // A rating without words is one, too.
          rating.feedback === null ? null : words(rating.feedback),
        ),
    comments.map(({ comment_id, comment, at }) =>
      el(
        'div',
        { className: 'voice' },
        el('p', { className: 'line' }, texts.commentNumber(comment_id), exactTime(at)),
        words(comment),
      ),
    ),
  );
}

/** The figures of every answer that was given under this id. */
function renderAnswers({ answers }, { entries }) {
  const given = entries.filter(({ event }) => event === 'AnswerGiven');
  const reviewed = given.some(({ data }) => data.mode === 'review');
  const columns = [
    [texts.at, ({ at }) => exactTime(at)],
    [texts.status, ({ data }) => chip(data)],
    ...(reviewed ? [[texts.verdict, ({ data }) => texts[data.verdict] ?? '–']] : []),
    [texts.type, ({ data }) => data.answer_type ?? '–'],
    [texts.model, ({ data }) => data.model ?? '–'],
    [texts.context, ({ data }) => data.n_context ?? '–'],
    [texts.regenerations, ({ data }) => data.regenerations ?? '–'],
    [texts.latency, ({ data }) => (data.latency_ms === undefined ? '–' : duration(data.latency_ms))],
  ];
  return [
    table(
      columns.map(([name]) => name),
      given.map((entry) =>
        el(
          'tr',
          {},
          columns.map(([, read]) => el('td', {}, read(entry))),
        ),
      ),
    ),
    given.length < answers
      ? el('p', { className: 'hint' }, texts.answersLeftOut(answers - given.length))
      : null,
  ];
}

function renderSpan({ entries, omitted }) {
  const span = new Date(entries.at(-1).at) - new Date(entries[0].at);
  return el(
    'p',
    { className: 'hint' },
    texts.storySpan(number(entries.length + omitted), duration(span)),
    ' · ',
    el('code', {}, entries[0].stream),
  );
}

function renderChain({ whole, events, faults, stream }) {
  if (whole) {
    return el(
      'p',
      { className: 'chain', dataset: { whole: 'true' } },
      el('span', { attributes: { 'aria-hidden': 'true' } }, '✓ '),
      texts.chainWhole(number(events)),
      ' ',
      el('code', {}, stream),
    );
  }
  return el(
    'div',
    { className: 'notice error chain', dataset: { whole: 'false' } },
    el('p', {}, el('strong', {}, texts.chainBroken(faults.length)), ' ', el('code', {}, stream)),
    el(
      'ul',
      {},
      faults.map((fault) => el('li', { dir: 'auto' }, inert(fault))),
    ),
  );
}
