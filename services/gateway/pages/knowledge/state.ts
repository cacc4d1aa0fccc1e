import type { AskResponse } from '../../../../events/messages/knowledge.ts';

/** How far an answer can be relied on: `verified` alone is without a reservation. */
export type AnswerState =
  | 'verified'
  /** Its law is of an earlier time than it was asked about. */
  | 'dated'
  /** It may not be about what was asked. */
  | 'doubtful'
  /** A part of the question is not covered. */
  | 'partial'
  | 'contradictory'
  | 'unverified'
  | 'uncertain'
  | 'refused';

/** Below this it is more likely than not that the answer is about something else. */
export const RELEVANT = 0.5;

/** The gravest reservation. `verified=false` is never shown as a normal answer, whatever the status says. */
export function stateOf(answer: AskResponse): AnswerState {
  const { status, verified, conflicts, question } = answer;
  const { uncovered, relevance } = answer.grounding;
  if (status !== 'answered') return status;
  if (!verified) return 'unverified';
  if (conflicts.length > 0) return 'contradictory';
  if (uncovered !== null) return 'partial';
  if (relevance !== null && relevance < RELEVANT) return 'doubtful';
  const law = lawAsOf(answer);
  return law !== '' && law < aYearAgo() && !NAMES_YEAR.test(question) ? 'dated' : 'verified';
}

/** Who names a year wants the law of that year; who names none, today's. */
const NAMES_YEAR = /\b(?:19|20)\d\d\b(?!\s*(?:€|EUR))/;

/** `YYYY-MM`: what the knowledge base says of itself, or else the newest of the sources; empty where nothing says. */
export function lawAsOf({ grounding, sources }: AskResponse): string {
  return grounding.as_of ?? sources.reduce((newest, { stand }) => (stand > newest ? stand : newest), '');
}

function aYearAgo(): string {
  const now = new Date();
  return `${now.getUTCFullYear() - 1}-${String(now.getUTCMonth() + 1).padStart(2, '0')}`;
}
