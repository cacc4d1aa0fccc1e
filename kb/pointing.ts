import type { Source } from './source.ts';

/** A line of more words, with a number or with the end of a sentence says something itself. */
const LINE = /^(?:[^\s\p{N}]+\s+){0,11}[^\s\p{N}]*[^\s\p{N}.!?]$/u;

const known = new WeakMap<Source, boolean>();

/** Whether a passage only leads to other pages: links, and above them lines such as `See also` or what the pages are about. */
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
