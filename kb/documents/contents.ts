import type { Document, Unit } from './unit.ts';

/** A line that leads to a page, with a text before it that is no field of a form: `2.1 Zielgruppen ........ 7`, not `Datum: ..... 20`. */
const WITH_PAGE = /[\p{L}\d)]\s*(?:[.…·]\s?){4,}\s*(?:\d{1,4}|[ivxlc]{1,6})$/u;
/** The same, of which the page may stand elsewhere. */
const WITH_DOTS = /(?:[.…·]\s?){4,}\s*\d{0,4}$/u;

/** Whether a line is one of a table of contents, whatever stands above it. */
export const leadsToPage = (line: string): boolean => WITH_PAGE.test(line);

/** What stands above a table of contents, and is left out with it. */
export const isTitleOfContents = (text: string): boolean =>
  /^(?:\d{1,2}\.?\s)?(?:(?:table of )?contents|inhalt|inhaltsverzeichnis|inhaltsübersicht|(?:abbildungs|tabellen)verzeichnis|(?:list|table) of (?:figures|tables))$/iu.test(
    text.replace(/:$/u, '').trim(),
  );

/** The longest entry, in characters. */
const LONGEST_ENTRY = 160;
/** The share of a table of contents' entries that must be headings of the document, if the entries are not links. */
const ENOUGH = 0.6;

type Line = Extract<Unit, { kind: 'heading' | 'paragraph' | 'item' | 'row' }>;

const isLine = (unit: Unit | undefined): unit is Line =>
  unit?.kind === 'heading' || unit?.kind === 'paragraph' || unit?.kind === 'item' || unit?.kind === 'row';

const textOf = (unit: Line): string =>
  unit.kind === 'row' ? unit.cells.map(({ text }) => text).join(' ') : unit.text;

/** A heading as a table of contents has it: without its number, and the number of its page. */
const entryOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^(?:(?:part|teil|chapter|kapitel)\s)?(?:\d+(?:\.\d+)*|[ivx]+|[a-z])[.):]?\s+/u, '')
    .replace(/[\s.…·]*\s\d{1,4}$/u, '')
    .replaceAll(/[^\p{L}\d]/gu, '');

/** So many rows that lead to pages are a table of contents without a title. */
const ROWS = 3;

/** An entry that ends with its page, without dots. */
const TO_PAGE = /[\p{L}\d):]\s(?<page>\d{1,3})$/u;
/** So many lines with pages that go up are a table of contents without a title, if most of them name headings. */
const LINES = 5;

/**
 * The lines that end with pages, none before that of the line above, and of which most name headings below them, in their order. A
 * line with a colon announces a list of something else.
 */
function linesUpTo(units: readonly Unit[], headings: ReadonlyMap<string, number>): Line[] {
  const found: Line[] = [];
  let run: { readonly lines: Line[]; page: number } = { lines: [], page: 0 };
  for (const [at, unit] of [...units, undefined].entries()) {
    const isShort = isLine(unit) && unit.kind !== 'row' && unit.text.length <= LONGEST_ENTRY;
    const page = isShort ? Number(TO_PAGE.exec(unit.text)?.groups?.['page']) : Number.NaN;
    if (isShort && page >= run.page) {
      run.lines.push(unit);
      run.page = page;
      continue;
    }
    const above = units[at - run.lines.length - 1];
    const isAnnounced = isLine(above) && textOf(above).endsWith(':');
    let [names, place] = [0, at - 1];
    for (const line of run.lines) {
      const named = headings.get(entryOf(textOf(line))) ?? 0;
      if (named <= place) continue;
      names += 1;
      place = named;
    }
    if (run.lines.length >= LINES && names >= ENOUGH * run.lines.length && !isAnnounced)
      found.push(...run.lines);
    run = { lines: isShort && page >= 0 ? [unit] : [], page: page >= 0 ? page : 0 };
  }
  return found;
}

/** The lines that lead to pages. Rows do so in company: one alone may be that of a form. */
function linesWithPages(units: readonly Unit[]): Line[] {
  const all = units.filter((unit): unit is Line => isLine(unit) && leadsToPage(textOf(unit)));
  const rows = all.filter(({ kind }) => kind === 'row');
  return rows.length < ROWS ? all.filter(({ kind }) => kind !== 'row') : all;
}

/**
 * The document without its table of contents, which is counted: lines with dots up to a page, and the list below its title as
 * far as it names headings of the document.
 */
export function withoutContents(document: Document): Document {
  const { units } = document;
  /** The last place of each heading. */
  const headings = new Map(
    units.flatMap((unit, i) => (unit.kind === 'heading' ? [[entryOf(unit.text), i]] : [])),
  );
  const gone = new Set<Unit>([...linesWithPages(units), ...linesUpTo(units, headings)]);
  for (const [at, title] of units.entries()) {
    if (!isLine(title) || !isTitleOfContents(textOf(title))) continue;
    const entries: Line[] = [];
    // An entry may look like the heading that it names further below, but has nothing below itself.
    const namesHeading = (unit: Line): boolean => {
      const [place, own] = [headings.get(entryOf(textOf(unit))), units.indexOf(unit, at)];
      // The last entry has below it what stands below the table.
      const isBetween = units[own + 1]?.kind === 'heading' || entries.length >= LINES;
      return place !== undefined && (unit.kind !== 'heading' || (place > own && isBetween));
    };
    const names = (unit: Line): boolean => WITH_DOTS.test(textOf(unit)) || namesHeading(unit);
    const isEntry = (unit: Unit | undefined): unit is Line =>
      isLine(unit) &&
      (names(unit) ||
        (unit.kind === 'item' && unit.text.length <= LONGEST_ENTRY && !/[.!?:;]$/u.test(unit.text)));
    /** The first line of an entry that goes on in the next. */
    const isDivided = (unit: Unit | undefined, next: Unit | undefined): unit is Line =>
      isLine(unit) && isLine(next) && textOf(unit).length <= LONGEST_ENTRY && WITH_DOTS.test(textOf(next));
    for (let i = at + 1; ; i += 1) {
      const unit = units[i];
      if (isEntry(unit) || isDivided(unit, units[i + 1])) entries.push(unit);
      else break;
    }
    const isLinks = entries.every((unit) => unit.kind === 'item' && unit.points === true);
    if (entries.length === 0 || (!isLinks && entries.filter(names).length < ENOUGH * entries.length))
      continue;
    for (const unit of [title, ...entries]) gone.add(unit);
  }
  if (gone.size === 0 || gone.size === units.length) return document;
  const { leftOut = {} } = document;
  return {
    ...document,
    units: units.filter((unit) => !gone.has(unit)),
    leftOut: { ...leftOut, 'table of contents': (leftOut['table of contents'] ?? 0) + 1 },
  };
}
