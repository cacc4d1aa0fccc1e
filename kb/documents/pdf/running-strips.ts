import { boxAround, linesOf, segmentsOf, textOf, type Segment } from './segments.ts';
import type { Word } from './words.ts';

/** A text that is beside the text of its page. */
interface Aside {
  readonly index: number;
  readonly segment: Segment;
  /** The text with `#` for each number. */
  readonly shape: string;
  /** The difference between its number and the index of the page, if it is only a number. */
  readonly offset: number | undefined;
}

/** In points: repeated texts beside the text are at the same position on each page, with less difference than this. */
const SAME_PLACE = 3;
/** A text counts as repeated if it is at the same position on this many pages. */
const ENOUGH = 3;

/**
 * The words that are repeated beside the text of each page, in a strip of their own: a page number, and the text above
 * or below it. A strip that contains anything else is a column of text or of a table, and stays.
 *
 * @param pages the words of each page.
 */
export function stripsOf(pages: readonly (readonly Word[])[]): ReadonlySet<Word>[] {
  const all = pages.map((words, index) => linesOf(words).flatMap((line) => asidesOf(line, index)));
  const same = Map.groupBy(all.flat(), ({ shape, offset }) => `${offset} ${shape}`);
  const alike = ({ segment, shape, offset }: Aside): Aside[] =>
    same.get(`${offset} ${shape}`)!.filter((each) => isSamePlace(each.segment, segment));
  const isRepeated = (aside: Aside): boolean =>
    new Set(alike(aside).map(({ index }) => index)).size >= ENOUGH;
  const running = new Set<Aside>();
  for (const asides of all)
    // What one page shows to be a strip is left out of every page that has it, also where a table beside it hides the strip.
    for (const aside of ownStrip(asides, isRepeated)) for (const each of alike(aside)) running.add(each);
  return all.map(
    (asides) => new Set(asides.filter((each) => running.has(each)).flatMap(({ segment }) => segment.words)),
  );
}

/** The texts above and below the page number of a page, if all of them are repeated. */
function ownStrip(asides: readonly Aside[], isRepeated: (aside: Aside) => boolean): readonly Aside[] {
  const repeated = new Set(asides.filter(isRepeated));
  const number = [...repeated].find(({ offset }) => offset !== undefined);
  if (number === undefined || repeated.size === asides.length) return [];
  const strip = [...repeated].filter((each) => isAbove(each.segment, number.segment));
  const { left, right } = boxAround(strip.map(({ segment }) => segment));
  const inside = asides.filter(({ segment }) => segment.left < right && segment.right > left);
  return inside.every((each) => repeated.has(each)) ? inside : [];
}

function asidesOf(line: readonly Word[], index: number): Aside[] {
  return segmentsOf(line, 1, []).map((segment) => {
    const text = textOf(segment.words);
    return {
      index,
      segment,
      shape: text.replaceAll(/\d+/gu, '#'),
      offset: /^\d{1,4}$/u.test(text) ? Number(text) - index : undefined,
    };
  });
}

const isSamePlace = (a: Segment, b: Segment): boolean =>
  Math.abs(a.baseline - b.baseline) < SAME_PLACE &&
  Math.min(Math.abs(a.left - b.left), Math.abs(a.right - b.right)) < SAME_PLACE;

/** Whether one text is above the other. */
const isAbove = (a: Segment, b: Segment): boolean => a.left < b.right && a.right > b.left;
