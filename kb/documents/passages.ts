import type { UnitSpan } from '../source.ts';
import { splitSentences } from '../sentences.ts';
import { shortName, withoutEndlessWords } from '../text-limits.ts';
import { idOf, numbered } from './ids.ts';
import type { Document, Unit } from './unit.ts';

/** A part of a document that can be quoted whole: a section, or a part of a long one. */
interface DocumentPassage {
  readonly id: string;
  /** Its own heading, or the title of the document. */
  readonly title: string;
  /** The headings above it, outermost first, separated by ` › `; empty for text above the first heading. */
  readonly section: string;
  readonly text: string;
  readonly units: readonly UnitSpan[];
  readonly page?: number;
  readonly anchor?: string;
}

/** A section of up to `MOST_WORDS` words stays whole; the parts of a longer one have about `PART_WORDS`. */
const MOST_WORDS = 250;
const PART_WORDS = 180;
/** A shorter remainder joins the previous part; a few words above the first subsection join that one. */
const FEW_WORDS = 40;
const HARDLY_ANY = 12;
/** A list of up to this many items stays whole. */
const WHOLE_LIST = 12;

/**
 * Cuts a document into passages. Every unit except headings is in exactly one of them, in the order of the document; so
 * is a heading that is a statement with nothing below it.
 */
export function passagesOf(document: Document, path: string): DocumentPassage[] {
  const title = shortName(document.title ?? nameOf(path));
  const taken = new Map<string, number>();
  return sectionsOf(document.units.map(notRunningText).map(withinLimits)).flatMap((section) => {
    const headings = section.path.map(({ text }) => text);
    const own = headings.at(-1);
    const above = own === undefined ? [] : headings.slice(0, -1);
    if (own !== undefined && own !== title && above[0] !== title) above.unshift(title);
    // The title and the file's name say the same, so only one is used.
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

/** A heading with more words is a paragraph that was formatted as a heading. */
const LONGEST_HEADING = 30;

const notRunningText = (unit: Unit): Unit =>
  unit.kind === 'heading' && countWords(unit.text) > LONGEST_HEADING
    ? { kind: 'paragraph', text: unit.text, ...(unit.page === undefined ? {} : { page: unit.page }) }
    : unit;

/** The unit with words and names cut to the lengths that later steps allow. */
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
  /** The headings that lead to it; its own is last. */
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

/** Whether a heading with nothing below it is a statement, unlike the name of an empty section or a question. */
const isStatement = (text: string): boolean =>
  text.split(/\s+/u).filter((word) => /\p{L}{2}/u.test(word)).length >= 5 && !text.endsWith('?');

/** The parts of a section: the whole, or parts of about equal length, in which lists stay with what introduces them. */
function partsOf(units: readonly Content[]): Content[][] {
  const words = wordsOf(units);
  if (words <= MOST_WORDS) return [[...units]];
  const share = words / Math.ceil(words / PART_WORDS);
  const parts: Content[][] = [];
  let part: Content[] = [];
  let before = 0;
  for (const group of withWarnings(groupsOf(units.flatMap(notTooLong)))) {
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

/** Units that stay together: a short list with what introduces it; every other unit is alone. */
function groupsOf(units: readonly Content[]): Content[][] {
  const groups: Content[][] = [];
  for (let at = 0; at < units.length;) {
    let end = at + 1;
    while (units[end]?.kind === 'item') end++;
    const list = units.slice(at, end);
    const isList = list.length > 1 && (list[0]!.kind === 'item' || leadsIn(list[0]!));
    const isWhole = isList && list.length <= WHOLE_LIST + 1 && wordsOf(list) <= MOST_WORDS;
    // A long list is divided, but what introduces it stays with the first item.
    const together = isWhole ? list.length : isList && list[0]!.kind !== 'item' ? 2 : 1;
    const taken = isList ? list.length : 1;
    groups.push(list.slice(0, together), ...list.slice(together, taken).map((item) => [item]));
    at += taken;
  }
  return groups;
}

/** What a box is called, alone in a paragraph where its picture stood, or at the beginning of its text. */
const CALLED =
  /^(?:warning|caution|danger|important|note|tip|warnung|achtung|vorsicht|gefahr|wichtig|hinweis|anmerkung|tipp)(?!\p{L})/iu;
const isLabel = (unit: Content): boolean =>
  unit.kind === 'paragraph' && CALLED.test(unit.text) && !/\s/u.test(unit.text.trim());

/** A warning stays with what it warns of, and the name of its box with its text, as far as a passage goes. */
function withWarnings(groups: readonly Content[][]): Content[][] {
  const joined: Content[][] = [];
  for (const group of groups) {
    const last = joined.at(-1);
    const [first] = group;
    const belongs =
      last !== undefined &&
      (isLabel(last.at(-1)!) ||
        first!.kind === 'note' ||
        (first!.kind === 'paragraph' && CALLED.test(first!.text)));
    if (belongs && wordsOf(last) + wordsOf(group) <= PART_WORDS) last.push(...group);
    else joined.push([...group]);
  }
  return joined;
}

const leadsIn = (unit: Content): boolean => unit.kind === 'paragraph' && unit.text.endsWith(':');

/** Divides a unit that is longer than a passage at its sentences or lines. */
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
 * The text of a passage with the positions of its units. A list, a table or code at the beginning says little alone, so
 * the heading introduces it.
 */
function textOf(units: readonly Content[], heading?: string): { text: string; units: UnitSpan[] } {
  let text = '';
  const spans: UnitSpan[] = [];
  const isLed = heading !== undefined && ['item', 'row', 'code'].includes(units[0]!.kind);
  if (isLed) {
    text = heading;
    spans.push({ kind: 'heading', start: 0, end: text.length, lead: null });
  }
  /** True while only units that the heading introduces have come. */
  let isBelow = isLed;
  /** The units that introduce the open lists, by depth. */
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

/** A unit as it is read, quoted and verified: an item has its number but not its bullet. */
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

/** The folders and the file name without extension, without those that only mean the folder's own text. */
function piecesOf(path: string): string[] {
  const pieces = path.replace(/\.[^./]+$/u, '').split('/');
  return pieces.length > 1 && /^(?:_?index|readme)$/iu.test(pieces.at(-1)!) ? pieces.slice(0, -1) : pieces;
}

/** The file name in words: `Urlaub_2024.docx` is `Urlaub 2024`. */
export const nameOf = (path: string): string => piecesOf(path).at(-1)!.replaceAll(/[_-]+/gu, ' ').trim();
