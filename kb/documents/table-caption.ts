import type { Row, Unit } from './unit.ts';

/** The most lines of a table's caption, and the most characters of a caption that only names a table. */
export const LONGEST_CAPTION = 3;
const LONGEST_TITLE = 120;

/**
 * The caption to repeat in a passage that begins in the middle of a table: the last lines above the table, if they are
 * short.
 */
export function captionOf(lines: readonly string[]): string | undefined {
  const end = lines.findLastIndex(({ length }) => length > LONGEST_TITLE);
  const short = lines.slice(end + 1).slice(-LONGEST_CAPTION);
  return short.length === 0 ? undefined : short.join(' – ');
}

/** Whether a unit above a row is a line of the caption of its table. */
export const isOfCaption = (line: Unit | undefined, { caption }: Row): boolean =>
  line?.kind === 'paragraph' && caption?.includes(line.text) === true;
