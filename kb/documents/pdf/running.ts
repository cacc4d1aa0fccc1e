import type { Page } from './pdfium.ts';
import { linesOf, segmentsOf, textOf } from './segments.ts';
import type { Word } from './words.ts';

/** A page without what is repeated on every page. */
interface Bare {
  readonly page: Page;
  readonly words: readonly Word[];
}

export interface Running {
  readonly pages: readonly Bare[];
  readonly runningHeads: number;
  readonly pageNumbers: number;
}

/** The share of the page's height, at the top and at the bottom, that counts as margin. */
const MARGIN = 0.16;
/** This many outermost lines of a margin may be running heads. */
const OUTERMOST = 4;
/** In points: a running head is in the same place on each page. */
const SAME_PLACE = 5;
const PAGE_NUMBER =
  /^[-–—[( ]*(?:(?:seite|page|s\.|p\.)\s*)?(?:\d{1,4}|(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3}))(?:\s*(?:\/|von|of|-|–)\s*\d{1,4})?[-–—\]) ]*$/iu;

interface Candidate {
  readonly index: number;
  readonly words: readonly Word[];
  readonly text: string;
  /** The text with `#` for each number. */
  readonly shape: string;
  readonly baseline: number;
}

/** The lines in one margin of a page, from the edge inwards. */
type Margin = readonly Candidate[];

/**
 * Removes running heads, footers and page numbers: lines in the same place, equal except for numbers, on neighbouring
 * pages or on a quarter of all, from the edge inwards.
 */
export function withoutRunning(pages: readonly Page[]): Running {
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
    pages.length > 1 &&
    (new Set(offsets.get(offsetOf(candidate))!.map(({ index }) => index)).size >= 2 ||
      offsetOf(candidate) === 1);
  const isRunning = (candidate: Candidate): boolean => {
    // A line with text in many places is the head of a continued table.
    if (!/\p{L}{2}/u.test(candidate.shape) || segmentsOf(candidate.words, 1, []).length >= 4) return false;
    const there = new Set(
      same
        .get(candidate.shape)!
        .filter(({ baseline }) => Math.abs(baseline - candidate.baseline) < SAME_PLACE)
        .map(({ index }) => index),
    );
    // Three pages near each other are enough for a head with the name of the chapter.
    const near = [...there].filter((index) => Math.abs(index - candidate.index) <= 4).length;
    return there.size >= enough || near >= 3;
  };
  const dropped = new Set<Word>();
  let [runningHeads, pageNumbers] = [0, 0];
  for (const margin of margins)
    for (const candidate of margin) {
      if (isPageNumber(candidate)) pageNumbers += 1;
      else if (isRunning(candidate)) runningHeads += 1;
      else break;
      for (const word of candidate.words) dropped.add(word);
    }
  return {
    pages: pages.map((page) => ({ page, words: page.words.filter((word) => !dropped.has(word)) })),
    runningHeads,
    pageNumbers,
  };
}

/** The difference between a page's printed number and its index in the file. */
const offsetOf = ({ text, index }: Candidate): number | string => {
  const number = /\d+/u.exec(text)?.[0];
  return number === undefined ? 'roman' : Number(number) - index;
};

function marginsOf(page: Page, index: number): Margin[] {
  const lines = linesOf(page.words)
    .map((line) => candidateOf(line, index))
    .sort((a, b) => a.baseline - b.baseline);
  const upper = lines.filter(({ baseline }) => baseline < MARGIN * page.height);
  const lower = lines.filter(({ baseline }) => baseline > (1 - MARGIN) * page.height).reverse();
  return [upper.slice(0, OUTERMOST), lower.slice(0, OUTERMOST)];
}

function candidateOf(words: readonly Word[], index: number): Candidate {
  const text = textOf(words);
  const [word] = words;
  return { index, words, text, shape: text.replaceAll(/\d+/gu, '#'), baseline: word!.baseline };
}
