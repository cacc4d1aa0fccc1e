import type { Page } from './pdfium.ts';
import { lineNumbersOf } from './line-numbers.ts';
import { isLonePageNumber, PAGE_WORD } from './running-alone.ts';
import { stripsOf } from './running-strips.ts';
import { linesOf, segment, segmentsOf, textOf } from './segments.ts';
import { usualSize, type Word } from './words.ts';

/** A page without the lines that are repeated on every page. */
export interface Bare {
  readonly page: Page;
  readonly words: readonly Word[];
}

export interface Running {
  readonly pages: readonly Bare[];
  readonly runningHeads: number;
  readonly pageNumbers: number;
  /** The texts of the running heads, each once. */
  readonly texts: readonly string[];
  /** The number of line numbers in margins. */
  readonly lineNumbers: number;
}

/** The share of the page's height, at the top and at the bottom, that counts as margin. */
const MARGIN = 0.16;
/** This many outermost lines of a margin may be running heads. */
const OUTERMOST = 4;
/** In points: a running head is at the same position on each page, with less difference than this. */
const SAME_PLACE = 5;
const PAGE_NUMBER = new RegExp(
  String.raw`^[-–—[( ]*(?:${PAGE_WORD}|[sp]\.\s*)?(?:\d{1,4}|(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3}))(?:\s*(?:\/|von|of|-|–)\s*\d{1,4}|\s*\|\s*${PAGE_WORD})?[-–—\]) ]*$`,
  'iu',
);

interface Candidate {
  readonly index: number;
  readonly words: readonly Word[];
  readonly text: string;
  /** The text with `#` for each number. */
  readonly shape: string;
  readonly baseline: number;
  readonly isAtTop: boolean;
  /**
   * The differences between page numbers in the line and the index of the page, if the numbers are apart from the other
   * text of the line.
   */
  readonly offsets: readonly number[];
  /** Whether a page number apart from the other text has the word for it: `Seite 1092`. */
  readonly isNamed: boolean;
  /** Whether the line is a page number by its look and position, whatever other pages have. */
  readonly isLone: boolean;
}

/** The title of a slide is in type larger than this multiple of its text's size. */
const TITLE = 1.2;

/** The lines in one margin of a page, from the edge inwards. */
type Margin = readonly Candidate[];

/**
 * A page number or a chapter's name must be at the same position on this many pages before its line counts as running.
 */
const ENOUGH_NUMBERED = 3;

/**
 * Removes running heads, footers and page numbers: lines at the same position, equal except for numbers, on
 * neighbouring pages or on a quarter of all pages, from the edge inwards. A line with a page number is removed whatever
 * else it has, such as the name of the chapter. So is a line with the name of its page's chapter. Running heads may
 * also be beside the text, and so may line numbers.
 */
export function withoutRunning(pages: readonly Page[], areSlides: boolean): Running {
  const margins = pages.flatMap((page, index) => marginsOf(page, index));
  const all = margins.flat();
  const same = Map.groupBy(all, ({ shape }) => shape);
  const offsets = Map.groupBy(
    all.filter(({ text }) => PAGE_NUMBER.test(text)),
    (candidate) => offsetOf(candidate),
  );
  const enough = pages.length < 4 ? 2 : Math.max(3, pages.length / 4);
  const isPageNumber = (candidate: Candidate): boolean =>
    PAGE_NUMBER.test(candidate.text) &&
    (candidate.isLone ||
      (pages.length > 1 &&
        (new Set(offsets.get(offsetOf(candidate))!.map(({ index }) => index)).size >= 2 ||
          offsetOf(candidate) === 1)));
  const numbered = Map.groupBy(
    all.flatMap((candidate) => candidate.offsets.map((offset) => ({ ...candidate, offset }))),
    ({ offset }) => offset,
  );
  const isNumbered = (candidate: Candidate): boolean =>
    candidate.offsets.some((offset) => {
      const there = numbered.get(offset)!.filter((each) => isSameHeight(each, candidate));
      return new Set(there.map(({ index }) => index)).size >= ENOUGH_NUMBERED;
    });
  const bodies = pages.map(({ words }) => usualSize(words));
  /** Whether a line is the title of a slide. Several slides in a row may have one title. */
  const isTitle = ({ words, index }: Candidate): boolean =>
    areSlides && usualSize(words) > TITLE * bodies[index]!;
  const isChapter = chaptersIn(pages, all);
  const isRunning = (candidate: Candidate): boolean => {
    if (isTitle(candidate)) return false;
    if (isNumbered(candidate) || candidate.isNamed || isChapter(candidate)) return true;
    if (!/\p{L}{2}/u.test(candidate.shape)) return false;
    // At the top, a line with text at many positions is the head of a continued table.
    if (candidate.isAtTop && segmentsOf(candidate.words, 1, []).length >= 4) return false;
    const there = new Set(
      same
        .get(candidate.shape)!
        .filter((each) => isSameHeight(each, candidate))
        .map(({ index }) => index),
    );
    // A form that many people fill in has an equal line on every third page or later; a running head comes again on the
    // next page or the one after.
    if (![1, 2].some((by) => there.has(candidate.index - by) || there.has(candidate.index + by)))
      return false;
    // Three pages near each other are enough for a head with the name of the chapter.
    const near = [...there].filter((index) => Math.abs(index - candidate.index) <= 4).length;
    return there.size >= enough || near >= 3;
  };
  const dropped = new Set<Word>();
  const texts = new Map<string, string>();
  let [runningHeads, pageNumbers] = [0, 0];
  for (const margin of margins) {
    let isOutermost = true;
    for (const candidate of margin) {
      if (isPageNumber(candidate) && (isOutermost || isNumbered(candidate))) pageNumbers += 1;
      else if (isOutermost && isRunning(candidate)) {
        runningHeads += 1;
        texts.set(candidate.shape, candidate.text);
      } else {
        isOutermost = false;
        continue;
      }
      for (const word of candidate.words) dropped.add(word);
    }
  }
  const bare = pages.map((page) => ({ page, words: page.words.filter((word) => !dropped.has(word)) }));
  const lineNumbers = lineNumbersOf(bare.map(({ words }) => words));
  const strips = stripsOf(bare.map(({ words }) => words));
  return {
    pages: bare.map(({ page, words }, index) => ({
      page,
      words: words.filter((word) => !strips[index]!.has(word) && !lineNumbers.has(word)),
    })),
    runningHeads: runningHeads + strips.filter(({ size }) => size > 0).length,
    pageNumbers,
    texts: [...texts.values()],
    lineNumbers: lineNumbers.size,
  };
}

