/** A cell with tabs, line breaks or quotation marks in it is quoted, as spreadsheets do. */
const CELL = /(?:^|(?<=[\t\n]))(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))([\t\n]|$)/g;

/** Rows of cells of a text copied out of a spreadsheet, without empty rows; cells are of one line and trimmed. */
export function readTable(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.replaceAll(/\r\n?/g, '\n').matchAll(CELL)) {
    const cell = quoted === undefined ? plain! : quoted.replaceAll('""', '"');
    rows.at(-1)!.push(cell.replaceAll(/\s+/g, ' ').trim());
    if (end === '\n') rows.push([]);
  }
  return rows.filter((cells) => cells.some((cell) => cell !== ''));
}

/** The key that a heading or a name makes: `Grundlohn (März)` is `grundlohn_maerz`. */
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
