import { segment, segmentsOf, textOf, type Segment } from './segments.ts';

/** What a page number calls itself; Word sets the letters of one apart, before a line: `P a g e | 1`. */
export const PAGE_WORD = String.raw`(?:s ?e ?i ?t ?e|p ?a ?g ?e)\s*\|?\s*`;
/** A number with no more than dashes, its name or the number of all pages. Longer ones may be years and sums. */
const BARE = /^[-–—[( ]*(?:\d{1,3}|[ivx]{1,6})(?:\s*(?:\/|von|of)\s*\d{1,4})?[-–—\]) ]*$/u;
const NAMED = new RegExp(
  String.raw`^[-–—[( ]*(?:${PAGE_WORD}\d{1,4}(?:\s*(?:\/|von|of|-|–)\s*\d{1,4})?|\d{1,4}\s*\|\s*${PAGE_WORD})[-–—\]) ]*$`,
  'iu',
);
/** A number is apart from the text if it is further from it than this multiple of the distance between its lines. */
const APART = 1.6;
/** A number in larger type than this multiple of the text's is that of a chapter. */
const LARGER = 1.4;
/** The share of the page's width by which a page number may miss its middle. */
const MIDDLE = 0.03;

/**
 * Whether the first line is a page number by itself, so that one page suffices: it says so, or stands apart from the text in
 * the middle of the page, and not below or above a figure.
 *
 * @param lines of a page, from its edge inwards
 * @param width of the page, in points
 */
export function isLonePageNumber(lines: readonly Segment[], width: number): boolean {
  const [number, ...rest] = lines;
  const text = textOf(number!.words);
  if (NAMED.test(text)) return true;
  if (!BARE.test(text) || rest.length < 2) return false;
  const body = segment(rest.flatMap(({ words }) => words));
  const middle = (number!.left + number!.right) / 2;
  const isInMiddle = [width / 2, (body.left + body.right) / 2].some(
    (each) => Math.abs(middle - each) < MIDDLE * width,
  );
  return (
    isInMiddle &&
    number!.size <= LARGER * body.size &&
    Math.abs(rest[0]!.baseline - number!.baseline) > APART * stepOf(rest) &&
    !isInColumn(number!, rest)
  );
}

/** Whether the nearest text on the same side is a figure too, as in a table or beside a drawing. */
function isInColumn(number: Segment, lines: readonly Segment[]): boolean {
  const near = lines
    .flatMap(({ words }) => segmentsOf(words, 1, []))
    .find(({ left, right }) => left < number.right && right > number.left);
  return near !== undefined && !/\p{L}{2}/u.test(textOf(near.words));
}

/** The middle one of the distances between lines. */
function stepOf(lines: readonly Segment[]): number {
  const steps = lines.slice(1).map(({ baseline }, i) => Math.abs(baseline - lines[i]!.baseline));
  return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)]!;
}
