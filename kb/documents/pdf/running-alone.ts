import { segment, segmentsOf, textOf, type Segment } from './segments.ts';

/** The word before a page number. In a template of Word its letters are spaced and precede a line: `P a g e | 1`. */
export const PAGE_WORD = String.raw`(?:s ?e ?i ?t ?e|p ?a ?g ?e)\s*\|?\s*`;
/** A page number with only dashes, its word or the number of all pages. Longer numbers may be years and sums. */
const BARE = /^[-–—[( ]*(?:\d{1,3}|[ivx]{1,6})(?:\s*(?:\/|von|of)\s*\d{1,4})?[-–—\]) ]*$/u;
const NAMED = new RegExp(
  String.raw`^[-–—[( ]*(?:${PAGE_WORD}\d{1,4}(?:\s*(?:\/|von|of|-|–)\s*\d{1,4})?|\d{1,4}\s*\|\s*${PAGE_WORD})[-–—\]) ]*$`,
  'iu',
);
/** A number is apart from the text if its distance is larger than this multiple of the distance between lines. */
const APART = 1.6;
/** A number in type larger than this multiple of the text's size belongs to a chapter. */
const LARGER = 1.4;
/** How far a page number may be from the middle of the page, as a share of the page's width. */
const MIDDLE = 0.03;

/**
 * Whether the first line is a page number by itself, so that no other page is needed to decide: it has the word for it,
 * or it is apart from the text, in the middle of the page, and not above or below a figure.
 *
 * @param lines the lines of a page, from its edge inwards.
 * @param width the width of the page, in points.
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

/** The median of the distances between lines. */
function stepOf(lines: readonly Segment[]): number {
  const steps = lines.slice(1).map(({ baseline }, i) => Math.abs(baseline - lines[i]!.baseline));
  return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)]!;
}
