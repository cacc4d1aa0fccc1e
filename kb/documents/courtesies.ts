import type { Unit } from './unit.ts';

/** A greeting such as `Liebe Kolleginnen und Kollegen,`, alone in a paragraph. */
const GREETING =
  /^(?:hallo|hi|hey|moin|servus|guten (?:tag|morgen|abend)|grüß gott|liebe[rs]?|sehr geehrte[rs]?|dear|hello|good (?:morning|afternoon|evening))(?: [^.?:;]{1,70})?[,!]?$/iu;
/** A greeting within a text ends with these signs, or has no more than these words. */
const GREETING_LINE = /[,!]$|^\S+(?: tag| morgen| abend| gott| morning| afternoon| evening)?$/iu;
const REGARDS =
  '(?:mit )?(?:freundliche[nm]?|beste[nm]?|herzliche[nm]?|vielen?|liebe[nr]?|schönen?) gr(?:üße?|uß|üssen?|uss|üßen)|gr(?:üße|uß)|hochachtungsvoll|(?:(?:kind|best|warm) )?regards|best wishes|(?:yours )?(?:sincerely|faithfully)';
const SHORT = 'mfg|lg|vg|br';
const NAME = '(?-i: \\p{Lu}[\\p{L}.-]*){1,3}';
/** A closing such as `Viele Grüße`, with at most a name. */
const CLOSING = new RegExp(
  `^(?:(?:${REGARDS}|best|cheers),? [^.?!:;]{1,60}|(?:${REGARDS}|best|cheers|${SHORT})[,!.]?|(?:${SHORT}),?${NAME})$`,
  'iu',
);
/** A closing in a line of a text. */
const CLOSING_LINE = new RegExp(
  `^(?:(?:${REGARDS}|best|cheers|${SHORT})[,!.]?|(?:${REGARDS}|${SHORT}),?${NAME})$`,
  'iu',
);
/** Thanks that close a letter if only names follow. */
const THANKS =
  /^(?:(?:many |best )?thanks(?: a lot| again| in advance| so much)?|thank you(?: very much| again| in advance)?|(?:(?:vielen|besten|herzlichen) )?dank(?: im voraus| vorab)?|danke(?: schön| im voraus| vorab)?)(?:,? (?:and|und) [^.?!:;]{0,30}(?:regards|grüße))?[,!.]?$/iu;
/** A greeting is among this many units at the beginning, because a name or the title of a letter may come first. */
const LAST_GREETING = 3;
const POSTSCRIPT = /^p\. ?s\.|^ps:/iu;
/** The most paragraphs of a signature below a closing, and the most words of a name. */
const [LONGEST_SIGNATURE, LONGEST_NAME] = [15, 5];

/** Whether a line of a text is a greeting, a closing or the writer's name, although no empty line sets it apart. */
export const isCourtesyLine = (line: string, writer: string): boolean =>
  (GREETING.test(line) && GREETING_LINE.test(line)) ||
  CLOSING_LINE.test(line) ||
  THANKS.test(line) ||
  isNameOf(line, writer);

const isParagraph = (unit: Unit | undefined, form: RegExp): boolean =>
  unit?.kind === 'paragraph' && form.test(unit.text);

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** Whether a text is a name, or the first or last part of it, as `~Anna` is of `Anna Berg`. */
function isNameOf(text: string, name: string): boolean {
  const words = wordsOf(text);
  const known = wordsOf(name);
  return words.length > 0 && words.every((word) => known.includes(word));
}

const isName = (unit: Unit): boolean =>
  unit.kind === 'paragraph' && wordsOf(unit.text).length <= LONGEST_NAME && !/[.?!:;]$/u.test(unit.text);

/** Whether the text continues below a closing: with a postscript, or with a paragraph that ends like a sentence. */
const goesOn = (unit: Unit): boolean =>
  unit.kind === 'paragraph' &&
  (POSTSCRIPT.test(unit.text) || (/[.!?]$/u.test(unit.text) && unit.text.split(/\s+/u).length >= 5));

/**
 * Leaves out the greeting of a letter, and the closing with everything below it until the text continues, and counts
 * them.
 *
 * @param writer the name of the writer, with which a letter may also close.
 */
export function withoutCourtesies(
  units: readonly Unit[],
  writer: string,
  count: (why: string) => void,
): readonly Unit[] {
  const greeting = units.slice(0, LAST_GREETING).findIndex((unit) => isParagraph(unit, GREETING));
  const own = units.filter((_, i) => i !== greeting);
  if (greeting !== -1) count('greeting');
  const at = closingOf(own, writer);
  if (at === -1) return own;
  const after = own.slice(at);
  const next = after.findIndex((unit, place) => place > 0 && goesOn(unit));
  const length = next === -1 ? after.length : next;
  if (length > LONGEST_SIGNATURE) return own;
  count('signature');
  return [...own.slice(0, at), ...after.slice(length)];
}

/** The index at which a letter closes: with regards, or with thanks or the writer's own name if only names follow. */
function closingOf(units: readonly Unit[], writer: string): number {
  const regards = units.findLastIndex((unit) => isParagraph(unit, CLOSING));
  if (regards !== -1) return regards;
  const named = units.findLastIndex((unit) => !isName(unit)) + 1;
  if (isParagraph(units[named - 1], THANKS)) return named - 1;
  // Names below a line that ends with a colon are a list and not a signature.
  if (isParagraph(units[named - 1], /:$/u)) return -1;
  const closes = (unit: Unit): boolean =>
    isParagraph(unit, THANKS) || (unit.kind === 'paragraph' && isNameOf(unit.text, writer));
  return units.findIndex((unit, i) => i >= named && closes(unit));
}
