import type { Source } from './source.ts';

/** A short line that says nothing itself. A line with more words, with a number or with the end of a sentence does. */
const LINE = /^(?:[^\s\p{N}]+\s+){0,11}[^\s\p{N}]*[^\s\p{N}.!?]$/u;

const known = new WeakMap<Source, boolean>();

/** Whether a passage only leads to other pages: it consists of links, and of lines above them such as `See also`. */
export function pointsElsewhere(source: Source): boolean {
  let points = known.get(source);
  if (points === undefined) known.set(source, (points = hasOnlyLinks(source)));
  return points;
}

function hasOnlyLinks({ units = [], text }: Source): boolean {
  return (
    units.some(({ points }) => points === true) &&
    units.every(
      ({ kind, points, start, end }) =>
        points === true ||
        kind === 'heading' ||
        (kind === 'paragraph' && LINE.test(text.slice(start, end).trim())),
    )
  );
}
