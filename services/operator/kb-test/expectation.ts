import { decodeAny } from '../../../kb/text/decode.ts';
import { rowsOf } from '../../../kb/documents/csv.ts';
import { UsageError } from '../report-failure.ts';

/** The expected answer to a question. */
export interface Expectation {
  readonly question: string;
  /** The ids or paths of all sources that the answer must cite, or `refused`; `null` if there is no expectation. */
  readonly expected: readonly string[] | 'refused' | null;
  /** Words that must all occur in the answer. */
  readonly says: readonly string[];
}

/** The names of the columns, in English and German. */
const NAMES = {
  question: ['question', 'frage'],
  expected: ['expected', 'erwartet'],
  says: ['says', 'sagt'],
} as const;

/** Words for a refusal. */
const REFUSED = ['refused', 'abgelehnt'];

/** Separates several sources or words in one cell. */
const BETWEEN = '|';

/**
 * Reads a table of questions from a spreadsheet: with commas, semicolons or tabs, with or without a byte-order mark.
 *
 * @throws {UsageError} if the file is no such table.
 */
export function readExpectations(bytes: Uint8Array, name: string): Expectation[] {
  const [head = [], ...rows] = rowsOf(decodeAny(bytes) ?? '');
  const named = head.map((cell) => cell.toLowerCase());
  const place = (column: keyof typeof NAMES): number =>
    named.findIndex((cell) => (NAMES[column] as readonly string[]).includes(cell));
  const [question, expected, says] = [place('question'), place('expected'), place('says')];
  if (question < 0 || expected < 0)
    throw new UsageError(`${name} has no columns \`question\` and \`expected\` in its first line`);
  return rows.flatMap((row) => {
    const asked = withoutApostrophe(row[question] ?? '');
    const cell = row[expected] ?? '';
    return asked === ''
      ? []
      : { question: asked, expected: expectedIn(cell), says: partsOf(row[says] ?? '') };
  });
}

function expectedIn(cell: string): Expectation['expected'] {
  if (REFUSED.includes(cell.toLowerCase())) return 'refused';
  const sources = partsOf(cell);
  return sources.length === 0 ? null : sources;
}

const partsOf = (cell: string): string[] =>
  cell
    .split(BETWEEN)
    .map((part) => withoutApostrophe(part.trim()))
    .filter((part) => part !== '');

/** A cell without the apostrophe that `csvRecord` puts before a possible formula. */
const withoutApostrophe = (cell: string): string => cell.replace(/^'(?=[=+\-@＝＋－＠])/u, '');
