import { dateToSerial, format, getFormatFromId, isDateFormat } from 'numfmt';

import { detectLanguage } from '../analysis/analysis.ts';
import { inFigures, MOST_SHEET_CELLS } from './document-limits.ts';
import { OfficePackage } from './office-package.ts';
import { plainText } from './plain-text.ts';
import { unitsOfSheet } from './sheet-units.ts';
import { documentOf, Unreadable, type DocumentKind, type Unit } from './unit.ts';
import { attributeOf, childrenOf, descend, findAll, isOn, isXml, textOf, type XmlElement } from './xml.ts';

const TOO_MANY_CELLS = `has a sheet with more than ${inFigures(MOST_SHEET_CELLS)} cells: divide it`;

/** An Excel workbook: the rows of each sheet, with cells as the sheet displays them. */
export const xlsx: DocumentKind = {
  extensions: ['xlsx', 'xlsm'],
  parse(bytes) {
    const file = new OfficePackage(bytes);
    const { sheets, leftOut } = readWorkbook(file);
    const isNamed =
      sheets.length > 1 || !/^(?:sheet|tabelle|worksheet|blatt)\s*\d*$/iu.test(sheets[0]?.name ?? '');
    const units = sheets.flatMap(({ name, rows, marked, spans }): Unit[] => {
      const inside = unitsOfSheet(rows, { marked, spans });
      return isNamed && inside.length > 0 ? [{ kind: 'heading', level: 1, text: name }, ...inside] : inside;
    });
    const { title, ...properties } = file.properties();
    // Of several sheets the title in the properties names one, mostly the first.
    return documentOf({ ...properties, title: sheets.length > 1 ? undefined : title, units, leftOut });
  },
};

interface Sheet {
  readonly name: string;
  /** Cells as displayed, empty ones as ''. Columns without text are left out. */
  readonly rows: readonly (readonly string[])[];
  /** Rows that the sheet marks as heads: of a table, of a filter, or repeated on each printed page. */
  readonly marked: ReadonlySet<number>;
  /** Rows with cells that span columns, with their text repeated in each. */
  readonly spans: ReadonlyMap<number, readonly string[]>;
}

interface Workbook {
  readonly styles: readonly string[];
  /** The cell styles that strike their text out. */
  readonly struck: ReadonlySet<number>;
  readonly texts: readonly string[];
  readonly locale: string;
  readonly is1904: boolean;
}

