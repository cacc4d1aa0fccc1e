const FIGURE =
  /^[-+(]?\s*(?:[€$£]\s*)?\d[\d.,' /:-]*\s*(?:%|€|\$|£|EUR|USD|CHF|GBP|[a-zA-Z]{1,3}|[AP]M)?\)?$/u;
const YEAR = /^(?:19|20)\d{2}$/u;

/** A number, a date or an amount. */
export const isFigure = (text: string): boolean => FIGURE.test(text.trim());

/** Signs up to which a text may be the name of a column. */
const LONGEST_HEAD = 80;

/** Whether a row could name columns: it has at least two different texts, which are words or years. */
export function couldBeHeads(row: readonly string[]): boolean {
  const filled = row.filter((text) => text !== '');
  return (
    filled.length >= 2 &&
    filled.every((text) => text.length <= LONGEST_HEAD && (YEAR.test(text) || !isFigure(text))) &&
    !filled.every((text) => YEAR.test(text)) &&
    new Set(filled).size === filled.length
  );
}

/** How much longer than its name the texts of a column are on average, where that shows that it is one. */
const LONGER = 3;

/**
 * How many rows at the beginning of a table without marked heads name its columns: 1 where the first row could, and a column below it has
 * figures or texts where the first row has a word, else 0.
 */
export function headRows(rows: readonly (readonly string[])[]): 0 | 1 {
  const [first, ...body] = rows;
  if (first === undefined || body.length === 0 || !couldBeHeads(first)) return 0;
  const isHead = first.some((head, column) => {
    const below = body.map((row) => row[column] ?? '').filter((text) => text !== '');
    if (head === '' || below.length === 0) return false;
    if (below.filter(isFigure).length / below.length > 0.7) return true;
    const average = below.reduce((sum, { length }) => sum + length, 0) / below.length;
    return average > LONGER * head.length && below.every(({ length }) => length >= head.length);
  });
  return isHead ? 1 : 0;
}
