import type { AskResponse } from '../../../events/messages/knowledge.ts';
import type { Texts } from './languages.ts';

/** How far an answer can be relied on: `verified` alone is without a reservation. */
export type AnswerState =
  | 'verified'
  /** It is of an earlier time than it was asked about. */
  | 'dated'
  /** It may not be about what was asked. */
  | 'doubtful'
  /** A part of the question is not covered. */
  | 'partial'
  | 'contradictory'
  | 'unverified'
  | 'uncertain'
  | 'refused';

/** The value in `kb/answer-thresholds.ts`: a page can import types from there, and no values. */
const RELEVANT = 0.5;

/** The gravest reservation. */
export function stateOf(answer: AskResponse): AnswerState {
  return reservationsOf(answer)[0] ?? 'verified';
}

/** The gravest first. `verified=false` is never shown as a normal answer, whatever the status says. */
function reservationsOf(answer: AskResponse): Exclude<AnswerState, 'verified'>[] {
  const { status, verified, conflicts, question, grounding } = answer;
  const { uncovered, relevance } = grounding;
  if (status !== 'answered') return [status];
  if (!verified) return ['unverified'];
  const stand = asOf(answer);
  const reservations = {
    contradictory: conflicts.length > 0,
    partial: uncovered !== null,
    doubtful: relevance !== null && relevance < RELEVANT,
    dated: stand !== '' && stand < aYearAgo() && !NAMES_YEAR.test(question),
  };
  const all = ['contradictory', 'partial', 'doubtful', 'dated'] as const;
  return all.filter((reservation) => reservations[reservation]);
}

/** In these words: the gravest reservation in a few of them, then a sentence on each. */
export function bannerOf(
  answer: AskResponse,
  words: Texts,
  monthOf: (month: string) => string,
): { title: string; note: string } {
  const reservations = reservationsOf(answer);
  const notes = reservations.map((state) =>
    state === 'dated' ? datedNote(answer, words, monthOf) : words[`${state}Note`],
  );
  return { title: words[reservations[0] ?? 'verified'], note: notes.join(' ') || words.verifiedNote };
}

function datedNote(answer: AskResponse, words: Texts, monthOf: (month: string) => string): string {
  const month = monthOf(asOf(answer));
  return answer.grounding.as_of === null ? words.oldNote(month) : words.datedNote(month);
}

/** Who names a year wants the law of that year; who names none, today's. */
const NAMES_YEAR = /\b(?:19|20)\d\d\b(?!\s*(?:€|EUR))/;

/** `YYYY-MM`: what the knowledge base says of itself, or else the newest of the sources; empty where nothing says. A document's date says little. */
function asOf({ grounding, sources }: AskResponse): string {
  const files = sources.filter(({ path }) => path === null);
  return grounding.as_of ?? files.reduce((newest, { stand }) => (stand > newest ? stand : newest), '');
}

function aYearAgo(): string {
  const now = new Date();
  return `${now.getUTCFullYear() - 1}-${String(now.getUTCMonth() + 1).padStart(2, '0')}`;
}
