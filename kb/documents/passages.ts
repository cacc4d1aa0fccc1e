import type { UnitSpan } from '../source.ts';
import { splitSentences } from '../sentences.ts';
import { shortName, withoutEndlessWords } from '../text-limits.ts';
import { idOf, numbered } from './ids.ts';
import type { Document, Unit } from './unit.ts';

/** A stretch of a document that can be told whole: a section, or a part of a long one. */
export interface DocumentPassage {
  readonly id: string;
  /** Its own heading, or the document's title. */
  readonly title: string;
  /** The headings above it, outermost first, ` › ` between them; empty for those of the document as a whole. */
  readonly section: string;
  readonly text: string;
  readonly units: readonly UnitSpan[];
  readonly page?: number;
  readonly anchor?: string;
}

/** Words up to which a section stays whole, and about which the parts of a longer one have. */
const MOST_WORDS = 250;
const PART_WORDS = 180;
/** A remainder below this joins the part before it; what stands above the first of several subsections joins that one. */
const FEW_WORDS = 40;
const HARDLY_ANY = 12;
/** Items up to which a list is not parted. */
const WHOLE_LIST = 12;

/** Cuts a document into its passages. Every unit but the headings
 * stands in exactly one of them, in the order of the document; so does a heading that is a statement with nothing below it. */
export function passagesOf(document: Document, path: string): DocumentPassage[] {
  const title = shortName(document.title ?? nameOf(path));
  const taken = new Map<string, number>();
  return sectionsOf(document.units.map(notRunningText).map(withinLimits)).flatMap((section) => {
    const headings = section.path.map(({ text }) => text);
    const own = headings.at(-1);
    const above = own === undefined ? [] : headings.slice(0, -1);
    if (own !== undefined && own !== title && above[0] !== title) above.unshift(title);
    // The title says of the file what its name does.
    const place = idOf([...piecesOf(path), ...headings.filter((heading, i) => i > 0 || heading !== title)]);
    const { anchor } = section.path.at(-1) ?? {};
    return partsOf(section.units).map((units): DocumentPassage => {
      const number = (taken.get(place) ?? 0) + 1;
      taken.set(place, number);
      const { page } = units.find((unit) => unit.page !== undefined) ?? {};
      return {
        id: number === 1 ? place : numbered(place, number),
        title: own ?? title,
        section: above.join(' › '),
        ...textOf(units, own),
        ...(page === undefined ? {} : { page }),
        ...(anchor === undefined ? {} : { anchor }),
      };
    });
  });
}

/** A heading of more words is a paragraph that somebody gave the looks of a heading. */
const LONGEST_HEADING = 30;

const notRunningText = (unit: Unit): Unit =>
  unit.kind === 'heading' && countWords(unit.text) > LONGEST_HEADING
    ? { kind: 'paragraph', text: unit.text, ...(unit.page === undefined ? {} : { page: unit.page }) }
    : unit;

/** The unit with no word and no name longer than what looks at them can take. */
function withinLimits(unit: Unit): Unit {
  switch (unit.kind) {
    case 'heading':
      return { ...unit, text: shortName(unit.text) };
    case 'row':
      return {
        ...unit,
        cells: unit.cells.map(({ head, text }) => ({
          head: shortName(head),
          text: withoutEndlessWords(text),
        })),
      };
    case 'definition':
      return { ...unit, term: shortName(unit.term), text: withoutEndlessWords(unit.text) };
    case 'note':
      return { ...unit, label: shortName(unit.label), text: withoutEndlessWords(unit.text) };
    case 'paragraph':
    case 'item':
    case 'code':
      return { ...unit, text: withoutEndlessWords(unit.text) };
  }
}

/** The running texts of a unit, without names. */
export function textsOf(unit: Unit): string[] {
  if (unit.kind === 'heading') return [];
  return unit.kind === 'row' ? unit.cells.map(({ text }) => text) : [unit.text];
}

type Heading = Extract<Unit, { kind: 'heading' }>;
type Content = Exclude<Unit, Heading>;

interface Section {
  /** The headings that lead to it, its own last. */
  readonly path: readonly Heading[];
  readonly units: readonly Content[];
}

function sectionsOf(units: readonly Unit[]): Section[] {
  const sections: { path: readonly Heading[]; units: Content[] }[] = [{ path: [], units: [] }];
  let path: readonly Heading[] = [];
  for (const unit of units) {
    if (unit.kind !== 'heading') {
      sections.at(-1)!.units.push(unit);
      continue;
    }
    path = [...path.filter(({ level }) => level < unit.level), unit];
    const before = sections.at(-1)!;
    const isBelow = before.path.length > 0 && before.path.every((heading, i) => heading === path[i]);
    // A line or two above the first subsection says too little alone.
    const opening = isBelow && wordsOf(before.units) < HARDLY_ANY ? before.units.splice(0) : [];
    sections.push({ path, units: opening });
  }
  return sections.flatMap((section, i) => {
    if (section.units.length > 0) return [section];
    const own = section.path.at(-1);
    const isAbove = sections[i + 1]?.path.includes(own!) === true;
    return own !== undefined && !isAbove && isStatement(own.text)
      ? [{ ...section, units: [{ ...own, kind: 'paragraph' as const }] }]
      : [];
  });
}

/** Whether a heading with nothing below it says something by itself: the name of an empty section or a question does not. */
const isStatement = (text: string): boolean =>
  text.split(/\s+/u).filter((word) => /\p{L}{2}/u.test(word)).length >= 5 && !text.endsWith('?');

