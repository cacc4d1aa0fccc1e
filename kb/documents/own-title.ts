import { isTitleOfContents } from './contents.ts';
import { endsAsText } from './heading-look.ts';
import { isSectionHead, isUnfinished } from './section-heads.ts';
import type { Heading, Unit } from './unit.ts';

type Line = Extract<Unit, { kind: 'heading' | 'paragraph' }>;

/** Words by which texts of an organisation name their own kind, such as a guide. */
const WORK =
  /(?:satzung|ordnung|richtlinien?|vertrag|vereinbarung|verfügung|statuten?|leitfaden|handbuch|merkblatt|belehrung|konzept|protokoll|niederschrift|(?<=\p{L})antrag|formular|bylaws?|polic(?:y|ies)|constitution|charter|statutes?|guidelines?|regulations?|handbook|manual|minutes)$/iu;
/** How the sentence begins by which a work says on what it is based. */
const PREAMBLE = /^(?:auf ?grund|gemäß|nach|die|der|das|in|im|under|pursuant|the|this|these|diese[rs]?)\s/iu;
/** A title stands among the first units, on one of the first pages. */
const [AMONG_FIRST, LAST_PAGE] = [25, 2];
const LONGEST = 160;
/** A heading with fewer words is no sentence, and may end with an abbreviation. */
const FEW_WORDS = 8;
/** A word with so many letters is the same word in a longer one. */
const LONG_WORD = 5;
/** Headings of what stands before the first chapter of a work. */
const PREFACE =
  /^(?:(?:eidesstattliche|ehrenwörtliche) )?(?:erklärung|vorwort|danksagung|zusammenfassung|kurzfassung|abstract|preface|foreword|acknowledge?ments?|(?:management|executive) summary|introduction|einleitung|einführung)\b/iu;
/** So much of a title that a file has as its property stands in its text, if it is the title of this text. */
const IN_TEXT = 0.8;

/**
 * The title of a printed document: that of the file's properties, unless it is of another text and this text has a title. A file
 * that was made from another one keeps the properties of that.
 *
 * @param names the name of the file and the lines that run over its pages, of which the title may be one
 * @param set the line that is set as the title, by its style or its size
 */
export function ownTitle(
  given: string | undefined,
  units: readonly Unit[],
  names: readonly string[] = [],
  set?: string,
): string | undefined {
  const found = titleIn(units);
  const own = set === undefined || (found !== undefined && namesWork(found)) ? found : set;
  if (given === undefined) return own;
  const texts = units.flatMap(textsOf);
  // A template's title stays in the properties of what was made of it.
  if (!sharesWord(given, [...names, ...texts])) return own;
  if (own === undefined) return given;
  const lines = [...names, ...units.slice(0, AMONG_FIRST).flatMap(textsOf)];
  if (
    isIn(
      given,
      lines.filter((line) => isMostlyIn(line, given)),
    )
  )
    return given;
  // What the text only mentions may be the title of another work, if the text calls itself one.
  return isIn(given, texts) && !namesWork(own) ? given : own;
}

/** Whether a word of the title stands in a text, or a longer word that begins with it: `Urlaub` in `Urlaubsantrag`. */
const sharesWord = (title: string, texts: readonly string[]): boolean => {
  const words = wordsOf(title);
  const isIt = (word: string): boolean =>
    words.some((own) => own === word || (own.length >= LONG_WORD && word.startsWith(own)));
  return words.length === 0 || texts.some((text) => wordsOf(text).some(isIt));
};

/** A number before a heading. That of a work alone has no other beside it: `3. Satzung zur Änderung …`. */
const CHAPTER =
  /^(?:\d{1,2}(?:\.\d{1,2})+\.?\s|\d{1,2}\.?\s|\d{1,2}\.|[a-z]\)\s?|(?:top|tagesordnungspunkt)\s?\d{1,2}[.:]?\s)\p{L}/iu;

