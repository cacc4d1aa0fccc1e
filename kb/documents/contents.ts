import type { Document, Unit } from './unit.ts';

/** A line that leads to a page: `2.1 Zielgruppen ........ 7`. */
export const CONTENTS_LINE = /(?:\.\s?){4,}\s*(?:\d{1,4}|[ivxlc]{1,6})?$/u;
/** The same with its page, and a text before it that is no field of a form: `Datum: ..... 20`. */
const WITH_PAGE = /[\p{L}\d)]\s*(?:[.…·]\s?){4,}\s*\d{1,4}$/u;

/** What stands above a table of contents, and is left out with it. */
export const isTitleOfContents = (text: string): boolean =>
  /^(?:\d{1,2}\.?\s)?(?:(?:table of )?contents|inhalt|inhaltsverzeichnis|inhaltsübersicht|(?:abbildungs|tabellen)verzeichnis|(?:list|table) of (?:figures|tables))$/iu.test(
    text.replace(/:$/u, '').trim(),
  );

/** The longest entry, in characters. */
const LONGEST_ENTRY = 160;
/** This share of the entries below such a title must be headings of the document, if they are not links. */
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
    .replace(/^(?:\d+(?:\.\d+)*|[ivx]+|[a-z])[.)]?\s+/u, '')
    .replace(/[\s.…·]*\s\d{1,4}$/u, '')
    .replaceAll(/[^\p{L}\d]/gu, '');

/**
 * The document without its table of contents, which is counted: lines with dots up to a page, and the list below its title as
 * far as it names headings of the document.
 */
export function withoutContents(document: Document): Document {
  const { units } = document;
  const headings = new Set(units.flatMap((unit) => (unit.kind === 'heading' ? [entryOf(unit.text)] : [])));
  const gone = new Set<Unit>(
    units.filter((unit) => isLine(unit) && unit.kind !== 'row' && WITH_PAGE.test(unit.text)),
  );
  for (const [at, title] of units.entries()) {
    if (!isLine(title) || !isTitleOfContents(textOf(title))) continue;
    const names = (unit: Line): boolean =>
      WITH_PAGE.test(textOf(unit)) || (unit.kind !== 'heading' && headings.has(entryOf(textOf(unit))));
    const isEntry = (unit: Unit | undefined): unit is Line =>
      isLine(unit) &&
      (names(unit) ||
        (unit.kind === 'item' && unit.text.length <= LONGEST_ENTRY && !/[.!?:;]$/u.test(unit.text)));
    const entries: Line[] = [];
    for (let unit = units[at + 1]; isEntry(unit); unit = units[at + 1 + entries.length]) entries.push(unit);
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
