import { joinHeadings } from '../heading.ts';
import type { UnitSpan } from '../source.ts';
import { splitSentences } from '../sentences.ts';
import { shortName, withoutEndlessWords } from '../text-limits.ts';
import { idOf, numbered } from './ids.ts';
import { isOfCaption, LONGEST_CAPTION } from './table-caption.ts';
import { isTitleOf } from './organisation.ts';
import type { Document, Heading, Unit } from './unit.ts';

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
/** A row of short cells stays whole up to so many words, such as the answers to a survey. */
const LONGEST_ROW = 2 * MOST_WORDS;
/** A shorter remainder joins the previous part; a few words above the first subsection join that one. */
const FEW_WORDS = 40;
const HARDLY_ANY = 12;
/** A list of up to this many items stays whole. */
const WHOLE_LIST = 12;

/**
 * Cuts a document into passages. Every unit except headings is in exactly one of them, in the order of the document; so
 * is a heading with nothing below it.
 */
export function passagesOf(document: Document, path: string): DocumentPassage[] {
  const title = shortName(document.title ?? nameOf(path));
  const units = withoutLinesOfText(document.units).map(notRunningText).map(withinLimits);
  const sections = sectionsOf(units, title, document.slides === true).map((section) => ({
    ...section,
    parts: partsOf(section.units),
  }));
  const taken = new Map<string, number>();
  const idsOf = ({ path: above, told, parts }: (typeof sections)[number]): string[] => {
    const headings = (told ?? above).map(({ text }) => text);
    // The title and the file's name say the same, so only one is used.
    const place = idOf([
      ...piecesOf(path),
      ...headings.filter((heading, i) => i > 0 || !isTitleOf(title, heading)),
    ]);
    return parts.map(() => {
      const number = (taken.get(place) ?? 0) + 1;
      taken.set(place, number);
      return number === 1 ? place : numbered(place, number);
    });
  };
  // Headings without text are numbered last, so that they change no id of a text.
  const ids = new Map(
    [...sections]
      .sort((a, b) => Number('told' in a) - Number('told' in b))
      .map((each) => [each, idsOf(each)]),
  );
  return sections.flatMap((section) => {
    const headings = section.path.map(({ text }, i) => (i === 0 && isTitleOf(title, text) ? title : text));
    const own = headings.at(-1);
    const above = own === undefined ? [] : headings.slice(0, -1);
    if (own !== undefined && own !== title && above[0] !== title) above.unshift(title);
    const { anchor } = (section.told ?? section.path).at(-1) ?? {};
    return section.parts.map((units, i): DocumentPassage => {
      const { page } =
        units.find((unit) => unit.kind !== 'heading' && unit.page !== undefined) ?? units[0] ?? {};
      return {
        id: ids.get(section)![i]!,
        title: own ?? title,
        section: joinHeadings(above),
        ...textOf(led(units, section.path.at(-1))),
        ...(page === undefined ? {} : { page }),
        ...(anchor === undefined ? {} : { anchor }),
      };
    });
  });
}

/** A heading with more words is a paragraph that was formatted as a heading. */
const LONGEST_HEADING = 30;

/** From this many words on, a heading of a printed page whose sentence goes on below it is a line of text. */
const LONG_LINE = 8;
const OF_A_PARAGRAPH = /^\(\d{1,3}[a-z]?\)\s/u;

/**
 * The units with lines of text told as text, which only their looks made headings of a page: the text goes on below them within a
 * word or a sentence, or they begin a numbered paragraph.
 */
function withoutLinesOfText(units: readonly Unit[]): readonly Unit[] {
  const told: Unit[] = [];
  for (let at = 0; at < units.length; at++) {
    const unit = units[at]!;
    const next = units[at + 1];
    if (unit.kind !== 'heading' || unit.page === undefined) told.push(unit);
    else if (next?.kind === 'paragraph' && goesOnBelow(unit, next.text)) {
      const text = unit.text.replace(/(?<=\p{L})-$/u, '');
      told.push({ ...next, text: `${text}${text === unit.text ? ' ' : ''}${next.text}` });
      at += 1;
    } else
      told.push(
        OF_A_PARAGRAPH.test(unit.text) && countWords(unit.text) >= LONG_LINE ? asParagraph(unit) : unit,
      );
  }
  return told;
}

const goesOnBelow = ({ text }: Heading, below: string): boolean =>
  /^\p{Ll}/u.test(below) && (/\p{Ll}-$/u.test(text) || countWords(text) >= LONG_LINE);

