import { plainText } from './plain-text.ts';
import type { Document, Unit } from './unit.ts';

/** The most characters of a cell that leads to another page. */
const LONGEST_LINK = 80;

/** Whether cells lead to the previous and the next page, as arrows at the ends of the row show. */
export function isPager(cells: readonly string[]): boolean {
  const filled = cells.map(plainText).filter((cell) => cell !== '');
  const [first, last] = [filled.at(0) ?? '', filled.at(-1) ?? ''];
  const back = /^(?:<{2,}|[‹←])/u.test(first);
  const forward = /(?:>{2,}|[›→])$/u.test(last);
  return (
    filled.length >= 2 &&
    filled.every(({ length }) => length <= LONGEST_LINK) &&
    (back || forward) &&
    // A shift operator (`<<`) or an arrow in code is not a link to another page.
    /\p{L}/u.test(back ? first : last) &&
    (back ? forward || first.startsWith('<') : last.endsWith('>'))
  );
}

/** Whether a single line leads to the previous and the next page: its links are far apart, or their words say so. */
export const isPagerLine = (line: string): boolean =>
  isPager(line.trim().split(/[^\S\n]{2,}|\|/u)) ||
  (line.length <= 2 * LONGEST_LINK && [BACK_AND_ON, WAY_BACK].some((form) => form.test(plainText(line))));

const BACK_AND_ON =
  /^(?:<{2,}|[‹←«])\s*(?:zurück|vorige|vorherige|previous|prev|back)\b.*\b(?:weiter|nächste|next|vor)(?:\s\p{L}+)?\s*(?:>{2,}|[›→»])$/iu;
/** A line that leads back or up by itself: `← Alle Themen`, `Back to top`. */
const WAY_BACK =
  /^(?:(?:←|⬅|⟵|«|‹|<{2,})\s*(?:zurück|alle|übersicht|startseite|inhalt|back|all|overview|home|contents|index|previous)(?!\p{L})(?: [\p{L}-]+){0,4}|[↑▲⇧]?\s*(?:nach oben|zum (?:seiten)?anfang|back to (?:top|the top|overview|the overview|home)|zurück zu[rm]? (?:übersicht|startseite|seitenanfang|inhaltsverzeichnis)))$/iu;
/** Words for links that lead upwards. They may be above or below a pager, with the names of its pages. */
const WAY_UP = /(?<!\p{L})(?:nach oben|zum anfang|up|home)(?!\p{L})/iu;

/** The document without links to the previous and the next page, which are counted as navigation. */
export function withoutPagers(document: Document): Document {
  let afterPager = false;
  const units = document.units.filter((unit) => {
    const isTitles = afterPager && unit.kind === 'paragraph' && isTitlesOfPages(unit.text);
    afterPager = isPagerUnit(unit);
    return !afterPager && !isTitles;
  });
  const gone = document.units.length - units.length;
  if (gone === 0 || units.length === 0) return document;
  const { navigation = 0 } = document.leftOut ?? {};
  return { ...document, units, leftOut: { ...document.leftOut, navigation: navigation + gone } };
}

const isTitlesOfPages = (text: string): boolean => text.length <= 2 * LONGEST_LINK && WAY_UP.test(text);

function isPagerUnit(unit: Unit): boolean {
  if (unit.kind === 'paragraph') return isPagerLine(unit.text);
  return (
    unit.kind === 'row' &&
    (isPager(unit.cells.map(({ head }) => head)) || isPager(unit.cells.map(({ text }) => text)))
  );
}
