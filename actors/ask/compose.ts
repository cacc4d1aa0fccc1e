import type * as knowledge from '../../events/catalog/knowledge.ts';
import type { EventDraft } from '../../events/define.ts';
import type { Coverage, Hit, Language, Source } from '../../kb/knowledge.ts';
import { textHashOf } from '../../kb/source-text.ts';
import { clarification } from './ask-back.ts';
import { quotesOf } from './quotes.ts';
import { asOfNote, MIN_NEAR, notesOn, type NotesContext } from './notes.ts';
import type { Check, NotChecked } from '../review/check.ts';
import { renderNotChecked, renderSection } from '../review/answer-section.ts';
import { RELEVANT, type Draft, type Verdict } from './ports.ts';
import {
  citationsOf,
  partsOf,
  renderConflict,
  renderParts,
  type DraftParts,
  type Statement,
} from './render.ts';
import { frame, questionBack, refusal, uncoveredIn } from './templates.ts';

/** The parts of an answer that come from its text; what is left is who asked, by what, and how long it took. */
export type Answer = Pick<
  EventDraft<typeof knowledge.AnswerGiven>['data'],
  | 'status'
  | 'verified'
  | 'answer_type'
  | 'answer'
  | 'citations'
  | 'sources'
  | 'conflicts'
  | 'conflict_ids'
  | 'clarification_question'
>;

/** A draft that holds: every sentence of it is in the answer. */
export function answered(draft: Draft, hits: readonly Hit[]): Answer {
  return compose('answered', partsOf(draft), hits);
}

/** The best draft that could not be grounded: the sentences that hold, and that the others are left out. */
export function uncertain(draft: Draft, verdict: Verdict, context: NotesContext): Answer {
  const { hits, language } = context;
  const failed = new Set(verdict.failures.map((failure) => failure.sentence));
  const held = partsOf({ sentences: draft.sentences.filter((_, index) => !failed.has(index)) });
  // A conflict needs both sides.
  const conflicts = held.conflicts.filter((line) => citationsOf({ ...NOTHING, statements: line }).length > 1);
  const statements = [
    ...held.statements,
    ...held.conflicts.filter((line) => !conflicts.includes(line)).flat(),
  ];
  const frames = [
    frame('unsupported', language),
    ...held.frames.filter((text) => uncoveredIn(text) !== null),
    ...notesOn({ statements, conflicts, frames: [] }, context),
  ];
  return compose('uncertain', { statements, conflicts, frames }, hits);
}

/** Titles that a refusal names. */
const MAX_NEAREST = 3;

const REFUSED: Omit<Answer, 'answer'> = {
  status: 'refused',
  verified: false,
  answer_type: 'refusal',
  citations: [],
  sources: [],
  conflicts: [],
  conflict_ids: [],
  clarification_question: null,
};

/** No source, what is missing, and what comes nearest to it; of a question that is too short to tell, a question back. */
export function refused(
  question: string,
  language: Language,
  coverage: Coverage | null,
  { hits, asOf }: { readonly hits: readonly Hit[]; readonly asOf: string | null },
): Answer {
  const back = coverage?.otherYears === null ? clarification(question, language, hits, null) : null;
  if (back !== null) return { ...REFUSED, answer: back, clarification_question: questionBack(back) };
  const near = coverage !== null && coverage.value >= MIN_NEAR && coverage.otherYears === null;
  const titles = near ? [...new Set(hits.map(({ source }) => source.title))].slice(0, MAX_NEAREST) : [];
  return {
    ...REFUSED,
    answer: refusal(language, {
      missing: coverage?.missing ?? [],
      otherYears: coverage?.otherYears ?? null,
      asOf,
      nearest: titles,
    }),
  };
}

/**
 * An answer of review mode: it says first what was not checked, and closes with the section of the checks, whose sources are
 * cited as any other. What the base says on the question stands between them, unless it is on something else than what
 * was checked, or may not be to the point. Where nothing of what was sent could be judged, the reasons alone are said.
 */
export function withSection(
  answer: Answer,
  { checks, notChecked }: { checks: readonly Check[]; notChecked: readonly NotChecked[] },
  relevance: number | null,
  sources: readonly Source[],
  language: Language,
  asOf: string | null,
): Answer {
  const open = renderNotChecked(notChecked, language);
  const section = renderSection(checks, language);
  const join = (...parts: readonly string[]): string =>
    [...(open === '' ? [] : [open]), ...parts, section].join('\n\n');
  if (checks.length === 0 && notChecked.length > 0)
    return { ...answer, ...REFUSED, answer: join(...asOfNote(asOf, language)) };
  if (answer.status === 'refused' && checks.length === 0) return { ...answer, answer: join(answer.answer) };
  const rests = new Set(checks.flatMap((check) => check.source_ids));
  const alone =
    answer.status === 'refused' ||
    (rests.size > 0 && ((relevance ?? 1) < RELEVANT || !answer.citations.some((id) => rests.has(id))));
  const citations = [...new Set([...(alone ? [] : answer.citations), ...rests])];
  const byId = new Map(sources.map((source) => [source.id, source]));
  return {
    ...answer,
    ...(alone ? ALONE : {}),
    answer_type: 'review',
    answer: alone ? join(...asOfNote(asOf, language)) : join(answer.answer),
    citations,
    sources: citations
      .flatMap((id) => byId.get(id) ?? [])
      .map((source) => answer.sources.find(({ id }) => id === source.id) ?? reference(source, [])),
  };
}

/** Of an answer that is checks and nothing else. */
const ALONE = {
  status: 'answered',
  verified: true,
  conflicts: [],
  conflict_ids: [],
  clarification_question: null,
} as const satisfies Partial<Answer>;

const NOTHING: DraftParts = { statements: [], conflicts: [], frames: [] };

function compose(status: 'answered' | 'uncertain', parts: DraftParts, hits: readonly Hit[]): Answer {
  const citations = citationsOf(parts);
  const sources = new Map(hits.map((hit) => [hit.source.id, hit.source]));
  const statements = [...parts.statements, ...parts.conflicts.flat()];
  const conflicts = parts.conflicts.map((line) => ({
    text: renderConflict(line),
    source_ids: citationsOf({ ...NOTHING, statements: line }),
  }));
  const clarification = questionBack(parts.frames.at(-1) ?? '');
  return {
    status,
    verified: status === 'answered',
    answer_type: clarification === null ? typeOf(parts) : 'clarification',
    answer: renderParts(parts),
    citations,
    sources: citations.flatMap((id) => sources.get(id) ?? []).map((source) => reference(source, statements)),
    conflicts,
    conflict_ids: conflicts.map((conflict) => conflict.source_ids),
    clarification_question: clarification,
  };
}

/** One fact answered is specific; sentences of several sources that do not contradict each other are an overview. */
function typeOf(parts: DraftParts): 'specific' | 'overview' {
  return citationsOf({ ...parts, conflicts: [] }).length > 1 ? 'overview' : 'specific';
}

function reference(source: Source, statements: readonly Statement[]): Answer['sources'][number] {
  const { id, title, section, stand, work } = source;
  const quotes = quotesOf(source, statements);
  return { id, title, section, stand, work, quotes, text_hash: textHashOf(source) };
}