const notRunningText = (unit: Unit): Unit =>
  unit.kind === 'heading' && countWords(unit.text) > LONGEST_HEADING ? asParagraph(unit) : unit;

const asParagraph = ({ text, page }: Heading): Unit => ({
  kind: 'paragraph',
  text,
  ...(page === undefined ? {} : { page }),
});

/** The unit with words and names cut to the lengths that later steps allow. */
function withinLimits(unit: Unit): Unit {
  switch (unit.kind) {
    case 'heading':
      return { ...unit, text: shortName(unit.text) };
    case 'row':
      return {
        ...unit,
        ...(unit.caption === undefined ? {} : { caption: shortName(unit.caption) }),
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

/** The running texts of a unit, without headings, heads of columns, terms and labels. */
export function textsOf(unit: Unit): string[] {
  if (unit.kind === 'heading') return [];
  return unit.kind === 'row' ? unit.cells.map(({ text }) => text) : [unit.text];
}

interface Section {
  /** The headings that lead to it; its own is last. */
  readonly path: readonly Heading[];
  /** Where it only tells headings without text: the path of the first of them. */
  readonly told?: readonly Heading[];
  readonly units: readonly Unit[];
}

function sectionsOf(units: readonly Unit[], title: string, areSlides: boolean): Section[] {
  const all: { readonly path: readonly Heading[]; readonly units: Unit[] }[] = [{ path: [], units: [] }];
  for (const [i, unit] of units.entries()) {
    if (areSlides && i > 0 && unit.page !== units[i - 1]!.page) all.push({ path: [], units: [] });
    const { path, units: own } = all.at(-1)!;
    if (unit.kind !== 'heading') own.push(unit);
    else all.push({ path: [...path.filter(({ level }) => level < unit.level), unit], units: [] });
  }
  const written = all.filter((each, i) => i === 0 || each.path.length > 0 || each.units.length > 0);
  const isBare = ({ path, units: own }: Section, i: number): boolean =>
    own.length === 0 && path.length > 0 && written[i + 1]?.path.includes(path.at(-1)!) !== true;
  const isTitle = ({ path }: Section): boolean => path.length > 0 && isTitleOf(title, path.at(-1)!.text);
  /** Whether a heading alone leads into the section beside it, whose heading is below it in all but its level. */
  const leadsOn = (section: Section, i: number): boolean => {
    const next = written[i + 1];
    const own = section.path.at(-1)!;
    return (
      next !== undefined &&
      next.units.length > 0 &&
      // A slide with a title alone, or a page of one, may have a picture.
      next.path.at(-1)?.page === own.page &&
      next.path.length === section.path.length &&
      isWithin(next.path, section.path.slice(0, -1)) &&
      !isBare(written[i - 1]!, i - 1) &&
      !(NUMBERED.test(own.text) && NUMBERED.test(next.path.at(-1)!.text))
    );
  };
  const isTitleAlone = written.every(
    (each, i) => each.units.length === 0 && (!isBare(each, i) || isTitle(each)),
  );

  const sections: {
    path: readonly Heading[];
    told?: readonly Heading[];
    units: Unit[];
    isOpening: boolean;
  }[] = [];
  let leading: readonly Unit[] = [];
  for (const [i, each] of written.entries()) {
    const last = sections.at(-1);
    if (each.units.length > 0) {
      if (last !== undefined && leading.length === 0 && stepsGoOn(last, each)) {
        last.units.push(...each.path.slice(last.path.length), ...each.units);
        continue;
      }
      // A line or two above the first subsection says too little alone; the headings below it stay below it.
      const opening = last?.isOpening === true && isWithin(each.path, last.path) ? sections.pop() : undefined;
      const above = opening === undefined ? [] : led(opening.units, opening.path.at(-1));
      const between =
        opening !== undefined
          ? each.path.slice(opening.path.length)
          : leading.length > 0
            ? each.path.slice(-1)
            : [];
      const units = [...above, ...leading, ...between, ...each.units];
      leading = [];
      // A notice below the title of a page is for all of the page.
      const isOpening =
        each.path.length > 0 &&
        units.every(({ kind }) => kind !== 'note') &&
        wordsOf(units.filter(({ kind }) => kind !== 'heading')) < HARDLY_ANY;
      sections.push({ path: each.path, units, isOpening });
    } else if (isBare(each, i) && (isTitleAlone || !isTitle(each))) {
      if (leadsOn(each, i)) {
        leading = [{ kind: 'paragraph', text: each.path.at(-1)!.text }];
        continue;
      }
      // A heading with nothing below it is told below the one above it, beside others of its kind.
      const path = each.path.slice(0, -1);
      const told = asParagraph(each.path.at(-1)!);
      if (last === undefined || last.path.length !== path.length || !isWithin(path, last.path))
        sections.push({ path, told: each.path, units: [told], isOpening: false });
      else {
        last.units.push(told);
        last.isOpening = false;
      }
    }
  }
  return sections;
}

/** The number of a step; `NaN` for what is none. */
const numberOf = (unit: Unit | undefined): number =>
  unit?.kind === 'item' && unit.depth === 0 ? Number(/^(\d{1,3})[.)]$/u.exec(unit.marker ?? '')?.[1]) : NaN;
const isStep = (unit: Unit): boolean => numberOf(unit) > 0;

/** Whether the numbers of an instruction go on below a subheading, and both are short enough for one passage. */
function stepsGoOn(above: Section, below: Section): boolean {
  return (
    below.path.length > above.path.length &&
    isWithin(below.path, above.path) &&
    numberOf(below.units.find(isStep)) === numberOf(above.units.findLast(isStep)) + 1 &&
    wordsOf(above.units) + wordsOf(below.units) <= MOST_WORDS
  );
}

/** Headings with numbers stand beside each other: none of them leads into the next. */
const NUMBERED = /^(?:§+\s?|\p{L}+\s)?\d|^(?:[IVX]+|\p{L})[.)]\s/u;

const isWithin = (path: readonly Heading[], above: readonly Heading[]): boolean =>
  above.every((heading, i) => heading === path[i]);

/** The parts of a section: the whole, or parts of about equal length, in which lists stay with what introduces them. */
function partsOf(units: readonly Unit[]): Unit[][] {
  const words = wordsOf(units);
  if (words <= MOST_WORDS) return [[...units]];
  const share = words / Math.ceil(words / PART_WORDS);
  const parts: Unit[][] = [];
  let part: Unit[] = [];
  let before = 0;
  for (const group of joined(groupsOf(units.flatMap(notTooLong)))) {
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

const beginsTable = (unit: Unit): boolean => unit.kind === 'row' && unit.begins === true;

/** Units that stay together: a short list or table, an item with the items below it; every other unit is alone. */
function groupsOf(units: readonly Unit[]): Unit[][] {
  const groups: Unit[][] = [];
  for (let at = 0; at < units.length;) {
    const { kind } = units[at]!;
    const next = units.findIndex((unit, i) => i > at && (unit.kind !== kind || beginsTable(unit)));
    const run = units.slice(at, next === -1 ? units.length : next);
    const before = units[at - 1];
    const whole = before !== undefined && leadsIn(before) ? [before, ...run] : run;
    if (kind === 'item' && (whole.length > WHOLE_LIST + 1 || wordsOf(whole) > MOST_WORDS))
      groups.push(...itemsOf(run));
    else if (kind === 'item' || (kind === 'row' && wordsOf(run) <= PART_WORDS)) groups.push(run);
    else groups.push(...run.map((unit) => [unit]));
    at += run.length;
  }
  return groups;
}

/** The items of a list that is too long to stay whole, each with the items below it, or the first of very many. */
function itemsOf(list: readonly Unit[]): Unit[][] {
  const items: Unit[][] = [];
  for (const item of list) {
    const last = items.at(-1);
    if (last !== undefined && depthOf(item) > depthOf(last[0]!)) last.push(item);
    else items.push([item]);
  }
  return items.flatMap((item) => {
    const [own, ...below] = item;
    if (below.length === 0 || wordsOf(item) <= PART_WORDS) return [item];
    const [first, ...others] = itemsOf(below);
    return [[own!, ...first!], ...others];
  });
}

const depthOf = (unit: Unit): number => (unit.kind === 'item' ? unit.depth : 0);

/** What a box is called, alone in a paragraph where its picture stood, or at the beginning of its text. */
const CALLED =
  /^(?:warning|caution|danger|important|note|tip|warnung|achtung|vorsicht|gefahr|wichtig|hinweis|anmerkung|tipp)(?!\p{L})/iu;
const isLabel = (unit: Unit): boolean =>
  unit.kind === 'paragraph' && CALLED.test(unit.text) && !/\s/u.test(unit.text.trim());

/**
 * A lead-in stays with what it introduces, the head of an entry of a log with the entry, a question with its answer, a title with its text,
 * a caption with the first row of its table, and as far as a passage goes, a warning with what it warns of, an entry with all of it, and the
 * name of its box with its text.
 */
function joined(groups: readonly Unit[][]): Unit[][] {
  const together: Unit[][] = [];
  for (const [i, group] of groups.entries()) {
    const last = together.at(-1);
    const [first] = group;
    const isOfEntry = last !== undefined && isEntry(last[0]!) && !isEntry(first!);
    const isIntroduced =
      last !== undefined &&
      (introduces(last.at(-1)!) ||
        (isQuestion(last.at(-1)!) && !isQuestion(first!)) ||
        (isTitleLine(last.at(-1)!) && (!isTitleLine(first!) || wordsOf(last) < HARDLY_ANY)) ||
        (isOfEntry && last.length === 1 && wordsOf(last) <= LONGEST_HEADING) ||
        isCaption(last.at(-1)!, groups.slice(i, i + LONGEST_CAPTION)));
    const isCutOff =
      last !== undefined && hasNoEnd(last.at(-1)!) && first!.kind === 'paragraph' && !hasNoEnd(first!);
    const belongs =
      last !== undefined &&
      (isLabel(last.at(-1)!) ||
        isOfEntry ||
        first!.kind === 'note' ||
        (first!.kind === 'paragraph' && CALLED.test(first!.text)));
    // A heading stays with its text however long that is.
    const most =
      last?.at(-1)?.kind === 'heading'
        ? Infinity
        : isIntroduced
          ? 2 * MOST_WORDS
          : isCutOff
            ? MOST_WORDS
            : belongs
              ? PART_WORDS
              : 0;
    if (last !== undefined && wordsOf(last) + wordsOf(group) <= most) last.push(...group);
    else together.push([...group]);
  }
  return together;
}

const introduces = (unit: Unit): boolean =>
  unit.kind === 'heading' || (unit.kind !== 'code' && unit.kind !== 'row' && unit.text.endsWith(':'));

/** A short question, which says nothing without its answer. */
const isQuestion = (unit: Unit): boolean =>
  unit.kind === 'paragraph' && /\?["“”»*]?$/u.test(unit.text) && countWords(unit.text) <= LONGEST_HEADING;

/** The head of an entry in a log, which begins with its date, or as Git writes it. */
const ENTRY =
  /^(?:commit [\da-f]{7,40}\b|[[(]?(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})|\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2}))(?!\d))/u;

const isEntry = (unit: Unit): boolean => unit.kind === 'paragraph' && ENTRY.test(unit.text);

/** A text that ends no sentence; what its author broke off goes on in the next one. */
const hasNoEnd = (unit: Unit): boolean =>
  unit.kind === 'paragraph' && !/[.!?:;,…]["»”“')\]]*$/u.test(unit.text);

/** A line by itself that ends no sentence: what its author set as a title, though it is no heading of the file. */
const isTitleLine = (unit: Unit): boolean =>
  hasNoEnd(unit) && /^[\p{Lu}\d§„"“(]/u.test(shownOf(unit)) && wordsOf([unit]) < HARDLY_ANY;

/** Whether a line belongs to the caption of the table that follows. */
function isCaption(line: Unit, groups: readonly Unit[][]): boolean {
  const row = groups.flat().find(({ kind }) => kind !== 'paragraph');
  return row?.kind === 'row' && isOfCaption(line, row);
}

const leadsIn = (unit: Unit): boolean => unit.kind === 'paragraph' && unit.text.endsWith(':');

/** The lines of code, of which those between empty ones stay together as far as a passage goes. */
const linesTogether = (code: string): string[] =>
  code
    .split(/(?<=\n[^\S\n]*\n)(?=\S)/u)
    .flatMap((block) => (countWords(block) > PART_WORDS ? block.split(/(?<=\n)/u) : [block]));

/** Divides a unit that is longer than a passage at its sentences or lines, and a row at its cells. */
function notTooLong(unit: Unit): Unit[] {
  if (unit.kind === 'heading' || wordsOf([unit]) <= MOST_WORDS) return [unit];
  if (unit.kind === 'row' && unit.cells.length !== 1) {
    // Half of a row of short cells does not say what it is about.
    const isShort = unit.cells.every(({ text }) => countWords(text) <= FEW_WORDS);
    return isShort && wordsOf([unit]) <= LONGEST_ROW
      ? [unit]
      : unit.cells.flatMap((cell) => notTooLong({ ...unit, cells: [cell] }));
  }
  const [whole] = textsOf(unit) as [string];
  const pieces = unit.kind === 'code' ? linesTogether(whole) : splitSentences(whole).map(({ text }) => text);
  const joint = unit.kind === 'code' ? '' : ' ';
  const parts: string[] = [];
  let inLast = 0;
  for (const piece of pieces.length === 0 ? [whole] : pieces) {
    const words = countWords(piece);
    const last = parts.at(-1);
    inLast += words;
    if (last !== undefined && inLast <= PART_WORDS) parts[parts.length - 1] = last + joint + piece;
    else {
      parts.push(piece);
      inLast = words;
    }
  }
  return parts.map((text) =>
    unit.kind === 'row' ? { ...unit, cells: [{ ...unit.cells[0]!, text }] } : { ...unit, text },
  );
}

const saysLittleAlone = ({ kind }: Unit): boolean => kind === 'item' || kind === 'row' || kind === 'code';

/** A list, a table or code at the beginning says little alone, so the heading introduces it, or the table's caption. */
function led(units: readonly Unit[], heading: Heading | undefined): readonly Unit[] {
  const [first] = units;
  if (first?.kind === 'row' && first.caption !== undefined)
    return [{ kind: 'heading', level: heading?.level ?? 1, text: first.caption }, ...units];
  return heading !== undefined && saysLittleAlone(first!) ? [heading, ...units] : units;
}

/** The text of a passage with the positions of its units. */
function textOf(units: readonly Unit[]): { text: string; units: UnitSpan[] } {
  let text = '';
  const spans: UnitSpan[] = [];
  /** The heading or caption that introduces the units to come, while these are of one kind. */
  let introduction: number | null = null;
  /** The units that introduce the open lists, by depth. */
  const leads: (number | null)[] = [];
  for (const [i, unit] of units.entries()) {
    const before = units[i - 1];
    const isClose =
      before !== undefined &&
      before.kind === unit.kind &&
      (unit.kind === 'item' || (unit.kind === 'row' && !beginsTable(unit)));
    if (text !== '')
      text += isClose || (unit.kind === 'item' && before !== undefined && leadsIn(before)) ? '\n' : '\n\n';
    if (before?.kind === 'heading') introduction = saysLittleAlone(unit) ? spans.length - 1 : null;
    else if (unit.kind === 'row' && isOfCaption(before, unit)) introduction = spans.length - 1;
    else if (before !== undefined && before.kind !== unit.kind) introduction = null;
    let lead: number | null = introduction;
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
    const points = unit.kind === 'item' && unit.points === true;
    spans.push({ kind: unit.kind, start, end: text.length, lead, ...(points ? { points } : {}) });
  }
  return { text, units: spans };
}

/** A unit as it is read, quoted and verified: an item has its number but not its bullet. */
function shownOf(unit: Unit): string {
  switch (unit.kind) {
    case 'heading':
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
      // A number or a letter alone is a mark of a footnote.
      return /\p{L}{2}/u.test(unit.label) ? `${unit.label}: ${unit.text}` : unit.text;
  }
}

const wordsOf = (units: readonly Unit[]): number =>
  units.reduce((sum, unit) => sum + countWords(shownOf(unit)), 0);

const countWords = (text: string): number => text.split(/\s+/u).filter((word) => word !== '').length;

/** The folders and the file name without extension, without those that only mean the folder's own text. */
function piecesOf(path: string): string[] {
  const pieces = path.replace(/\.[^./]+$/u, '').split('/');
  return pieces.length > 1 && /^(?:_?index|readme)$/iu.test(pieces.at(-1)!) ? pieces.slice(0, -1) : pieces;
}

/** What a program adds to the names of exported files so that each is unique: `Urlaub 0123456789abcdef0123456789abcdef_all`. */
const ID_OF_EXPORT = /(?<=\S)[ _-](?=\d*[a-f])[0-9a-f]{32}(?![0-9a-z])/gu;

/** The file name in words: `Urlaub_2024.docx` is `Urlaub 2024`. */
export const nameOf = (path: string): string =>
  piecesOf(path).at(-1)!.replaceAll(ID_OF_EXPORT, '').replaceAll(/[_-]+/gu, ' ').trim();
