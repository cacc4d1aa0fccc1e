import { personalDataIn } from '../../foundation/personal-data.ts';
import { csvRecord } from '../feedback/export-formats.ts';
import type { Answered } from '../gaps/read-answers.ts';

/** A draft of a file for `beleg kb test`, with the number of questions that need a person or were left out. */
interface Begun {
  readonly csv: string;
  readonly expected: number;
  readonly open: number;
  /** Questions that seem to have personal data, or whose text was erased. */
  readonly leftOut: number;
}

/**
 * Drafts a file from answers. An answer that was rated up is the expectation. For an answer that was rated down a
 * person has to write it.
 */
export function beginFromFeedback(answers: readonly Answered[]): Begun {
  const rated = answers.filter(({ rating }) => rating !== null);
  // The rows by question; the newest is last.
  const rows = new Map<string, readonly [string, string, string, string]>();
  let leftOut = 0;
  for (const { question, rating, status, decisive, citations, feedback } of rated) {
    const asked = question?.replaceAll(/\s+/gu, ' ').trim();
    if (asked === undefined || personalDataIn(asked).length > 0) {
      leftOut += 1;
      continue;
    }
    const rests = (decisive.length > 0 ? decisive : citations).join('|');
    const was = status === 'refused' ? 'refused' : rests;
    const note = rating === 'up' ? '' : `rated down: ${was}${feedback === null ? '' : `; ${feedback}`}`;
    rows.set(asked.toLowerCase(), [asked, rating === 'up' ? was : '', '', note]);
  }
  const all = [...rows.values()];
  return {
    csv: [['question', 'expected', 'says', 'note'], ...all].map((row) => csvRecord(row, ',')).join(''),
    expected: all.filter(([, expected]) => expected !== '').length,
    open: all.filter(([, expected]) => expected === '').length,
    leftOut,
  };
}
