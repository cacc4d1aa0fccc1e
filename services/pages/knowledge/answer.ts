import type { AskResponse } from '../../../events/messages/knowledge.ts';
import { el, facts, items } from '../dom.ts';
import { blocksOf, type Block } from './answer-blocks.ts';
import { textOf } from './answer-text.ts';
import { linkCitations, sourceLink } from './citations.ts';
import { copyButton } from './copy-button.ts';
import { placeWithFile } from './original.ts';
import { bannerOf, stateOf } from './answer-state.ts';
import { renderSuggestions } from './suggestions.ts';
import { monthOf, texts } from './page-language.ts';
import { renderBanner, renderVerdict, withoutSection } from './verdict.ts';

interface AnswerActions {
  /** Lets the user change the question. */
  readonly onRefine: () => void;
  readonly onAsk: (question: string) => void;
}

/**
 * The whole answer: banner, text, conflicts, question back, alternatives, sources, metadata, and for a review its
 * verdict.
 */
export function renderAnswer(answer: AskResponse, actions: AnswerActions): HTMLElement {
  const state = stateOf(answer);
  const verdict = renderVerdict(answer);
  const lines = linesOf(answer);
  const { title, note } = bannerOf(answer, texts, monthOf);
  const symbol = state === 'verified' ? '✓' : state === 'refused' ? '–' : state === 'asking' ? '?' : '!';
  const banner = renderBanner(state, symbol, title, note);
  // A warning stands before the verdict. Without a warning the verdict comes first.
  const bannerFirst = verdict === null || state !== 'verified';
  return el(
    'article.answer',
    {
      tabIndex: -1,
      dataset: { state },
      attributes: { 'aria-labelledby': 'answer-title' },
    },
    bannerFirst ? banner : null,
    el('h2.asked', { id: 'answer-title' }, answer.question),
    verdict,
    verdict === null || lines.length === 0 || answer.refused ? null : el('h3.knowledge', texts.knowledge),
    bannerFirst || lines.length === 0 ? null : banner,
    renderProse(lines, answer),
    renderUncovered(answer),
    renderConflicts(answer),
    renderClarification(answer, actions),
    renderNearest(answer, actions),
    renderSources(answer),
    copyButton(textOf(answer), texts.answer, texts.copyName(texts.answer)),
    renderPlan(answer),
    renderDetails(answer),
  );
}

/** The paragraphs and code of the answer, without parts that are shown in a box of their own. */
function linesOf(answer: AskResponse): Block[] {
  const boxed = new Set(answer.conflicts.map(({ text }) => text.trim()));
  const text = withoutQuestion(withoutSection(answer), answer.clarification_question);
  return blocksOf(text.replace(answer.grounding.uncovered ?? '', '')).filter(
    (block) => block.kind === 'code' || !boxed.has(block.text),
  );
}

/** Paragraphs without citations are shown apart; before cited ones they are the headings of passages. */
function renderProse(lines: readonly Block[], { sources }: AskResponse): HTMLElement | null {
  const cited = lines.map(({ kind, text }) => kind === 'line' && linkCitations(text, sources).length > 1);
  const paragraphs = lines.map(({ kind, text }, i) => {
    // Focusable, so that long lines can be scrolled by keyboard.
    if (kind === 'code') return el('pre', { tabIndex: 0 }, text);
    if (cited[i] === true) return el('p', linkCitations(text, sources));
    const isHeading = i < cited.lastIndexOf(true);
    return isHeading ? el('h3.of-passage', text) : el('p.uncited', text);
  });
  return paragraphs.length === 0 ? null : el('div.prose', paragraphs);
}

function renderUncovered({ grounding: { uncovered } }: AskResponse): HTMLElement | null {
  if (uncovered === null) return null;
  return el('section.notice.uncovered', el('h3', texts.uncovered), el('p', uncovered));
}

/** The answer without the question back, and without the label of that question, a line that ends in a colon. */
function withoutQuestion(answer: string, question: string | null): string {
  if (question === null || !answer.trimEnd().endsWith(question)) return answer;
  return answer
    .trimEnd()
    .slice(0, -question.length)
    .replace(/[^.\n]*:\s*$/, '');
}

function renderConflicts({ conflicts, sources }: AskResponse): HTMLElement | null {
  if (conflicts.length === 0) return null;
  // Both sides of a conflict, one below the other.
  const sides = conflicts.flatMap(({ text }) => text.split(/(?<=\])\s+(?!\[)/));
  const paragraphs = sides.map((side) => el('p', linkCitations(side.trim(), sources)));
  return el('section.notice.warning', el('h3', texts.conflicts), paragraphs);
}

function renderClarification(
  { clarification_question, grounding }: AskResponse,
  { onRefine, onAsk }: AnswerActions,
): HTMLElement | null {
  if (clarification_question === null) return null;
  return el(
    'section.notice',
    el('h3', texts.clarification),
    el('p', withoutTitles(clarification_question, grounding.suggestions)),
    renderSuggestions(grounding.suggestions, onAsk),
    el('button', { type: 'button', onclick: onRefine }, texts.refine),
  );
}

/** The question without titles, if the titles are offered as choices below it. */
function withoutTitles(question: string, [first]: readonly string[]): string {
  if (first === undefined) return question;
  return `${question.slice(0, question.indexOf(first)).replace(/[\s:„“]+$/, '')}?`;
}

/** The titles of the nearest sources, which a refusal names. */
function renderNearest(
  { refused, clarification_question, grounding }: AskResponse,
  { onAsk }: AnswerActions,
): HTMLElement | null {
  // A question back already offers these titles as choices.
  const titles =
    refused && clarification_question === null ? renderSuggestions(grounding.suggestions, onAsk) : null;
  return titles === null ? null : el('section.notice', el('h3', texts.nearest), titles);
}

function renderSources({ sources }: AskResponse): HTMLElement | null {
  if (sources.length === 0) return null;
  const entries = sources.map((source, index) => [
    el('span', `[${index + 1}] `, sourceLink(source.id, source.title, 'source-title')),
    el('span.source-place', placeWithFile(source)),
    el('code', source.id),
  ]);
  return el('section.sources', el('h3', texts.sources), el('ol', items(entries)));
}

/** The planned queries, if there are others than the question. */
function renderPlan({ planned, planned_queries }: AskResponse): HTMLElement | null {
  if (!planned) return null;
  return el(
    'details.details.plan',
    el('summary', texts.searches(planned_queries.length)),
    el('ol', items(planned_queries)),
  );
}

function renderDetails(answer: AskResponse): HTMLElement {
  const { grounding } = answer;
  return el(
    'details.details',
    el('summary', texts.details),
    el(
      'dl.facts',
      facts([
        [texts.status, `${answer.status}, verified = ${answer.verified}`],
        [texts.type, answer.answer_type],
        [texts.scope, grounding.data_scope],
        [texts.citationsVerified, grounding.citations_verified ? texts.yes : texts.no],
        [texts.context, String(grounding.context_count)],
        [texts.regenerations, String(grounding.regenerations)],
        [texts.model, answer.model],
        [texts.latency, `${answer.latency_ms} ms`],
        [texts.requestId, answer.request_id],
      ]),
    ),
  );
}
