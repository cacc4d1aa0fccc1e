import type { Unit } from './unit.ts';

/** A unit that is read from HTML has the marker of an item between these two characters, which no text contains. */
const MARKER = /^\uE000(?<marker>[^\uE001]*)\uE001\s*/u;

export const markedText = (marker: string): string => `\uE000${marker}\uE001 `;

/**
 * Moves the marker from the text to the unit if it is an item; in any other unit the marker is the beginning of the
 * text.
 */
export function withMarker(unit: Unit): Unit {
  if (unit.kind === 'row')
    return {
      ...unit,
      ...(unit.caption === undefined ? {} : { caption: shown(unit.caption) }),
      cells: unit.cells.map(({ head, text }) => ({ head: shown(head), text: shown(text) })),
    };
  const marker = MARKER.exec(unit.text)?.groups?.['marker'];
  if (marker === undefined || unit.kind !== 'item') return { ...unit, text: shown(unit.text) };
  return { ...unit, marker, text: shown(unit.text.replace(MARKER, '')) };
}

const shown = (text: string): string =>
  text
    .replaceAll('\uE000', '')
    .replaceAll(/\uE001\s*/gu, ' ')
    .trim();

/**
 * Moves the items of lists to the outermost level, because a list in Word may begin at any level, for instance at the
 * second one below a heading.
 */
export function fromOutermost(units: readonly Unit[]): Unit[] {
  let outermost = 0;
  return units.map((unit, i) => {
    if (unit.kind !== 'item') return unit;
    if (units[i - 1]?.kind !== 'item') {
      outermost = unit.depth;
      for (let at = i + 1; units[at]?.kind === 'item'; at++)
        outermost = Math.min(outermost, (units[at] as typeof unit).depth);
    }
    return { ...unit, depth: unit.depth - outermost };
  });
}

/** A sign by which an item is set off, written as text. */
const BULLET = /^[•▪■●○◦‣➢✓]\s+(?=\S)/u;
/** A dash begins an item only beside others. */
const DASH = /^[-–—]\s+(?=\S)/u;

/** The units with paragraphs as items that their authors began with a bullet, in place of making a list. */
export const withTypedBullets = (units: readonly Unit[]): readonly Unit[] =>
  units.map((unit, i) => {
    if (unit.kind !== 'paragraph') return unit;
    const isBesideDash = [units[i - 1], units[i + 1]].some(
      (each) => each?.kind === 'paragraph' && DASH.test(each.text),
    );
    const text = unit.text.replace(BULLET, '').replace(isBesideDash ? DASH : /^(?!)/u, '');
    return text === unit.text ? unit : { ...unit, kind: 'item', depth: 0, text };
  });
