import type { RELEVANT as Threshold } from '../../../kb/answer-thresholds.ts';
import type { AskResponse } from '../../../events/messages/knowledge.ts';
import type { Texts } from './languages.ts';

/** How far an answer can be relied on: only `verified` has no reservation. */
type AnswerState =
  | 'verified'
  /** The answer describes an earlier time than the question asks about. */
  | 'dated'
  /** The answer may be about something else than the question. */
  | 'doubtful'
  /** Part of the question is not answered. */
  | 'partial'
  | 'contradictory'
  | 'unverified'
  | 'uncertain'
  /** The question can be read in several ways, and the answer asks which is meant. */
  | 'asking'
  | 'refused';

/** A page can only import types, so the number is repeated here; its type makes a difference a compiler error. */
const RELEVANT: typeof Threshold = 0.5;

/** The most severe reservation. */
export function stateOf(answer: AskResponse): AnswerState {
  return reservationsOf(answer)[0] ?? 'verified';
}

/** The reservations, most severe first. `verified=false` is never shown as a normal answer, whatever the status is. */
function reservationsOf(answer: AskResponse): Exclude<AnswerState, 'verified'>[] {
  const { status, verified, conflicts, question, grounding, clarification_question } = answer;
  const { uncovered, relevance } = grounding;
  if (status === 'refused' && clarification_question !== null) return ['asking'];
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

/** The banner's text: the most severe reservation in short, then a sentence on each. */
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

/** A question with a year asks for the law of that year, any other for the present law. */
const NAMES_YEAR = /\b(?:19|20)\d\d\b(?!\s*(?:€|EUR))/;

/**
 * The date of the law, `YYYY-MM`: that of the knowledge base, or else of the newest cited source that is no document;
 * empty without one.
 */
function asOf({ grounding, sources }: AskResponse): string {
  const files = sources.filter(({ path }) => path === null);
  return grounding.as_of ?? files.reduce((newest, { stand }) => (stand > newest ? stand : newest), '');
}

function aYearAgo(): string {
  const now = new Date();
  return `${now.getUTCFullYear() - 1}-${String(now.getUTCMonth() + 1).padStart(2, '0')}`;
}
