import type * as knowledge from '../../events/catalog/knowledge.ts';
import type { EventDraft } from '../../events/define.ts';
import type { Source } from '../../kb/source.ts';
import type { Hit } from '../../kb/hit.ts';
import { textHashOf } from '../../kb/source-text.ts';
import { quotesOf } from '../../kb/answer/quotes.ts';
import { notesOn, type NotesContext } from './notes.ts';
import type { Draft, Verdict } from '../../kb/answer/ports.ts';
import {
  citationsOf,
  partsOf,
  renderConflict,
  renderParts,
  type DraftParts,
  type Statement,
} from '../../kb/answer/render.ts';
import { frame, questionBack, uncoveredIn } from '../../kb/answer/templates.ts';

/** The fields of an answer that come from its text. The other fields say who asked, with what, and how long it took. */
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

/** The answer from a verified draft, with all of its sentences. */
export function answered(draft: Draft, hits: readonly Hit[]): Answer {
  return compose('answered', partsOf(draft), hits);
}

/**
 * The answer from the best draft that could not be verified completely: only its verified sentences, with a note that
 * others were left out.
 */
export function uncertain(draft: Draft, verdict: Verdict, context: NotesContext): Answer {
  const { hits, language } = context;
  const failed = new Set(verdict.failures.map((failure) => failure.sentence));
  const held = partsOf({ sentences: draft.sentences.filter((_, index) => !failed.has(index)) });
  // A conflict is only shown with both sides.
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

/** An answer that cites several sources, apart from contradictions, is an overview. Any other answer is specific. */
function typeOf(parts: DraftParts): 'specific' | 'overview' {
  return citationsOf({ ...parts, conflicts: [] }).length > 1 ? 'overview' : 'specific';
}

export function reference(source: Source, statements: readonly Statement[]): Answer['sources'][number] {
  const { id, title, section, stand, work, url, path, page, undated } = source;
  const original = {
    ...(url === undefined ? {} : { url }),
    ...(path === undefined ? {} : { path }),
    ...(page === undefined ? {} : { page }),
    ...(undated === undefined ? {} : { undated }),
  };
  const quotes = quotesOf(source, statements);
  return { id, title, section, stand, work, ...original, quotes, text_hash: textHashOf(source) };
}
