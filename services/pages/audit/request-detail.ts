import { el, items } from '../dom.ts';
import { renderDiagram } from './diagram.ts';
import { copyButton } from '../knowledge/copy-button.ts';
import { duration, exactTime, number } from './format.ts';
import { inert, inertAnswer } from './inert-text.ts';
import { chip, missing, stateOf, thumb, type Outcome } from './request-list.ts';
import type { Entry, Interaction, Shown } from './api.ts';
import { table, type Column } from './table.ts';
import { texts } from './texts.ts';
import { renderTimeline } from './timeline.ts';

/** All about one request; `onErase` adds a button if there is text to erase. */
export function renderDetail(
  { interaction, story, chain }: Shown,
  onErase: () => void,
): (HTMLElement | null)[] {
  const { erased_at } = interaction;
  return [
    el(
      'div.title',
      el(
        'h2',
        { id: 'request-title', tabIndex: -1 },
        `${texts.requestId} `,
        el('code', interaction.request_id),
      ),
      copyButton(interaction.request_id, texts.requestId),
      el(
        'button.copy',
        { type: 'button', onclick: () => save({ interaction, story, chain }) },
        texts.download,
      ),
    ),
    el('p.line', exactTime(interaction.at), chip(interaction), modeOf(interaction)),
    erased_at === null ? null : renderErased(erased_at),
    renderWords(interaction),
    renderFeedback(interaction),
    section(texts.answers, renderAnswers(interaction, story)),
    section(texts.diagram, renderDiagram(story.machine, stateOf(interaction))),
    section(texts.timeline, renderSpan(story), renderTimeline(story)),
    section(texts.chain, renderChain(chain)),
    erased_at === null
      ? el('button.danger', { type: 'button', id: 'erase-open', onclick: onErase }, texts.erase)
      : null,
  ];
}

/** Saves everything that was loaded as a file, including data that is not shown. */
function save(shown: Shown): void {
  const blob = new Blob([JSON.stringify(shown, null, 2)], { type: 'application/json' });
  const href = URL.createObjectURL(blob);
  el('a', { href, download: `${shown.interaction.request_id}.json` }).click();
  URL.revokeObjectURL(href);
}

type Content = HTMLElement | null;

const section = (title: string, ...content: (Content | readonly Content[])[]): HTMLElement =>
  el('section.part', el('h3', title), content.flat());

const modeOf = ({ mode }: Interaction): HTMLElement =>
  el('span', mode === 'review' ? texts.kindReview : texts.kindAsk);

function renderErased(at: string): HTMLElement {
  return el(
    'div.notice',
    el('p', el('strong', texts.erasedAt, ' ', exactTime(at))),
    el('p', texts.erasedNote),
  );
}

/** Each text has its own direction, so that it cannot reverse its surroundings. */
function renderWords(interaction: Interaction): HTMLElement {
  const { question, answer, citations } = interaction;
  const cited = citations.map((id) => el('code.citation', id));
  return el(
    'div.words',
    question === null ? null : el('p.asked', { dir: 'auto' }, inert(question)),
    answer === null
      ? el('p.gone', missing(interaction))
      : el('div.prose', { dir: 'auto' }, inertAnswer(answer, citations)),
    citations.length === 0 ? null : el('p.line.cited', el('span', texts.citations), cited),
  );
}

function renderFeedback(interaction: Interaction): HTMLElement {
  const { rating, comments } = interaction;
  const words = (text: string | null) =>
    text === null ? el('p.gone', missing(interaction)) : el('p.said', { dir: 'auto' }, inert(text));
  if (rating === null && comments.length === 0) {
    return section(texts.feedbackTitle, el('p.hint', texts.noFeedback));
  }
  return section(
    texts.feedbackTitle,
    rating === null
      ? null
      : el(
          'div.voice',
          el('p.line', thumb(rating.rating), exactTime(rating.at)),
          // A rating without a text counts as well.
          rating.feedback === null ? null : words(rating.feedback),
        ),
    comments.map(({ comment_id, comment, at }) =>
      el('div.voice', el('p.line', texts.commentNumber(comment_id), exactTime(at)), words(comment)),
    ),
  );
}

/** The figures of every answer that was given under this id. */
function renderAnswers({ answers }: Interaction, { entries }: Shown['story']): Content[] {
  const given = entries.filter(({ event }) => event === 'AnswerGiven');
  const reviewed = given.some(({ data }) => data['mode'] === 'review');
  const columns: Column<Entry>[] = [
    [texts.at, ({ at }) => exactTime(at)],
    [texts.status, ({ data }) => chip(outcomeOf(data))],
    [texts.type, ({ data }) => figure(data['answer_type'])],
    [texts.model, ({ data }) => figure(data['model'])],
    [texts.context, ({ data }) => figure(data['n_context'])],
    [texts.regenerations, ({ data }) => figure(data['regenerations'])],
    [texts.latency, ({ data: { latency_ms: ms } }) => (typeof ms === 'number' ? duration(ms) : '–')],
  ];
  if (reviewed) columns.splice(2, 0, [texts.verdict, ({ data }) => verdictOf(data['verdict'])]);
  return [
    table(columns, given),
    given.length < answers ? el('p.hint', texts.answersLeftOut(answers - given.length)) : null,
  ];
}

/** The outcome of an answer, from the data of its event. */
function outcomeOf(data: Entry['data']): Outcome {
  const { status, verified, verdict, conflict_ids } = data as Outcome & { conflict_ids?: unknown[] };
  return { status, verified, verdict, conflicts: conflict_ids?.length ?? 0 };
}

type Value = Entry['data'][string] | undefined;

const figure = (value: Value): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '–';

function verdictOf(value: Value): string {
  return value === 'plausible' || value === 'implausible' || value === 'not_checkable' ? texts[value] : '–';
}

function renderSpan({ entries, omitted }: Shown['story']): HTMLElement {
  const span = Date.parse(entries.at(-1)!.at) - Date.parse(entries[0]!.at);
  return el(
    'p.hint',
    texts.storySpan(number(entries.length + omitted), duration(span)),
    ' · ',
    el('code', entries[0]!.stream),
  );
}

function renderChain({ whole, events, faults, stream }: Shown['chain']): HTMLElement {
  if (whole) {
    return el(
      'p.chain',
      { dataset: { whole: 'true' } },
      el('span', { ariaHidden: 'true' }, '✓ '),
      texts.chainWhole(number(events)),
      ' ',
      el('code', stream),
    );
  }
  return el(
    'div.notice.error.chain',
    { dataset: { whole: 'false' } },
    el('p', el('strong', texts.chainBroken(faults.length)), ' ', el('code', stream)),
    el('ul', items(faults.map((fault) => el('bdi', inert(fault))))),
  );
}
