/** Matches a cell. As in spreadsheets, a cell with tabs, line breaks or quotation marks is quoted. */
const CELL = /(?:^|(?<=[\t\n]))(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))([\t\n]|$)/g;

/** The rows of a text copied from a spreadsheet, without empty ones; cells are trimmed and on one line. */
export function readTable(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.replaceAll(/\r\n?/g, '\n').matchAll(CELL)) {
    const cell = quoted === undefined ? plain! : quoted.replaceAll('""', '"');
    rows.at(-1)!.push(cell.replaceAll(/\s+/g, ' ').trim());
    if (end === '\n') rows.push([]);
  }
  return rows.filter((cells) => cells.some((cell) => cell !== ''));
}

/** Makes a key of a heading or name: `Grundlohn (März)` becomes `grundlohn_maerz`. */
export function keyOf(words: string): string {
  const spelt: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };
  return words
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => spelt[letter]!)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9_.-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
}
