import { isUtf8 } from 'node:buffer';

/** The upper half of DOS code page 850. Code page 437 differs only in signs that are rare in texts. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0';

/** In code page 437 the paragraph sign is the control character 21. */
const DOS_PARAGRAPH = '\u0015';

/** The code pages, the most likely first. The first one is used if the evidence for several is equal. */
const PAGES = {
  'Windows-1252': (bytes) => new TextDecoder('windows-1252').decode(bytes),
  'Mac Roman': (bytes) => new TextDecoder('macintosh').decode(bytes),
  'code page 850': (bytes) =>
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\u0080-\u00FF]/gu, (char) => CP850[char.charCodeAt(0) - 0x80]!)
      .replaceAll(DOS_PARAGRAPH, '§'),
} satisfies Record<string, (bytes: Uint8Array) => string>;

const SIGNS = /[\u0080-\u{10FFFF}]/gu;
const LETTER = /\p{L}/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;

/** The least evidence that a text in a code page must have, on average for each byte that is not ASCII. */
const LEAST = 0.2;

/**
 * The text of bytes that are not UTF-8, in the code page with the most evidence in the whole text: a sign within a word
 * is evidence against a code page, a German letter is evidence for it. A line of valid UTF-8 is read as UTF-8, because
 * a file may be joined from two files.
 *
 * @returns `undefined` if no code page gives a text of a western European language
 */
export function decodeByEvidence(bytes: Uint8Array): string | undefined {
  const wide = utf16Of(bytes);
  if (wide !== undefined) return wide;
  // No text in any of these code pages contains this character.
  if (bytes.includes(0)) return undefined;
  const lines = linesOf(bytes);
  const others = Buffer.concat(lines.filter((line) => !isOfUtf8(line)));
  const read = Object.values(PAGES).map((page) => ({ page, evidence: evidenceOf(page(others)) }));
  const best = read.reduce((one, other) => (other.evidence > one.evidence ? other : one));
  const signs = others.filter((byte) => byte >= 0x80).length;
  // A few signs are no evidence, and at worst a few signs are wrong.
  if (signs > 3 && best.evidence < LEAST * signs) return undefined;
  return lines.map((line) => (isOfUtf8(line) ? line.toString('utf8') : best.page(line))).join('');
}

const isOfUtf8 = (line: Buffer): boolean => isUtf8(line) && !line.includes(DOS_PARAGRAPH);

/** The lines of the bytes, with their line ends. */
function linesOf(bytes: Uint8Array): Buffer[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Buffer[] = [];
  for (let begin = 0; begin < buffer.length;) {
    const end = buffer.indexOf(0x0a, begin) + 1 || buffer.length;
    lines.push(buffer.subarray(begin, end));
    begin = end;
  }
  return lines;
}

/** Fewer characters are not enough evidence for UTF-16. */
const LEAST_WIDE = 8;

/** The text of UTF-16 without a byte-order mark: in western text every second byte is 0. */
function utf16Of(bytes: Uint8Array): string | undefined {
  if (bytes.length % 2 === 1 || bytes.length < 2 * LEAST_WIDE) return undefined;
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  const half = bytes.length / 2;
  if (Math.max(even, odd) < half * 0.7 || Math.min(even, odd) > half * 0.02) return undefined;
  return new TextDecoder(even > odd ? 'utf-16be' : 'utf-16le').decode(bytes);
}

function evidenceOf(text: string): number {
  let evidence = 0;
  for (const { 0: sign, index } of text.matchAll(SIGNS)) {
    evidence += weightOf(sign, text[index - 1] ?? ' ', text[index + 1] ?? ' ');
  }
  return evidence;
}

const GERMAN = new Set('äöüßÄÖÜ');
const ACCENTED = new Set('éèêëáàâãåçñóòôõîïíìúùûøæœšžýÿÉÈÁÀÂÅÇÑÓÔØÆŒŠŽ');
/** Signs that occur between words or beside figures. */
const BESIDE = new Set('§“”‘»«‹›–—…•°€£©®™±×½¼²³µ¦¿¡\u00A0');
/** Signs that begin a quotation. */
const OPENING = new Set('„‚');

/** How likely the character is in a text between these two characters. */
function weightOf(sign: string, before: string, after: string): number {
  // `§§` becomes `ßß` in a wrong code page, which no word contains.
  const isAfterLetter = before !== sign && LETTER.test(before);
  const isBeforeLetter = after !== sign && LETTER.test(after);
  if (sign === '’') return isAfterLetter ? 2 : 0.5;
  if (OPENING.has(sign)) return isAfterLetter ? -2 : 1;
  if (sign === '\u00AD' || sign === '·') return isAfterLetter ? 0.5 : -0.5;
  if (BESIDE.has(sign)) return isAfterLetter && isBeforeLetter && !'–—…\u00A0'.includes(sign) ? -2 : 1;
  const isKnown = GERMAN.has(sign) || ACCENTED.has(sign);
  if (!isKnown) return -2;
  const isCapitalWithin = UPPER.test(sign) && LOWER.test(before);
  const isSmallBeforeCapital = LOWER.test(sign) && UPPER.test(after) && !UPPER.test(before);
  if ((!isAfterLetter && !isBeforeLetter) || isCapitalWithin || isSmallBeforeCapital) return -1;
  return GERMAN.has(sign) ? 2 : 0.5;
}