/** The parts that a section is told in: the whole of it, or about as many words each, lists with what leads into them. */
function partsOf(units: readonly Content[]): Content[][] {
  const words = wordsOf(units);
  if (words <= MOST_WORDS) return [[...units]];
  const share = words / Math.ceil(words / PART_WORDS);
  const parts: Content[][] = [];
  let part: Content[] = [];
  let before = 0;
  for (const group of groupsOf(units.flatMap(notTooLong))) {
    const size = wordsOf(group);
    if (part.length > 0 && before + size / 2 > share * (parts.length + 1)) {
      parts.push(part);
      part = [];
    }
    part.push(...group);
    before += size;
  }
  const last = parts.at(-1);
  if (last !== undefined && wordsOf(part) < FEW_WORDS && wordsOf(last) + wordsOf(part) <= MOST_WORDS)
    last.push(...part);
  else parts.push(part);
  return parts;
}

/** What stays together: a list that is not long with what leads into it, and else each unit alone. */
function groupsOf(units: readonly Content[]): Content[][] {
  const groups: Content[][] = [];
  for (let at = 0; at < units.length;) {
    let end = at + 1;
    while (units[end]?.kind === 'item') end++;
    const list = units.slice(at, end);
    const isList = list.length > 1 && (list[0]!.kind === 'item' || leadsIn(list[0]!));
    const isWhole = isList && list.length <= WHOLE_LIST + 1 && wordsOf(list) <= MOST_WORDS;
    // A long list is parted, but what leads into it keeps its first item.
    const taken = isWhole ? list.length : isList && list[0]!.kind !== 'item' ? 2 : 1;
    groups.push(list.slice(0, taken));
    at += taken;
  }
  return groups;
}

const leadsIn = (unit: Content): boolean => unit.kind === 'paragraph' && unit.text.endsWith(':');

/** A unit of more words than a passage has, at its sentences or lines. */
function notTooLong(unit: Content): Content[] {
  if (unit.kind === 'row' || wordsOf([unit]) <= MOST_WORDS) return [unit];
  const pieces =
    unit.kind === 'code' ? unit.text.split(/(?<=\n)/u) : splitSentences(unit.text).map(({ text }) => text);
  const joint = unit.kind === 'code' ? '' : ' ';
  const parts: string[] = [];
  let inLast = 0;
  for (const piece of pieces.length === 0 ? [unit.text] : pieces) {
    const words = countWords(piece);
    const last = parts.at(-1);
    inLast += words;
    if (last !== undefined && inLast <= PART_WORDS) parts[parts.length - 1] = last + joint + piece;
    else {
      parts.push(piece);
      inLast = words;
    }
  }
  return parts.map((text) => ({ ...unit, text }));
}

/**
 * The text of a passage, and where its units stand in it. A list, a table or code at its beginning says little alone: the heading
 * leads into it.
 */
function textOf(units: readonly Content[], heading?: string): { text: string; units: UnitSpan[] } {
  let text = '';
  const spans: UnitSpan[] = [];
  const isLed = heading !== undefined && ['item', 'row', 'code'].includes(units[0]!.kind);
  if (isLed) {
    text = heading;
    spans.push({ kind: 'heading', start: 0, end: text.length, lead: null });
  }
  /** True while nothing but what the heading leads into has come. */
  let isBelow = isLed;
  /** The units that lead into the lists that are open, by depth. */
  const leads: (number | null)[] = [];
  for (const [i, unit] of units.entries()) {
    const before = units[i - 1];
    const isClose =
      before !== undefined && before.kind === unit.kind && (unit.kind === 'item' || unit.kind === 'row');
    if (text !== '')
      text += isClose || (unit.kind === 'item' && before !== undefined && leadsIn(before)) ? '\n' : '\n\n';
    isBelow &&= unit.kind === units[0]!.kind;
    let lead: number | null = isBelow ? 0 : null;
    if (unit.kind === 'item') {
      leads.length = Math.min(leads.length, unit.depth + 1);
      if (leads.length === unit.depth + 1) lead = leads[unit.depth]!;
      else {
        if (before !== undefined && (leadsIn(before) || before.kind === 'item')) lead = spans.length - 1;
        while (leads.length < unit.depth) leads.push(null);
        leads.push(lead);
      }
      text += '  '.repeat(unit.depth) + (unit.marker === undefined ? '- ' : '');
    } else leads.length = 0;
    const start = text.length;
    text += shownOf(unit);
    spans.push({ kind: unit.kind, start, end: text.length, lead });
  }
  return { text, units: spans };
}

/** A unit as it is read, told and verified: an item with its number, without its bullet. */
function shownOf(unit: Content): string {
  switch (unit.kind) {
    case 'paragraph':
    case 'code':
      return unit.text;
    case 'item':
      return unit.marker === undefined ? unit.text : `${unit.marker} ${unit.text}`;
    case 'row':
      return unit.cells.map(({ head, text }) => (head === '' ? text : `${head}: ${text}`)).join('; ');
    case 'definition':
      return `${unit.term}: ${unit.text}`;
    case 'note':
      return /\p{L}/u.test(unit.label) ? `${unit.label}: ${unit.text}` : unit.text;
  }
}

const wordsOf = (units: readonly Content[]): number =>
  units.reduce((sum, unit) => sum + countWords(shownOf(unit)), 0);

const countWords = (text: string): number => text.split(/\s+/u).filter((word) => word !== '').length;

/** Folders and the file's name without its ending, which are left out where they only say that this is the folder's own text. */
function piecesOf(path: string): string[] {
  const pieces = path.replace(/\.[^./]+$/u, '').split('/');
  return pieces.length > 1 && /^(?:_?index|readme)$/iu.test(pieces.at(-1)!) ? pieces.slice(0, -1) : pieces;
}

/** The file's name in words: `Urlaub_2024.docx` is `Urlaub 2024`. */
export const nameOf = (path: string): string => piecesOf(path).at(-1)!.replaceAll(/[_-]+/gu, ' ').trim();
