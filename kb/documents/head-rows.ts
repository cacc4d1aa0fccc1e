const FIGURE =
  /^[-+(]?\s*(?:[€$£]\s*)?\d[\d.,' /:-]*\s*(?:%|€|\$|£|EUR|USD|CHF|GBP|[a-zA-Z]{1,3}|[AP]M)?\)?$/u;
const YEAR = /^(?:19|20)\d{2}$/u;

export const isYear = (text: string): boolean => YEAR.test(text);

/** A number, a date or an amount. */
export const isFigure = (text: string): boolean => FIGURE.test(text.trim());

/** A day or a month. */
const DATE =
  /^(?:\d{1,2}\.\s?\d{1,2}\.(?:\d{2}|\d{4})?|\d{4}-\d{2}(?:-\d{2})?|\d{1,2}\/\d{1,2}(?:\/(?:\d{2}|\d{4}))?|(?:\d{1,2}\.?[ -])?(?:jan|feb|mär|mrz|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)\p{L}*\.?(?:[ -]\d{2,4})?)$/iu;

const isDate = (text: string): boolean => isYear(text) || DATE.test(text);

/**
 * The most characters of a column's name; the most of a question in a survey, which tables with at least this many
 * columns may have as names.
 */
const [LONGEST_HEAD, LONGEST_QUESTION, MANY] = [80, 600, 5];

/**
 * Whether a row could name columns: it has at least two different texts, all of them words, years or dates. A row of
 * dates alone names columns only if its first cell is empty, and the columns have no dates themselves.
 */
export function couldBeHeads(row: readonly string[], below: readonly (readonly string[])[] = []): boolean {
  const filled = row.filter((text) => text !== '');
  const long = filled.filter(({ length }) => length > LONGEST_HEAD).length;
  return (
    filled.length >= 2 &&
    (long === 0 ||
      (filled.length >= MANY && long < filled.length / 2 && below.some((each) => each.some(isFigure)))) &&
    filled.every((text) => text.length <= LONGEST_QUESTION && (isDate(text) || !isFigure(text))) &&
    (row[0] === '' || !isDate(filled[0]!) || !filled.every(isDate)) &&
    !row.some((text, i) => DATE.test(text) && below.some((each) => DATE.test(each[i] ?? ''))) &&
    (new Set(filled).size === filled.length || areNamesTwice(filled, below))
  );
}

/** Whether a row with some texts twice names columns: two tables side by side may have a name in common, but no row below has it. */
const areNamesTwice = (filled: readonly string[], below: readonly (readonly string[])[]): boolean =>
  below.length > 0 &&
  new Set(filled).size >= Math.max(MANY, filled.length / 2) &&
  !below.some((each) => each.some((text) => filled.includes(text)));

/**
 * The texts of a column must be longer than its name by this factor, on average, so that the name can be told from
 * them.
 */
const LONGER = 3;
/** So many texts below its name tell a column of two from what the left one names. */
const ENOUGH_BELOW = 3;

/**
 * The number of rows that name columns in a table without marked heads: 1 if the first row could name columns, and a
 * column below it has figures or longer texts; otherwise 0.
 */
export function headRows(rows: readonly (readonly string[])[]): 0 | 1 {
  const [first, ...body] = rows;
  if (first === undefined || body.length === 0 || !couldBeHeads(first, body)) return 0;
  const isHead = first.some((head, column) => {
    const below = body.map((row) => row[column] ?? '').filter((text) => text !== '');
    if (head === '' || below.length === 0) return false;
    if (below.filter(isFigure).length / below.length > 0.7) return true;
    // Of two columns, the left one may name what is beside it: `Project | A new shop`. Names of columns are a word each, or far
    // shorter than all that is below: `Term | Meaning in the contract`.
    if (first.length === 2 && column === 1 && !first.every((each) => /^\p{L}+$/u.test(each)))
      return below.length >= ENOUGH_BELOW && below.every(({ length }) => length >= LONGER * head.length);
    const average = below.reduce((sum, { length }) => sum + length, 0) / below.length;
    return average > LONGER * head.length && below.every(({ length }) => length >= head.length);
  });
  return isHead ? 1 : 0;
}
