/** Where an apostrophe goes: also behind what some spreadsheets take for the end of a cell, quotes or not. */
const FORMULA = /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[;\t\r\n][ \t]*)(?=[=+\-@＝＋－＠])/g;
/** What a terminal would obey; tabs and line ends stay. */
const CONTROLS = /(?![\t\r\n])\p{Cc}/gu;

/** Excel takes UTF-8 for what it is when it begins with this. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * One record of RFC 4180, with its line end. A cell that a spreadsheet would take for a formula gets an apostrophe before
 * it: what people wrote is text (OWASP, CSV injection).
 */
export function csvRecord(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | null): string {
  const text = String(value ?? '').replaceAll(CONTROLS, ' ');
  const harmless = text.replaceAll(FORMULA, "'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