const textsOf = (unit: Unit): string[] =>
  unit.kind === 'row' ? unit.cells.map(({ text }) => text) : [unit.text];

function isIn(title: string, texts: readonly string[]): boolean {
  const words = wordsOf(title);
  const all = new Set(texts.flatMap(wordsOf));
  return words.filter((word) => all.has(word)).length >= IN_TEXT * words.length;
}

/** Whether a line says hardly more than the title, or a part of it. */
function isMostlyIn(line: string, title: string): boolean {
  const all = new Set(wordsOf(title));
  const words = wordsOf(line);
  return words.filter((word) => all.has(word)).length >= words.length / 2;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];

function titleIn(units: readonly Unit[]): string | undefined {
  const first = units.findIndex((unit) => unit.kind === 'heading' && isSectionHead(unit.text));
  const chapters = units.filter((unit) => unit.kind === 'heading' && CHAPTER.test(unit.text)) as Heading[];
  /** Whether it is one of several numbered headings of its level, or a preface to them. */
  const isBesideChapters = (line: Heading): boolean =>
    chapters.includes(line)
      ? chapters.filter(({ level }) => level === line.level).length > 1
      : PREFACE.test(line.text) &&
        units.some((unit) => unit !== line && unit.kind === 'heading' && unit.level === line.level);
  const top = units
    .slice(0, first === -1 ? AMONG_FIRST : Math.min(first, AMONG_FIRST))
    .filter((unit): unit is Line => unit.kind === 'heading' || unit.kind === 'paragraph')
    .filter(({ page = 1, text }) => page <= LAST_PAGE && /\p{L}{3}/u.test(text) && !isTitleOfContents(text))
    .filter((line) => line.kind === 'paragraph' || !isBesideChapters(line));
  // Below a text, a heading is that of a part.
  const text = units.findIndex(
    (unit) =>
      unit.kind === 'item' ||
      unit.kind === 'row' ||
      (unit.kind === 'paragraph' && unit.text.length > LONGEST),
  );
  const headings = top.filter((line): line is Heading => line.kind === 'heading' && couldBeTitle(line));
  const line =
    headings.find(({ text }) => namesWork(text)) ??
    headings.find(
      (heading) =>
        heading === units[0] ||
        (heading.level === 1 &&
          (text === -1 || units.indexOf(heading) < text) &&
          (heading === headings[0] || heading.page !== undefined)),
    ) ??
    top.find((each) => couldBeTitle(each) && namesWork(each.text));
  if (line === undefined) return undefined;
  const title = [line.text];
  for (const { text } of top.slice(top.indexOf(line) + 1)) {
    if (!goesOn(title.at(-1)!, text)) break;
    title.push(text);
  }
  return title.join(' ');
}

/** A day alone, which names nothing: `April 28, 2026`, `24. Mai 2022`. */
const DAY = /^(?:\d{1,2}\.?\s)?\p{Lu}\p{L}{2,8}\.?,?\s(?:\d{1,2},?\s)?(?:19|20)\d{2}$/u;

const couldBeTitle = ({ kind, text }: Line): boolean =>
  text.length <= LONGEST &&
  !PREAMBLE.test(text) &&
  !/^\(|_{3}/u.test(text) &&
  !DAY.test(text) &&
  (!endsAsText(text) || (kind === 'heading' && text.endsWith('.') && text.split(' ').length < FEW_WORDS));

/** Whether a text calls itself a work: `Minutes of the Board`, not `Every 3 minutes`. */
const namesWork = (text: string): boolean =>
  text
    .split(/\s+/u)
    .slice(0, 3)
    .some((word, i, words) => WORK.test(word) && !/^\d+$/u.test(words[i - 1] ?? ''));

/** The lines of a title that is set in several: `Satzung`, `über die Abfälle`. */
const goesOn = (above: string, text: string): boolean =>
  text.length <= LONGEST && (/^\p{Ll}/u.test(text) || isUnfinished(above)) && !endsAsText(text);
