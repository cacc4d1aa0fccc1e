import type { Document, Unit } from './unit.ts';

/** A longer line says something of its own. */
const LONGEST_LINK = 100;

/** What stands above a list of links to other pages, in English and German. */
const SEE_ALSO =
  /^(?:see also|related(?: (?:articles?|content|documents?|documentation|guides?|links|pages?|posts?|reading|resources|topics))?|(?:further|more|other|useful|external|quick|additional) (?:links|pages|reading)|read (?:more|next)|(?:web ?)?links|siehe (?:auch|dazu)|(?:verwandte|ähnliche|zugehörige) (?:anleitungen|artikel|beiträge|dokumente|inhalte|links|seiten|themen)|(?:weitere|weiterführende|nützliche|hilfreiche|interessante|externe) (?:artikel|beiträge|lektüre|links|literatur|seiten)|links zum thema|mehr zum thema|lesen sie auch|das könnte (?:sie|dich) auch interessieren)[:.…]?$/iu;
/** What stands above pictures, of which no text is left. */
const OF_PICTURES =
  /^(?:screenshots?|bilder|abbildungen|fotos|bildschirmfotos|images|pictures|photos|gallery|galerie)[:.]?$/iu;
/** An address or a number tells more than that there is another page. */
const TELLS_MORE = /:\/\/|www\.|@|\p{N}{3}|\s[–—:-]\s.*[.!]$/u;

/**
 * The document without what only names other pages, and without headings of nothing but pictures. Both are counted. A list
 * below such a heading that also says something, with an address or in sentences, stays.
 */
export function withoutSeeAlso(document: Document): Document {
  const gone = new Set<Unit>();
  let links = 0;
  for (const [at, heading] of document.units.entries()) {
    if (heading.kind !== 'heading') continue;
    const below = sectionBelow(document.units, at, heading.level);
    const isList = SEE_ALSO.test(heading.text) && below.length > 0 && below.every(isLink);
    const isOfPictures = OF_PICTURES.test(heading.text) && below.length === 0;
    if (!isList && !isOfPictures) continue;
    if (isList) links += below.length;
    for (const unit of [heading, ...below]) gone.add(unit);
  }
  if (gone.size === 0 || gone.size === document.units.length) return document;
  return {
    ...document,
    units: document.units.filter((unit) => !gone.has(unit)),
    leftOut: {
      ...document.leftOut,
      ...(links === 0 ? {} : { link: (document.leftOut?.['link'] ?? 0) + links }),
    },
  };
}

/** What stands below a heading of this level, down to the next one of the same or a higher level. */
export function sectionBelow(units: readonly Unit[], at: number, level: number): readonly Unit[] {
  const end = units.findIndex((unit, i) => i > at && unit.kind === 'heading' && unit.level <= level);
  return units.slice(at + 1, end === -1 ? units.length : end);
}

/** Whether a unit is no more than the name of a page. */
const isLink = (unit: Unit): boolean =>
  (unit.kind === 'item' || unit.kind === 'paragraph') &&
  unit.text.length <= LONGEST_LINK &&
  !TELLS_MORE.test(unit.text) &&
  !/[.!?;:]$/u.test(unit.text);
