/** What TeX's own fonts hold at places that have no letter elsewhere, where a PDF does not say what they are. */
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
/** Whether a page has a font of TeX that the file does not explain, in which `ß` stands at the place of `ÿ`. */
export const isOfTex = (code: number): boolean => OF_TEX.has(code);
export const inTex = (text: string): string => (text === 'ÿ' ? 'ß' : text);

/** PDFium replaces the hyphen at the end of a line by this character. */
const HYPHEN = 2;

/** What a reader sees of a character of PDFium; empty for a sign without meaning. */
export function characterOf(code: number): string {
  if (code === HYPHEN) return '-';
  const ofTex = OF_TEX.get(code);
  if (ofTex !== undefined) return ofTex;
  return code < 0x20 || code === 0xfffe || code === 0xffff ? '' : String.fromCodePoint(code);
}
