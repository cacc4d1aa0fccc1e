const FIGURE = /^[-+(]?\s*(?:[€$£]\s*)?\d[\d.,' /:-]*\s*(?:%|€|\$|£|EUR|USD|[a-zA-Z]{1,3})?\)?$/u;

/** A number, a date or an amount. */
export const isFigure = (text: string): boolean => FIGURE.test(text.trim());

/**
 * How many rows at the beginning of a table without marked heads name its columns: 1 where the first row has words alone and a column
 * below it has figures, else 0.
 */
export function headRows(rows: readonly (readonly string[])[]): 0 | 1 {
  const [first, ...body] = rows;
  if (first === undefined || body.length === 0) return 0;
  const filled = first.filter((text) => text !== '');
  if (filled.length < 2 || filled.some((text) => isFigure(text) || text.length > 80)) return 0;
  if (new Set(filled).size < filled.length) return 0;
  const hasFigures = first.some((head, column) => {
    const below = body.map((row) => row[column] ?? '').filter((text) => text !== '');
    return head !== '' && below.length > 0 && below.filter(isFigure).length / below.length > 0.7;
  });
  return hasFigures ? 1 : 0;
}
