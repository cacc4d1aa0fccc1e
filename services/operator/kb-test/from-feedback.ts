import { personalDataIn } from '../../foundation/personal-data.ts';
import { csvRecord } from '../feedback/export-formats.ts';
import type { Answered } from '../gaps/read-answers.ts';

/** A file for `beleg kb test` in its first form, and how many questions of it wait for a person, or were left out. */
export interface Begun {
  readonly csv: string;
  readonly expected: number;
  readonly open: number;
  /** They seem to hold personal data, or their text is gone. */
  readonly leftOut: number;
}

/** Who rated an answer up has said what is expected. Of one that was rated down a person has to say what would be right. */
export function beginFromFeedback(answers: readonly Answered[]): Begun {
  const rated = answers.filter(({ rating }) => rating !== null);
  // The rows by their question, the newest last.
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
