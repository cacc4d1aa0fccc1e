/** The characters of TeX's own fonts at codes that are no letters in other fonts, for PDFs that do not explain them. */
const OF_TEX: ReadonlyMap<number, string> = new Map([
  [0x0b, 'ff'],
  [0x0c, 'fi'],
  [0x0e, 'ffi'],
  [0x0f, 'ffl'],
  [0x10, '“'],
  [0x11, '”'],
  [0x12, '„'],
  [0x15, '–'],
  [0x16, '—'],
  [0x1b, 'ff'],
  [0x1c, 'fi'],
  [0x1d, 'fl'],
  [0x1e, 'ffi'],
  [0x1f, 'ffl'],
  [0x9f, '§'],
]);
/**
 * Whether a code shows that a page has a font of TeX that the file does not explain. Such a font has `ß` at the code of
 * `ÿ`.
 */
export const isOfTex = (code: number): boolean => OF_TEX.has(code);
export const inTex = (text: string): string => (text === 'ÿ' ? 'ß' : text);

/** The character by which PDFium replaces the hyphen at the end of a line. */
const HYPHEN = 2;

/** The character that a reader sees for a code of PDFium; empty for a sign without meaning. */
export function characterOf(code: number): string {
  if (code === HYPHEN) return '-';
  const ofTex = OF_TEX.get(code);
  if (ofTex !== undefined) return ofTex;
  return code < 0x20 || code === 0xfffe || code === 0xffff ? '' : String.fromCodePoint(code);
}