/** Finds lines at the top that repeat an earlier heading in smaller type, at one position on several pages. */
function chaptersIn(pages: readonly Page[], all: readonly Candidate[]): (candidate: Candidate) => boolean {
  const headings = pages.flatMap(({ words }, index) => {
    const body = usualSize(words);
    return linesOf(words)
      .filter((line) => usualSize(line) > TITLE * body)
      .map((line) => ({ index, size: usualSize(line), letters: lettersOf(textOf(line)) }));
  });
  const same = Map.groupBy(headings, ({ letters }) => letters);
  const again = all.filter(({ text, words, index, isAtTop }) =>
    isAtTop
      ? same
          .get(lettersOf(text))
          ?.some((heading) => heading.index <= index && heading.size > TITLE * usualSize(words))
      : false,
  );
  const onPages = (line: Candidate): number =>
    new Set(again.filter((each) => isSameHeight(each, line)).map(({ index }) => index)).size;
  const running = new Set(again.filter((line) => onPages(line) >= ENOUGH_NUMBERED));
  return (candidate) => running.has(candidate);
}

const isSameHeight = (a: Candidate, b: Candidate): boolean => Math.abs(a.baseline - b.baseline) < SAME_PLACE;

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/\P{L}/gu, '');

/** The difference between a page's printed number and its index in the file. */
const offsetOf = ({ text, index }: Candidate): number | string => {
  const number = /\d+/u.exec(text)?.[0];
  return number === undefined ? 'roman' : Number(number) - index;
};

function marginsOf(page: Page, index: number): Margin[] {
  const lines = linesOf(page.words)
    .flatMap(withNumberApart)
    .map((line) => candidateOf(line, index, page.height))
    .sort((a, b) => a.baseline - b.baseline);
  const texts = lines.map(({ words }) => segment(words));
  const upper = lines.filter(({ baseline }) => baseline < MARGIN * page.height).slice(0, OUTERMOST);
  const lower = lines.filter(({ baseline }) => baseline > (1 - MARGIN) * page.height).reverse();
  return [
    upper.map((line, i) => ({ ...line, isLone: isLonePageNumber(texts.slice(i), page.width) })),
    lower.slice(0, OUTERMOST).map((line, i) => ({
      ...line,
      isLone: isLonePageNumber(texts.slice(0, texts.length - i).reverse(), page.width),
    })),
  ];
}

/** A page number that a sign separates from the other text of its line. */
const SET_OFF = /^(?<first>\d{1,4})\s*[|·•–—]\s|\s[|·•–—]\s*(?<last>\d{1,4})$/u;
/** A page number with the word for it. */
const NAMED = new RegExp(String.raw`^[-–—[( ]*${PAGE_WORD}\d`, 'iu');

/** The most characters of a running head; a longer line is text. */
const LONGEST_HEAD = 60;

/** A line of text with its page number beside it, as two lines. */
function withNumberApart(line: readonly Word[]): (readonly Word[])[] {
  const [, number, text] = line;
  const isApart =
    text !== undefined &&
    (text.left - number!.right > number!.size || number!.size < 0.9 * text.size) &&
    NAMED.test(textOf(line.slice(0, 2))) &&
    textOf(line.slice(2)).length > LONGEST_HEAD;
  return isApart ? [line.slice(0, 2), line.slice(2)] : [line];
}

function candidateOf(words: readonly Word[], index: number, height: number): Omit<Candidate, 'isLone'> {
  const text = textOf(words);
  const [word] = words;
  const parts = segmentsOf(words, 1, []).map((part) => textOf(part.words));
  const ends = [parts[0]!, parts.at(-1)!].filter((part) => PAGE_NUMBER.test(part));
  const { first, last } = SET_OFF.exec(text)?.groups ?? {};
  return {
    index,
    words,
    text,
    shape: text.replaceAll(/\d+/gu, '#'),
    baseline: word!.baseline,
    isAtTop: word!.baseline < height / 2,
    offsets: [...new Set([...ends, first ?? '', last ?? ''])]
      .map((part) => /\d+/u.exec(part)?.[0])
      .filter((number) => number !== undefined)
      .map((number) => Number(number) - index),
    isNamed: parts.length > 1 && ends.some((part) => NAMED.test(part)),
  };
}
