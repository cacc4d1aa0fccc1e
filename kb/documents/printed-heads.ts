import { isFigure } from './head-rows.ts';
import { isSectionHead, withSectionHeads } from './section-heads.ts';
import { withSignatures } from './signatures.ts';
import type { Heading, Unit } from './unit.ts';

/**
 * The units of a printed document with its headings as its text has them. What looks like a heading may be the field of a form or
 * a name, and what is one may look like text.
 */
export const withPrintedHeads = (units: readonly Unit[]): readonly Unit[] =>
  withSignatures(withChaptersBelow(withSectionHeads(withNumberedHeads(withoutFields(units)))));

/** A label with its value: `Chairperson: Anita`. What is numbered names a chapter: `TOP 3: Wahlen`. */
const FIELD = /^(?=\p{L})(?<label>[^:\d]{2,40}):\s*(?<value>.*)$/u;
const LONGEST_FIELD = 80;
/** A day, a month with its year, or a time of the day. */
const DAY =
  /\d{1,2}\s?[./]\s?\d{1,2}\s?[./]\s?(?:\d{4}|\d{2})(?!\d)|(?<!\d)(?:19|20)\d{2}-\d{2}-\d{2}|\p{Lu}\p{L}{2,8}[.,]?\s(?:\d{1,2}(?:st|nd|rd|th)?,?\s)?(?:19|20)\d{2}(?!\d)|\d{1,2}[:.]\d{2}\s?(?:uhr|h|am|pm)(?!\p{L})/iu;
/** When a document was issued or agreed on: `Ausgabe Mai 2018`, `Approved April 26, 2019`. */
const ISSUED =
  /^\(?(?:ausgabe|stand|fassung|edition|as of|beschlossen|(?:zuletzt )?geändert|(?:last )?(?:approved|adopted|amended|modified|revised|updated|issued|effective))(?: vom| am| of| on)?[:,]? (?:\p{L}+\.? |[\d., /-]+){0,3}(?:19|20)\d\d\)?$/iu;
/** Who wrote a text: `Prepared by: Ada Lovelace`. */
const WRITTEN =
  /^(?:(?:prepared |written |submitted )?by|author|autor(?:in)?|verfasser(?:in)?|(?:erstellt|verfasst|vorgelegt) von):\s/iu;
/** A place to write on. */
const BLANK = /_{3,}|(?:\.\s?){6,}/u;
/** So many words may stand beside a day where a line tells nothing else. */
const BESIDE_DAY = 2;

/** Whether a line tells a day or a time, and hardly more. */
const tellsDay = (text: string): boolean =>
  DAY.test(text) && (text.replace(DAY, '').match(/\p{L}{2,}/gu)?.length ?? 0) <= BESIDE_DAY;

/** Whether a line is no heading, wherever it stands: one to fill in, a number, a figure with its label, when and by whom it was written. */
function isFilledIn(text: string): boolean {
  const value = FIELD.exec(text)?.groups?.['value'] ?? '';
  return (
    BLANK.test(text) ||
    /^\d{5,}$/u.test(text) ||
    (isFigure(value) && !/^\d{1,2}$/u.test(value)) ||
    ISSUED.test(text) ||
    WRITTEN.test(text)
  );
}

const asText = (unit: Heading): Unit => {
  const { page, text } = unit;
  return { kind: 'paragraph', text, ...(page === undefined ? {} : { page }) };
};

const isField = (unit: Unit | undefined): boolean =>
  (unit?.kind === 'heading' || unit?.kind === 'paragraph') &&
  unit.text.length <= LONGEST_FIELD &&
  FIELD.test(unit.text) &&
  !isSectionHead(unit.text);

/** The units with what looks like headings and is none as text: lines of a form, names in a list, the day of a meeting below its title. */
function withoutFields(units: readonly Unit[]): readonly Unit[] {
  const isListed = namesIn(units);
  return units.map((unit, i) => {
    if (unit.kind !== 'heading') return unit;
    const before = units[i - 1];
    const isInForm =
      isField(unit) &&
      [before, units[i + 1]].some(
        (each) =>
          each?.kind === 'heading' &&
          isField(each) &&
          (!each.text.endsWith(':') || each.level === unit.level),
      );
    const isDayBelow =
      before?.kind === 'heading' &&
      before.level >= unit.level &&
      !/^\d{1,2}(?:\.\d+)*\.?\s\p{L}/u.test(unit.text.replace(DAY, '')) &&
      tellsDay(unit.text);
    const hasNothing =
      FIELD.exec(unit.text)?.groups?.['value'] !== '' &&
      isField(unit) &&
      before?.kind === 'heading' &&
      units[i + 1]?.kind === 'heading' &&
      (units[i + 1] as Heading).level <= unit.level;
    const isLabel = unit.text.endsWith(':') && units[i + 1]?.kind === 'paragraph' && isField(units[i + 1]);
    const next = units[i + 1];
    // Who wrote a text stands between its title and the day.
    const isByline =
      before?.kind === 'heading' &&
      next?.kind === 'heading' &&
      /^\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}[\p{L}.'’-]*){1,3}$/u.test(unit.text) &&
      tellsDay(next.text);
    return isInForm ||
      isByline ||
      isLabel ||
      hasNothing ||
      isDayBelow ||
      isListed.has(unit) ||
      (next?.kind === 'item' && /^[•▪■●○]\s/u.test(unit.text)) ||
      isFilledIn(unit.text)
      ? asText(unit)
      : unit;
  });
}

