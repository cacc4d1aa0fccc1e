import type { Row } from './rows.ts';

/** What was answered, as far as it is judged. */
export interface Given {
  readonly status: 'answered' | 'refused' | 'uncertain';
  readonly answer: string;
  readonly citations: readonly string[];
  /** Its own estimate that it answers; `null` where it makes none. */
  readonly relevance: number | null;
}

export interface Judged {
  readonly row: Row;
  readonly outcome: 'complete' | 'partly' | 'none' | 'refused';
  /** Cites a source that does not belong into an answer. */
  readonly offPoint: boolean;
  readonly misleading: boolean;
  readonly relevance: number | null;
}

/** Holds an answer against the key of its question. */
export function judge(row: Row, given: Given): Judged {
  const refused = given.status === 'refused';
  const text = quotedText(given.answer);
  const held = row.facts.filter((patterns) => patterns.some((pattern) => pattern.test(text))).length;
  const outcome = (): Judged['outcome'] => {
    if (refused) return 'refused';
    if (held === 0) return 'none';
    return held === row.facts.length ? 'complete' : 'partly';
  };
  return {
    row,
    outcome: outcome(),
    offPoint:
      !refused && row.expect === 'answered' && given.citations.some((id) => !row.may_cite.includes(id)),
    misleading: !refused && row.misleading.some((pattern) => pattern.test(text)),
    relevance: refused ? null : given.relevance,
  };
}

const CITATIONS = /(?:\[[A-Za-z0-9][\w.-]{0,63}\])+/gu;

/** What an answer quotes: its text up to the last citation, without citations, white space squeezed. */
export function quotedText(answer: string): string {
  const last = [...answer.matchAll(CITATIONS)].at(-1);
  const quoted = last === undefined ? answer : answer.slice(0, last.index);
  return quoted.replaceAll(CITATIONS, ' ').replaceAll(/\s+/gu, ' ').trim();
}
