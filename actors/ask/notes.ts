import { isOfLaw } from '../../kb/base/about.ts';
import { suggestionFor } from '../../kb/heading.ts';
import type { Language, Source } from '../../kb/source.ts';
import type { Hit } from '../../kb/hit.ts';
import { amendmentName, amends } from '../../kb/answer/amendment.ts';
import { clarification, mayAsk } from './ask-back.ts';
import { findConflicts } from '../../kb/answer/conflicts/conflicts.ts';
import { contradicting } from '../../kb/answer/premise.ts';
import type { Draft, Part } from '../../kb/answer/ports.ts';
import { citationsOf, draftOf, partsOf, type DraftParts, type Statement } from '../../kb/answer/render.ts';
import { squeeze } from '../../kb/answer/source-sentences.ts';
import { askBack, frame, monthName, type FrameContext } from '../../kb/answer/templates.ts';

/** The material of an answer. */
export interface NotesContext {
  readonly language: Language;
  /** Passages in context, best first. */
  readonly hits: readonly Hit[];
  readonly superseded: readonly Source[];
  /** The month of the law that the base describes, `YYYY-MM`; `null` if the base does not say. */
  readonly asOf: string | null;
  /** Whether the base's texts are law; `null` if the base does not say. */
  readonly law: boolean | null;
}

interface NotesInput extends NotesContext {
  readonly question: string;
  readonly parts: readonly Part[];
}

/**
 * Adds to a draft what every answer needs, whoever wrote it: contradictions between sources, the time for which the
 * answer holds, older versions that were set aside, and a question back. The notes are added before verification, so
 * that they are verified like everything else. A sentence that the line of a contradiction quotes appears only there.
 */
export function addNotes(draft: Draft, input: NotesInput): Draft {
  const { question, language, hits } = input;
  const own = partsOf(draft);
  const found = findConflicts(question, hits, own.statements).map((sides) =>
    sides.map((side): Statement => ({ kind: 'statement', text: side.text, citations: [side.source.id] })),
  );
  const conflicts = [...own.conflicts, ...found];
  const quoted = new Set(conflicts.flat().map((statement) => statement.text));
  const statements = own.statements.filter((statement) => !quoted.has(statement.text));
  const cited = citationsOf({ statements, conflicts, frames: [] });
  // A question that asks several things counts as clear.
  const unclear = input.parts.length > 0 ? null : clarification(question, language, hits, cited);
  const back = unclear ?? ownQuestion(draft, input);
  const frames = [
    ...own.frames,
    ...unanswered(draft, cited, input),
    ...notesOn({ statements, conflicts, frames: [] }, input),
    ...(back === null ? [] : [back]),
  ];
  return draftOf({ statements, conflicts, frames: [...new Set(frames)] });
}

/** The parts of a question for which nothing was found or written, with the nearest titles for each. */
function unanswered(
  { sentences }: Draft,
  cited: readonly string[],
  { parts, language }: NotesInput,
): string[] {
  const written = new Set(
    sentences.flatMap((sentence) =>
      sentence.kind === 'statement' ? [sentence.part ?? [], sentence.alsoFor ?? []].flat() : [],
    ),
  );
  const open = parts.filter(({ covered }, i) => !covered || (written.size > 0 && !written.has(i)));
  if (open.length === 0) return [];
  const questions = open.map(({ question }) => question);
  const near = open.flatMap(({ hits: [best] }) => (best !== undefined && isNear(best) ? best.source : []));
  const titles = unique(near.filter(({ id }) => !cited.includes(id)).map(suggestionFor));
  return [
    frame('uncovered', language, questions),
    ...(titles.length === 0 ? [] : [frame('nearest', language, titles)]),
  ];
}

/** The share of the question that a source must contain for its title to be named. */
export const MIN_NEAR = 0.3;

const isNear = ({ match }: Hit): boolean =>
  match !== undefined &&
  match.words.reduce((sum, { weight }, k) => sum + weight * match.found[k]!, 0) >= MIN_NEAR;

