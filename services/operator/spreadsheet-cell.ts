/** Where an apostrophe is added: also after what some spreadsheets read as the end of a cell, quoted or not. */
const FORMULA: Readonly<Record<',' | ';', RegExp>> = {
  ',': /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[;\t\r\n][ \t]*)(?=[=+\-@＝＋－＠])/g,
  ';': /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[,;\t\r\n][ \t]*)(?=[=+\-@＝＋－＠])/g,
};

/**
 * The text with an apostrophe where a spreadsheet would begin to read a formula, because people may have written it to do harm
 * (OWASP, CSV injection).
 */
export const inert = (text: string, separator: ',' | ';'): string => text.replaceAll(FORMULA[separator], "'");
