import { el, facts } from './dom.js';
import { monthOf, texts } from './texts.js';

/** The whole answer, as text: banner, words, conflicts, question back, sources, metadata. */
export function renderAnswer(answer, { onRefine }) {
  return el(
    'article',
    {
      className: 'answer',
      tabIndex: -1,
      dataset: { state: stateOf(answer) },
      attributes: { 'aria-labelledby': 'answer-title' },
    },
    renderBanner(stateOf(answer)),
    el('h2', { id: 'answer-title', className: 'asked' }, answer.question),
    el('div', { className: 'prose' }, renderBody(answer)),
    renderConflicts(answer),
    renderClarification(answer, onRefine),
    renderSources(answer),
    renderDetails(answer),
  );
}

/** `verified=false` is never shown as a normal answer, whatever the status says. */
export function stateOf({ status, verified }) {
  if (status !== 'answered') return status;
  return verified ? 'verified' : 'unverified';
}

const SYMBOLS = { verified: '✓', uncertain: '!', unverified: '!', refused: '–' };

function renderBanner(state) {
  return el(
    'p',
    { className: 'banner', dataset: { state } },
    el('span', { className: 'symbol', attributes: { 'aria-hidden': 'true' } }, SYMBOLS[state]),
    el('span', {}, el('strong', {}, texts[state]), ` – ${texts[`${state}Note`]}`),
  );
}

/** The answer's paragraphs, without what stands in a box of its own below; what cites nothing is set apart. */
function renderBody({ answer, conflicts, clarification_question, sources }) {
  const boxed = new Set(conflicts.map(({ text }) => text.trim()));
  const ids = new Set(sources.map(({ id }) => id));
  return withoutQuestion(answer, clarification_question)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !boxed.has(line))
    .map((line) => {
      const parts = linkCitations(line, ids);
      return el('p', { className: parts.length === 1 ? 'uncited' : '' }, parts);
    });
}

function withoutQuestion(answer, question) {
  if (question === null || !answer.trimEnd().endsWith(question)) return answer;
  return answer
    .trimEnd()
    .slice(0, -question.length)
    .replace(/(?:Rückfrage|Question back):\s*$/, '');
}

/** `[ID]` as a link to its source; what is no cited source stays text. */
function linkCitations(text, ids) {
  return text.split(/(\[[A-Za-z0-9][A-Za-z0-9._-]{0,63}\])/).map((part) => {
    const id = part.slice(1, -1);
    if (!part.startsWith('[') || !ids.has(id)) return part;
    return el('a', { className: 'citation', href: `#source-${id}` }, part);
  });
}

function renderConflicts({ conflicts, sources }) {
  if (conflicts.length === 0) return null;
  const ids = new Set(sources.map(({ id }) => id));
  return el(
    'section',
    { className: 'notice warning' },
    el('h3', {}, texts.conflicts),
    // Both sides of a conflict, one below the other.
    conflicts
      .flatMap(({ text }) => text.split(/(?<=\])\s+(?!\[)/))
      .map((side) => el('p', {}, linkCitations(side.trim(), ids))),
  );
}

function renderClarification({ clarification_question }, onRefine) {
  if (clarification_question === null) return null;
  return el(
    'section',
    { className: 'notice' },
    el('h3', {}, texts.clarification),
    el('p', {}, clarification_question),
    el('button', { type: 'button', onclick: onRefine }, texts.refine),
  );
}

function renderSources({ sources }) {
  if (sources.length === 0) return null;
  return el(
    'section',
    { className: 'sources' },
    el('h3', {}, texts.sources),
    el(
      'ol',
      {},
      sources.map(({ id, title, section, work, stand }) =>
        el(
          'li',
          { id: `source-${id}`, tabIndex: -1 },
          el('span', { className: 'source-title' }, title),
          el(
            'span',
            { className: 'source-place' },
            [work, section, `${texts.stand} ${monthOf(stand)}`].filter((part) => part !== '').join(' · '),
          ),
          el('code', {}, id),
        ),
      ),
    ),
  );
}

function renderDetails(answer) {
  const { grounding } = answer;
  return el(
    'details',
    { className: 'details' },
    el('summary', {}, texts.details),
    el(
      'dl',
      { className: 'facts' },
      facts([
        [texts.status, `${answer.status}, verified = ${answer.verified}`],
        [texts.type, answer.answer_type],
        [texts.scope, grounding.data_scope],
        [texts.citationsVerified, grounding.citations_verified ? texts.yes : texts.no],
        [texts.context, String(grounding.context_count)],
        [texts.regenerations, String(grounding.regenerations)],
        [texts.model, answer.model],
        [texts.latency, `${answer.latency_ms} ms`],
        ...(answer.planned ? [[texts.plan, answer.planned_queries.join(' · ')]] : []),
        [texts.requestId, answer.request_id],
      ]),
    ),
  );
}