/** Reads the visible sheets. */
export function readWorkbook(file: OfficePackage): { sheets: Sheet[]; leftOut: Record<string, number> } {
  const name = file.main('a workbook of Excel');
  const tree = descend(file.xml(name), 'workbook');
  if (tree === undefined) throw new Unreadable('is not a workbook of Excel');
  const references = file.references(name);
  const partOf = (kind: string): string =>
    [...references.values()].find((each) => each.kind === kind)?.target ?? '';
  const texts = textsOf(file, partOf('sharedStrings'));
  const locale = localeOf(file, partOf('styles'), texts);
  const styles = file.xml(partOf('styles'));
  const workbook: Workbook = {
    locale,
    styles: stylesOf(styles, locale),
    struck: struckIn(styles),
    texts,
    is1904: isTrue(attributeOf(descend(tree, 'workbookPr'), 'date1904')),
  };
  const titles = new Map(
    findAll(tree, 'definedName')
      .filter((each) => attributeOf(each, 'name') === '_xlnm.Print_Titles')
      .map((each) => [Number(attributeOf(each, 'localSheetId')), textOf(each)]),
  );
  const leftOut: Record<string, number> = {};
  const sheets = findAll(tree, 'sheet').flatMap((each, index): Sheet[] => {
    const state = attributeOf(each, 'state') ?? 'visible';
    const reference = references.get(
      Object.entries(each.attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '',
    );
    if (reference?.kind !== 'worksheet') return [];
    if (state !== 'visible') {
      leftOut['hidden sheet'] = (leftOut['hidden sheet'] ?? 0) + 1;
      return [];
    }
    return [
      readSheet(
        file,
        reference.target,
        attributeOf(each, 'name') ?? '',
        workbook,
        titles.get(index),
        leftOut,
      ),
    ];
  });
  return { sheets, leftOut };
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

/** So many characters of a workbook tell its language. */
const TELLING = 5000;

/** A workbook does not state its locale, but the names of its parts, its formats and its language show a German one. */
function localeOf(file: OfficePackage, styles: string, texts: readonly string[]): string {
  const app = file.xml('docProps/app.xml');
  const parts = app === undefined ? '' : findAll(app, 'HeadingPairs').map(textOf).join(' ');
  if (/Arbeitsblätter|Tabellen|Diagramme/u.test(parts)) return 'de-DE';
  const tree = file.xml(styles);
  const codes = (tree === undefined ? [] : findAll(tree, 'numFmt')).map(
    (each) => attributeOf(each, 'formatCode') ?? '',
  );
  const isGerman =
    codes.some((code) => /\[\$[^\]]*-(?:0*407|de-DE)\]/iu.test(code)) ||
    detectLanguage(texts.join(' ').slice(0, TELLING), 'en') === 'de';
  return isGerman ? 'de-DE' : 'en-US';
}

/** The number format of each cell style. */
function stylesOf(tree: XmlElement | undefined, locale: string): string[] {
  const sheet = descend(tree, 'styleSheet');
  if (sheet === undefined) return [];
  const codes = new Map(
    findAll(sheet, 'numFmt').map((each) => [
      Number(attributeOf(each, 'numFmtId')),
      attributeOf(each, 'formatCode') ?? 'General',
    ]),
  );
  return childrenOf(descend(sheet, 'cellXfs') ?? sheet, 'xf').map((each) => {
    const id = Number(attributeOf(each, 'numFmtId') ?? 0);
    return codes.get(id) ?? getFormatFromId(id, locale) ?? 'General';
  });
}

/** The cell styles of which the font strikes out. */
function struckIn(tree: XmlElement | undefined): ReadonlySet<number> {
  const sheet = descend(tree, 'styleSheet');
  const fonts = childrenOf(descend(sheet, 'fonts') ?? EMPTY, 'font');
  return new Set(
    childrenOf(descend(sheet, 'cellXfs') ?? EMPTY, 'xf').flatMap((each, i) =>
      isOn(descend(fonts[Number(attributeOf(each, 'fontId'))], 'strike')) ? i : [],
    ),
  );
}

function textsOf(file: OfficePackage, name: string): string[] {
  const texts: string[] = [];
  file.xml(name, { si: (element) => texts.push(textOfRuns(element)) });
  return texts;
}

/** Text in one or several formats, without phonetic hints and what is struck out. */
const textOfRuns = (element: XmlElement): string =>
  childrenOf(element)
    .filter((child) => !isOn(descend(child, 'rPr', 'strike')))
    .map((child) => (child.name === 't' ? textOf(child) : child.name === 'r' ? textOfRuns(child) : ''))
    .join('')
    // Characters that XML cannot have are escaped like this.
    .replaceAll(/_x(?<code>[0-9A-F]{4})_/gu, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );

function readSheet(
  file: OfficePackage,
  part: string,
  name: string,
  workbook: Workbook,
  printTitles: string | undefined,
  leftOut: Record<string, number>,
): Sheet {
  const rows: (Map<number, string> | undefined)[] = [];
  const hidden = new Set<number>();
  let cells = 0;
  const tree = file.xml(part, {
    row: (row) => {
      const at = attributeOf(row, 'r') === undefined ? rows.length : Number(attributeOf(row, 'r')) - 1;
      if (!(at >= 0 && at < 2 ** 20)) return;
      const shown = new Map<number, string>();
      let column = 0;
      for (const cell of childrenOf(row, 'c')) {
        const reference = attributeOf(cell, 'r');
        if (reference !== undefined) column = columnOf(reference);
        const text = plainText(displayed(cell, workbook));
        const isStruck = workbook.struck.has(Number(attributeOf(cell, 's') ?? 0));
        if (text !== '' && isStruck) leftOut['struck cell'] = (leftOut['struck cell'] ?? 0) + 1;
        else if (text !== '') shown.set(column, text);
        column++;
      }
      cells += shown.size;
      if (cells > MOST_SHEET_CELLS) throw new Unreadable(TOO_MANY_CELLS);
      if (isTrue(attributeOf(row, 'hidden'))) {
        if (shown.size > 0) hidden.add(at);
      } else rows[at] = shown;
    },
  });
  const sheet = descend(tree, 'worksheet');
  if (hidden.size > 0) leftOut['hidden row'] = (leftOut['hidden row'] ?? 0) + hidden.size;
  const hiddenColumns = rangesOf(
    childrenOf(descend(sheet, 'cols') ?? EMPTY, 'col').filter((each) => isTrue(attributeOf(each, 'hidden'))),
  );
  const columns = [...new Set(rows.flatMap((row) => [...(row?.keys() ?? [])]))].sort((a, b) => a - b);
  const shownColumns = columns.filter(
    (column) => !hiddenColumns.some(([from, to]) => column >= from && column <= to),
  );
  if (shownColumns.length < columns.length)
    leftOut['hidden column'] = (leftOut['hidden column'] ?? 0) + columns.length - shownColumns.length;
  const wide = repeatMerged(rows, sheet);
  // Empty rows at the end are dropped; between tables, one is as good as thousands. A hidden one is between no tables.
  const kept = [...rows.keys()]
    .filter((at) => !hidden.has(at))
    .filter((at, i, all) => rows[at] !== undefined || rows[all[i - 1] ?? -1] !== undefined);
  if (kept.length * shownColumns.length > MOST_SHEET_CELLS) throw new Unreadable(TOO_MANY_CELLS);
  const marked = headsOf(file, part, sheet, printTitles);
  return {
    name: plainText(name),
    rows: kept.map((at) => shownColumns.map((column) => rows[at]?.get(column) ?? '')),
    marked: new Set(kept.flatMap((at, i) => (marked.has(at) ? i : []))),
    spans: new Map(
      kept.flatMap((at, i) => {
        const row = wide.get(at);
        return row === undefined ? [] : [[i, shownColumns.map((column) => row.get(column) ?? '')] as const];
      }),
    ),
  };
}

const EMPTY: XmlElement = { name: '', tag: '', attributes: {}, children: [] };

/** The index of a cell's column, from 0: `C12` → 2. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/u.exec(reference.replaceAll('$', ''))?.[0] ?? 'A')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

const rowOf = (reference: string): number => Number(/\d+/u.exec(reference)?.[0] ?? 1) - 1;

const rangesOf = (columns: readonly XmlElement[]): [number, number][] =>
  columns.map((each) => [Number(attributeOf(each, 'min')) - 1, Number(attributeOf(each, 'max')) - 1]);

/**
 * A cell that spans rows is repeated in each of them. A cell that spans columns may be the head of a group of columns, so
 * its row is also returned with the cell's text in each of these columns.
 */
function repeatMerged(
  rows: (Map<number, string> | undefined)[],
  sheet: XmlElement | undefined,
): Map<number, Map<number, string>> {
  const wide = new Map<number, Map<number, string>>();
  for (const merge of childrenOf(descend(sheet, 'mergeCells') ?? EMPTY, 'mergeCell')) {
    const [from = '', to = from] = (attributeOf(merge, 'ref') ?? '').split(':');
    const [first, column] = [rowOf(from), columnOf(from)];
    const text = rows[first]?.get(column);
    if (text === undefined) continue;
    const last = Math.min(rowOf(to), rows.length - 1);
    // Some programs write the text into each of the cells that one covers, of which nothing is seen.
    for (const row of rows.slice(first, last + 1))
      for (const at of row?.keys() ?? []) if (at > column && at <= columnOf(to)) row!.delete(at);
    for (let row = first + 1; row <= last; row++)
      if ((rows[row]?.size ?? 0) > 0) rows[row]!.set(column, text);
    const lastColumn = Math.min(columnOf(to), column + WIDEST_HEAD);
    if (lastColumn === column || last > first) continue;
    const row = wide.get(first) ?? new Map(rows[first]);
    for (let at = column; at <= lastColumn; at++) row.set(at, text);
    wide.set(first, row);
  }
  return wide;
}

/** The most columns below one head. */
const WIDEST_HEAD = 100;

/** The heads of a table, of a filter, or of the printed pages. */
function headsOf(
  file: OfficePackage,
  part: string,
  sheet: XmlElement | undefined,
  printTitles: string | undefined,
): Set<number> {
  const heads = new Set<number>();
  const filter = attributeOf(descend(sheet, 'autoFilter'), 'ref');
  if (filter !== undefined) heads.add(rowOf(filter));
  for (const { kind, target } of file.references(part).values()) {
    const table = kind === 'table' ? descend(file.xml(target), 'table') : undefined;
    const ref = attributeOf(table, 'ref');
    if (ref !== undefined && attributeOf(table, 'headerRowCount') !== '0') heads.add(rowOf(ref));
  }
  const { from, to } = /\$(?<from>\d+):\$(?<to>\d+)/u.exec(printTitles ?? '')?.groups ?? {};
  if (from !== undefined && from === to) heads.add(Number(from) - 1);
  return heads;
}

/** Old Macs counted days from 1904 on. */
const DAYS_TO_1904 = 1462;

/** The text of a cell as displayed. A formula has its last value. */
function displayed(cell: XmlElement, { styles, texts, locale, is1904 }: Workbook): string {
  const value = cell.children.find((child): child is XmlElement => isXml(child) && child.name === 'v');
  const written = value === undefined ? '' : textOf(value);
  switch (attributeOf(cell, 't') ?? 'n') {
    case 's':
      // Exports of surveys write an empty cell as a shared text that is none.
      return asText(written === '' ? '' : (texts[Number(written)] ?? ''));
    case 'inlineStr':
      return asText(textOfRuns(descend(cell, 'is') ?? EMPTY));
    case 'str':
      return asText(written);
    case 'e':
      return written;
    case 'b':
      return locale === 'de-DE' ? (isTrue(written) ? 'WAHR' : 'FALSCH') : isTrue(written) ? 'TRUE' : 'FALSE';
    case 'd': {
      const serial = dateToSerial(new Date(written), { ignoreTimezone: true });
      return serial === undefined ? written : shown(styleOf(cell, styles), serial, locale);
    }
    default: {
      const number = Number(written);
      if (written === '' || Number.isNaN(number)) return written;
      const pattern = styleOf(cell, styles);
      const isOfOldMac = is1904 && isDateFormat(pattern) && !DURATION.test(pattern);
      return shown(pattern, isOfOldMac ? number + DAYS_TO_1904 : number, locale);
    }
  }

  function asText(text: string): string {
    const pattern = styleOf(cell, styles);
    return pattern.includes('@') && pattern !== '@' ? shown(pattern, text, locale) : text;
  }
}

const styleOf = (cell: XmlElement, styles: readonly string[]): string =>
  styles[Number(attributeOf(cell, 's') ?? 0)] ?? 'General';

/** Hours, minutes or seconds that go on counting above a day: `[h]:mm`. */
const DURATION = /\[(?:h+|m+|s+)\]/iu;

function shown(pattern: string, value: number | string, locale: string): string {
  try {
    // Counted from the beginning of dates, less than nothing would be another day.
    if (DURATION.test(pattern) && typeof value === 'number' && value < 0) {
      const [positive, negative] = pattern.split(';');
      return negative === undefined
        ? `-${format(positive!, -value, { locale })}`
        : format(negative, -value, { locale });
    }
    return format(pattern, value, { locale });
  } catch {
    return String(value);
  }
}