/** The headings of one level directly below each other that a text with a colon leads to: they are what it names. */
function namesIn(units: readonly Unit[]): ReadonlySet<Unit> {
  const names = new Set<Unit>();
  for (const [at, lead] of units.entries()) {
    if ((lead.kind !== 'paragraph' && lead.kind !== 'heading') || !lead.text.endsWith(':')) continue;
    const first = units[at + 1];
    const isOther = (unit: Unit): boolean =>
      unit.kind !== 'heading' || unit.level !== (first as Heading).level || isNumbered(unit.text);
    const end = units.findIndex((unit, i) => i > at && isOther(unit));
    const run = units.slice(at + 1, end === -1 ? undefined : end);
    if (run.length > 1 && !run.some((each) => FIELD.test(textOf(each))))
      for (const each of run) names.add(each);
  }
  return names;
}

/** A number with several parts before a title: `2.1 Wettbewerbe`. */
const PARTS = /^(?!\d{1,2}\.0\s)(?<number>\d{1,2}(?:\.\d{1,2}){1,4})\.?\s+(?<title>\p{Lu}.*)$/u;
/** The number of a chapter: `2.`, `2.0`, `II`. */
const CHAPTER = /^(?<number>\d{1,2}|[IVX]{1,5})(?:\.0)?[.)]?\s+(?<title>[\p{Lu}„"“].*)$/u;
const ZERO = /^\d+\.0\s/u;
const LONGEST_TITLE = 100;

const isNumbered = (text: string): boolean => PARTS.test(text) || CHAPTER.test(text) || isSectionHead(text);

const couldBeTitle = (text: string): boolean => text.length <= LONGEST_TITLE && !/[.:;,!]$/u.test(text);

/** The units with numbered titles as headings that are set like text. */
const withNumberedHeads = (units: readonly Unit[]): readonly Unit[] =>
  withPoints(withRunIns(withParts(units)));

/** The text of a unit as it is printed, with its number. */
const printed = (unit: Unit): string | undefined =>
  unit.kind === 'heading' || unit.kind === 'paragraph'
    ? unit.text
    : unit.kind === 'item' && unit.depth === 0 && unit.marker !== undefined
      ? `${unit.marker} ${unit.text}`
      : undefined;

const asHeading = (unit: Unit, level: number): Unit => ({
  kind: 'heading',
  level: Math.min(6, level),
  text: printed(unit)!,
  ...(unit.page === undefined ? {} : { page: unit.page }),
});

/** `2.1 Wettbewerbe` is a heading below `2 Organisation`, if it is the first there, or the next one after a heading. */
function withParts(units: readonly Unit[]): readonly Unit[] {
  /** The numbers of the headings above, with their levels. */
  let above: { readonly number: string; readonly level: number; last: number }[] = [];
  return units.map((unit, i) => {
    const text = printed(unit) ?? '';
    const own = PARTS.exec(text)?.groups?.['number'] ?? CHAPTER.exec(text)?.groups?.['number'];
    if (own === undefined) return unit;
    const parts = own.split('.');
    const parent = parts.slice(0, -1).join('.');
    const last = Number(parts.at(-1));
    const found = above.findLast(({ number }) => number === parent);
    if (unit.kind === 'heading') {
      if (found !== undefined) found.last = last;
      above = [
        ...above.filter(({ level }) => level < unit.level),
        { number: own, level: unit.level, last: 0 },
      ];
      return unit;
    }
    const hasText = units[i + 1] !== undefined && units[i + 1]!.kind !== 'heading';
    if (parts.length < 2 || found === undefined || last !== found.last + 1 || !couldBeTitle(text) || !hasText)
      return unit;
    found.last = last;
    above = [
      ...above.filter(({ level }) => level <= found.level),
      { number: own, level: found.level + 1, last: 0 },
    ];
    return asHeading(unit, found.level + 1);
  });
}

/** So many points, most of them with text below, are the chapters of a text that has fewer other headings. */
const [POINTS, WITH_TEXT] = [3, 0.7];

/** `1. Begrüßung`, `2. Wahlen` with text below each, as minutes and rules of play have them, are headings. */
function withPoints(units: readonly Unit[]): readonly Unit[] {
  const points: number[] = [];
  for (const [i, unit] of units.entries()) {
    const text = printed(unit) ?? '';
    const number = CHAPTER.exec(text)?.groups?.['number'];
    const isAsFirst = points.length === 0 || ZERO.test(text) === ZERO.test(printed(units[points[0]!]!)!);
    if (
      unit.kind !== 'heading' &&
      number === String(points.length + 1) &&
      isAsFirst &&
      text.length <= LONGEST_TITLE
    )
      points.push(i);
  }
  const isTold = (i: number): boolean =>
    units[i + 1]?.kind === 'paragraph' && couldBeTitle(printed(units[i]!)!.replace(/:$/u, ''));
  const others = units.filter((unit): unit is Heading => unit.kind === 'heading');
  /** Whether its text is below it, as an answer below its question. */
  const hasAnswer = (i: number): boolean => {
    const next = units[i + 1];
    return next?.kind === 'paragraph' && next.text.length > printed(units[i]!)!.length;
  };
  if (
    points.length < POINTS ||
    others.length >= points.length ||
    (points.filter(isTold).length < WITH_TEXT * points.length && !points.every(hasAnswer))
  )
    return units;
  const level = Math.max(0, ...others.map(({ level: each }) => each)) + 1;
  return units.map((unit, i) => {
    if (points.includes(i)) return asHeading(unit, level);
    // What leads to a list, such as to those who were there, stands beside the points.
    return unit.kind === 'heading' && unit.text.endsWith(':') ? { ...unit, level: Math.min(6, level) } : unit;
  });
}

/**
 * The units with chapters that are numbered from 1 on below the heading directly above the first of them, if it is of their level: the
 * title of a text, or of a part of it, was given the style of its chapters.
 */
function withChaptersBelow(units: readonly Unit[]): readonly Unit[] {
  let inside: { readonly level: number; last: number } | undefined;
  return units.map((unit, i) => {
    if (unit.kind !== 'heading') return unit;
    const before = units[i - 1];
    const number = chapterOf(unit);
    // A heading directly below another one may name who wrote the text.
    if (
      number === 1 &&
      before?.kind === 'heading' &&
      before.level === unit.level &&
      units[i - 2]?.kind !== 'heading'
    ) {
      const next = units.slice(i + 1).find((each) => each.kind === 'heading' && each.level <= unit.level);
      if (!isNumbered(before.text) && chapterOf(next) === 2) inside ??= { level: unit.level, last: 0 };
    }
    if (inside !== undefined && unit.level <= inside.level) {
      if (unit.level === inside.level && number === inside.last + 1) inside.last = number;
      else inside = undefined;
    }
    return inside === undefined ? unit : { ...unit, level: Math.min(6, unit.level + 1) };
  });
}

const chapterOf = (unit: Unit | undefined): number =>
  unit?.kind === 'heading' ? Number(CHAPTER.exec(unit.text)?.groups?.['number']) : Number.NaN;

/** A title before its text, on one line: `6. Low Income. In their actions …`. */
const RUN_IN = /^(?<title>\p{Lu}[^.:!?]{2,70})[.:]\s+(?<text>[\p{Lu}(„"“].*)$/su;

/**
 * Where some numbers of a list are headings, as those of which the title fills its line, its other items are, too, and have their text
 * below them.
 */
function withRunIns(units: readonly Unit[]): readonly Unit[] {
  const levels = new Map<Unit, number>();
  for (const list of numberedIn(units)) {
    const [heading] = list.filter((unit) => unit.kind === 'heading');
    if (heading === undefined || list.length < POINTS) continue;
    if (
      list.every(
        (unit) =>
          unit.kind === 'heading' || RUN_IN.test(textOf(unit)) || textOf(unit).length <= LONGEST_TITLE,
      )
    )
      for (const unit of list) if (unit.kind === 'item') levels.set(unit, heading.level);
  }
  let isBelow = false;
  return units.flatMap((unit): Unit[] => {
    const level = levels.get(unit);
    if (level === undefined) {
      isBelow &&= unit.kind !== 'heading' && (unit.kind !== 'item' || unit.depth > 0);
      return [isBelow && unit.kind === 'item' ? { ...unit, depth: unit.depth - 1 } : unit];
    }
    isBelow = true;
    const { title, text } = RUN_IN.exec(textOf(unit))?.groups ?? {};
    const head = asHeading(unit, level) as Heading;
    return title === undefined || unit.kind !== 'item'
      ? [head]
      : [{ ...head, text: `${unit.marker} ${title}` }, asText({ ...head, text: text! })];
  });
}

const textOf = (unit: Unit): string => (unit.kind === 'row' ? '' : unit.text);

/** The lists that are numbered in sequence, of headings and outermost items, up to any other heading. */
function numberedIn(units: readonly Unit[]): Unit[][] {
  const lists: Unit[][] = [[]];
  for (const unit of units) {
    const number = CHAPTER.exec(printed(unit) ?? '')?.groups?.['number'];
    const isNext = unit.kind !== 'paragraph' && number === String(lists.at(-1)!.length + 1);
    if (isNext) lists.at(-1)!.push(unit);
    else if (unit.kind === 'heading' || number === '1') lists.push(number === '1' ? [unit] : []);
  }
  return lists;
}
