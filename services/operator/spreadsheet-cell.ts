/**
 * Where an apostrophe is added: at the beginning, and after characters that some spreadsheets read as the end of a
 * cell, quoted or not.
 */
const FORMULA: Readonly<Record<',' | ';', RegExp>> = {
  ',': /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[;\t\r\n][ \t]*)(?=[=+\-@＝＋－＠])/g,
  ';': /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[,;\t\r\n][ \t]*)(?=[=+\-@＝＋－＠])/g,
};

/**
 * The text with an apostrophe where a spreadsheet would begin to read a formula. Somebody may have written a formula to
 * do harm (OWASP, CSV injection).
 */
export const inert = (text: string, separator: ',' | ';'): string => text.replaceAll(FORMULA[separator], "'");