/** Returns the question that the writer of the draft asks back, or `null` if there is none or it is not permitted. */
function ownQuestion({ questionBack }: Draft, { question, language, hits }: NotesInput): string | null {
  if (questionBack === undefined) return null;
  const back = squeeze(questionBack);
  return mayAsk(back, question, language, hits) ? askBack(back, language) : null;
}

/** The notes on the sources that these parts cite: contradictions between the sources, and their time. */
export function notesOn(
  parts: DraftParts,
  { hits, superseded, language, asOf, law }: NotesContext,
): string[] {
  const cited = citationsOf(parts);
  const sources = hits.map((hit) => hit.source).filter((source) => cited.includes(source.id));
  return [
    ...(parts.conflicts.length === 0 ? [] : [frame('conflict', language)]),
    ...timeNotes(sources, superseded, language),
    ...(asOf === null ? standNote(sources, law, language) : asOfNote(asOf, language)),
  ];
}

function timeNotes(cited: readonly Source[], superseded: readonly Source[], language: Language): string[] {
  const years = unique(cited.flatMap((source) => source.year ?? []));
  const replaced = superseded.filter((old) =>
    cited.some((source) => source.work === old.work && source.section === old.section),
  );
  const changing = cited.filter((later) => cited.some((earlier) => amends(later, earlier)));
  return [
    ...unique(changing.map(amendmentName)).map((name) => frame('amended', language, [name])),
    ...(replaced.length === 0
      ? []
      : [frame('superseded', language, unique(replaced.map((source) => source.stand)))]),
    ...(years.length === 0 ? [] : [frame('validYears', language, years)]),
  ];
}

/** A note that gives the date of the law that the base describes; empty if the base does not state it. */
export function asOfNote(asOf: string | null, language: Language): string[] {
  return asOf === null ? [] : [frame('asOf', language, [monthName(asOf, language)])];
}

/**
 * A note with the date of the cited sources, if they are no law and state a date themselves. The date of law is that of
 * the base.
 */
function standNote(cited: readonly Source[], law: boolean | null, language: Language): string[] {
  const stands = standsOf(cited, law).map((stand) => monthName(stand, language));
  if (stands.length === 0) return [];
  return [frame(stands.length === 1 ? 'sourceStand' : 'sourceStands', language, stands)];
}

const standsOf = (sources: readonly Source[], law: boolean | null): string[] =>
  unique(
    sources
      .filter((source) => source.undated === undefined && !isOfLaw(law, source))
      .map(({ stand }) => stand),
  );

/**
 * The names, dates and questions that the fixed sentences (frames) of an answer may contain, for their verification.
 */
export function frameContext({
  question,
  parts,
  language,
  hits,
  superseded,
  asOf,
  law,
}: NotesInput): FrameContext {
  const sources = [...hits.map((hit) => hit.source), ...superseded];
  return {
    titles: unique(sources.flatMap((source) => [suggestionFor(source), amendmentName(source)])),
    months: unique(sources.map((source) => source.stand)),
    asOf: asOf === null ? [] : [monthName(asOf, 'de'), monthName(asOf, 'en')],
    stands: standsOf(sources, law).flatMap((stand) => [monthName(stand, 'de'), monthName(stand, 'en')]),
    years: unique(sources.flatMap((source) => source.year ?? [])),
    parts: parts.map((part) => part.question),
    mayAsk: (back) => mayAsk(back, question, language, hits),
    contradicts: (sentence, sourceId) =>
      hits.some(
        ({ source }) =>
          source.id === sourceId &&
          [question, ...parts.map((part) => part.question)].some(
            (asked) => contradicting(asked, language, source) === sentence,
          ),
      ),
  };
}

/** The values without repetitions, sorted as text, which suits months, years and titles. */
function unique<T extends string | number>(values: readonly T[]): T[] {
  return [...new Set(values)].toSorted((a, b) => (a < b ? -1 : Number(a > b)));
}
