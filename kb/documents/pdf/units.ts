import { endsAsText, isLabel } from '../heading-look.ts';
import { plainText } from '../plain-text.ts';
import type { Row, Unit } from '../unit.ts';
import type { Grid } from './grid.ts';
import { headsOf } from './heads.ts';
import type { Block } from './layout.ts';
import {
  beginsNote,
  continues,
  groupsOf,
  hasNoEnd,
  joinLines,
  legible,
  textsOf,
  type Group,
  type Known,
} from './paragraphs.ts';
import type { Bookmark } from './pdfium.ts';
import { segmentsOf, textOf, type Segment } from './segments.ts';
import { LARGER, usualSize, type Word } from './words.ts';

interface PageBlocks {
  readonly number: number;
  readonly blocks: readonly Block[];
}

const LONGEST_HEADING = 200;
const SECTION_NUMBER =
  /^(?:(?<number>\d{1,3}(?:\.\d{1,3}){0,5})[.)]?|§+\s?\d+[a-z]?\.?|Artikel \d+|[IVX]{1,5}\.|[A-Z]\.)\s+\p{L}/u;
const NOTE_MARK = /^(?<mark>\d{1,3}|\*{1,3}|†|‡)[)]?\s*(?=\S)/u;

/** The units of all pages: what continues on the next page is one unit, unless they are slides. */
export function unitsOfPages(
  pages: readonly PageBlocks[],
  outline: readonly Bookmark[],
  known: Known,
  areSlides: boolean,
): Unit[] {
  const body = bodySize(pages);
  const rank = headingRanks(pages, body, outline);
  const units: Unit[] = [];
  const open = new Open(units, known);
  for (const [at, { number, blocks }] of pages.entries()) {
    const groups = groupsOf(blocks);
    const title = at === 0 && pages.length > 1 && !areSlides ? sizeOnTitlePage(groups, body) : 0;
    const notes: Unit[] = [];
    const labels = new Set(
      groups.flatMap((group, i) => ('grid' in group ? [] : (noteLabel(group, groups.slice(i), body) ?? []))),
    );
    const isSign = ({ raised, text }: Word): boolean =>
      raised === true && text.split(/[,;)]/u).every((mark) => mark === '' || labels.has(mark));
    for (const [i, group] of groups.entries()) {
      if ('grid' in group) {
        open.table(group.grid, number);
        continue;
      }
      const label = noteLabel(group, groups.slice(i), body);
      const lines = textsOf(group, label === undefined ? isSign : never).map(legible);
      const text = plainText(group.fixed ? lines.join(' ') : joinLines(lines, known));
      if (text === '') continue;
      const isStatement = areSlides && i > 0 && /[.!…]$/u.test(text);
      const level = isStatement || group.size < title ? undefined : rank(group, text, number);
      if (level !== undefined && isInSentence(group, open, groups[i + 1], body))
        open.paragraph(lines, group, number, true);
      else if (level !== undefined)
        open.heading(numberApart(plainText(`${group.marker?.text ?? ''} ${text}`), outline), level, number);
      else if (isCode(group, body)) open.add({ kind: 'code', text: codeOf(group), page: number });
      else if (label !== undefined)
        notes.push({ kind: 'note', label, text: text.replace(NOTE_MARK, '') || label, page: number });
      else if (group.marker === undefined) open.paragraph(lines, group, number);
      else if (open.isUnfinished && isDate(group.marker.text))
        open.paragraph([`${group.marker.text} ${lines[0]!}`, ...lines.slice(1)], group, number, true);
      else open.item(text, group, number);
    }
    open.notes.push(...notes);
    open.endPage(areSlides);
  }
  open.flush();
  return inLevelsOfNumbers(withLists(units));
}

const lettersIn = (groups: readonly Group[]): number =>
  groups.reduce((sum, group) => sum + textsOf(group, never).join('').length, 0);

/** The share of the letters of a title page that may be as small as the text is elsewhere. */
const SMALL_ON_TITLE_PAGE = 0.3;

/** The size of the title if the page has nothing else than lines in large type; names and dates below it are no headings. */
function sizeOnTitlePage(groups: readonly (Group | { grid: Grid })[], body: number): number {
  const texts = groups.filter((group): group is Group => 'lines' in group);
  const small = texts.filter(({ size }) => size < LARGER * body);
  return texts.length === groups.length && lettersIn(small) < SMALL_ON_TITLE_PAGE * lettersIn(texts)
    ? Math.max(...texts.map(({ size }) => size))
    : 0;
}

/** The number of an item of a list: `1.`, `b)`. */
const LISTED = /^(?<marker>(?:(?<number>\d{1,2})|(?<letter>[a-z]))[.)])\s+(?<text>\S.*)$/su;
/** This many headings directly below each other are a list. */
const LISTS = 3;

/** Items that look like headings: numbered from the first on, of one level, with nothing between them. */
function withLists(units: readonly Unit[]): Unit[] {
  const told: Unit[] = [];
  for (let at = 0; at < units.length; at += 1) {
    const items: Unit[] = [];
    for (let unit = units[at]; unit !== undefined; unit = units[at + items.length]) {
      const item = itemOf(unit, items.length + 1);
      if (item === undefined || levelOf(unit) !== levelOf(units[at]!)) break;
      items.push(item);
    }
    const after = at + items.length;
    // Where the numbers go on below a text, they are headings, of which some have no text.
    const goesOn = (unit: Unit): boolean =>
      levelOf(unit) === levelOf(units[at]!) && itemOf(unit, items.length + 1) !== undefined;
    const isList = items.length >= LISTS && !units.slice(after).some(goesOn);
    told.push(...(isList ? items : units.slice(at, Math.max(after, at + 1))));
    at = Math.max(after - 1, at);
  }
  return told;
}

const levelOf = (unit: Unit): number | undefined => (unit.kind === 'heading' ? unit.level : undefined);

/** The item that a heading is if its number is this one. */
function itemOf(unit: Unit, place: number): Unit | undefined {
  if (unit.kind !== 'heading') return undefined;
  const { marker, number, letter, text } = LISTED.exec(unit.text)?.groups ?? {};
  const own = number === undefined ? (letter?.codePointAt(0) ?? 0) - 96 : Number(number);
  if (marker === undefined || text === undefined || own !== place) return undefined;
  const { page } = unit;
  return { kind: 'item', depth: 0, marker, text, ...(page === undefined ? {} : { page }) };
}

/** The number before the text of a heading: `2.`, `1.1`. */
const DECIMAL = /^(?<number>\d{1,2}(?:\.\d{1,2})*)\.?\s/u;

/** Where chapters are numbered in sequence, numbers decide the levels of headings: `2.` is no part of `1.1`, however it looks. */
function inLevelsOfNumbers(units: readonly Unit[]): Unit[] {
  const depths = new Map<Unit, number>();
  const chapters: number[] = [];
  for (const unit of units) {
    const number = unit.kind === 'heading' ? DECIMAL.exec(unit.text)?.groups?.['number'] : undefined;
    if (number === undefined) continue;
    const parts = number.split('.');
    depths.set(unit, parts.length);
    if (parts.length === 1) chapters.push(Number(number));
  }
  const isSequence = chapters.every((number, i) => i === 0 || number > chapters[i - 1]!);
  if (chapters.length < 2 || !isSequence) return [...units];
  const tops = [...depths].map(([unit, depth]) => (unit.kind === 'heading' ? unit.level - depth + 1 : 1));
  const top = Math.max(1, Math.min(...tops));
  return units.map((unit) => {
    const depth = depths.get(unit);
    return unit.kind === 'heading' && depth !== undefined
      ? { ...unit, level: Math.min(6, top + depth - 1) }
      : unit;
  });
}

/** A line that names a table or a picture, and not what follows it. */
const CAPTION =
  /^(?:table|tab\.|tabelle|exhibit|figure|fig\.|abbildung|abb\.|übersicht)\s*\d|[-–—(\s](?:continued|cont\.|fortsetzung|forts\.)\)?$/iu;

/** The open paragraph or item, to which text is added until something else follows. */
class Open {
  readonly #units: Unit[];
  readonly #known: Known;
  readonly notes: Unit[] = [];
  #paragraph: { lines: string[]; size: number; page: number; last: Group; lastPage: number } | undefined;
  #items: number[] = [];
  #table: { separators: readonly number[]; page: number; heads: readonly string[] } | undefined;

  constructor(units: Unit[], known: Known) {
    this.#units = units;
    this.#known = known;
  }

  add(unit: Unit): void {
    this.flush();
    this.#units.push(unit);
    this.#items = [];
  }

  heading(text: string, level: number, page: number): void {
    this.add({ kind: 'heading', level, text, page });
  }

  /** Whether the last line of the open paragraph ends within a sentence. */
  get isUnfinished(): boolean {
    return this.#paragraph !== undefined && hasNoEnd(this.#paragraph.lines.at(-1)!);
  }

  /** @param goesOn whether the lines belong to the open paragraph, whatever they begin with */
  paragraph(lines: readonly string[], group: Group, page: number, goesOn = false): void {
    const open = this.#paragraph;
    const first = lines[0] ?? '';
    const { size } = group;
    if (open !== undefined && Math.abs(open.size - size) < 0.6) {
      const isElsewhere = open.lastPage !== page || open.last.column.left !== group.column.left;
      const before = open.lines.at(-1)!;
      if (goesOn || continues(before, first) || (isElsewhere && isFull(open.last) && hasNoEnd(before))) {
        open.lines.push(...lines);
        Object.assign(open, { last: group, lastPage: page });
        return;
      }
    }
    const last = this.#units.at(-1);
    if (
      open === undefined &&
      last?.kind === 'item' &&
      /^\p{Ll}/u.test(first) &&
      !/[.!?:;]$/u.test(last.text)
    ) {
      this.#units[this.#units.length - 1] = {
        ...last,
        text: plainText(joinLines([last.text, ...lines], this.#known)),
      };
      return;
    }
    this.flush();
    this.#paragraph = { lines: [...lines], size, page, last: group, lastPage: page };
    this.#items = [];
  }

  item(text: string, { marker, left }: Group, page: number): void {
    this.flush();
    // An item is deeper if it is further right than the items before it.
    this.#items = this.#items.filter((each) => each < left + 3);
    if (this.#items.length === 0 || left - this.#items.at(-1)! > 6) this.#items.push(left);
    const depth = Math.min(this.#items.length - 1, 9);
    this.#units.push({
      kind: 'item',
      depth,
      ...(marker!.text === '' ? {} : { marker: marker!.text }),
      text,
      page,
    });
  }

  /** A table without heads continues one with the same columns above it, and has its heads. */
  table(grid: Grid, page: number): void {
    this.flush();
    this.#items = [];
    const before = this.#table;
    const goesOn =
      before !== undefined &&
      before.page >= page - 1 &&
      before.separators.length === grid.separators.length &&
      before.separators.every((x, i) => Math.abs(x - grid.separators[i]!) < 12);
    const { above, labels } = headsOf(grid, (text) => cellText(text, this.#known));
    const heads = grid.heads === 0 && goesOn ? before.heads : labels;
    this.#table = { separators: grid.separators, page, heads };
    this.#units.push(
      ...above.map((text): Unit => ({ kind: 'paragraph', text, page })),
      ...rowsOf(grid, heads, page, this.#known),
    );
  }

  /** Footnotes are below the page, and the paragraph above them continues on the next page, but not on the next slide. */
  endPage(isSlide: boolean): void {
    if (
      !isSlide &&
      this.#paragraph !== undefined &&
      !/[.!?:]["»”“')\]]*$/u.test(this.#paragraph.lines.at(-1)!)
    )
      return;
    this.flush();
  }

  flush(): void {
    const open = this.#paragraph;
    this.#paragraph = undefined;
    if (open !== undefined) {
      const text = plainText(joinLines(open.lines, this.#known));
      if (text !== '') this.#units.push({ kind: 'paragraph', text, page: open.page });
    }
    this.#units.push(...this.notes.splice(0));
  }
}

/** A number above 1 that begins a line within a sentence, as in `am | 28. April`, marks no item. */
const isDate = (marker: string): boolean => /^(?:[2-9]|[1-3]\d)\.$/u.test(marker);

/** Whether bold words stand between the halves of a sentence: the text before them has no end, and that after them goes on. */
const isInSentence = (
  { size }: Group,
  open: Open,
  next: Group | { grid: Grid } | undefined,
  body: number,
): boolean =>
  size < LARGER * body &&
  open.isUnfinished &&
  next !== undefined &&
  'lines' in next &&
  next.marker === undefined &&
  /^[\p{Ll}(,]/u.test(textsOf(next, never)[0] ?? '');

/** Whether the last line reaches the edge of the column, so that the next word did not fit. */
const isFull = (group: Group): boolean => group.lines.length > 1 && reachesEdge(group);

const reachesEdge = ({ lines, column }: Group): boolean =>
  column.right - lines.at(-1)!.right < 0.1 * (column.right - column.left);

const bodySize = (pages: readonly PageBlocks[]): number =>
  usualSize(
    pages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'line' ? block.line.words : []))),
  );

type Ranking = (group: Group, text: string, page: number) => number | undefined;

/** The levels of headings: from the outline if it has the heading, else from its number, else from size and weight. */
function headingRanks(pages: readonly PageBlocks[], body: number, outline: readonly Bookmark[]): Ranking {
  const named = new Map(outline.map(({ title, level, page }) => [`${page} ${key(title)}`, level]));
  const styles = new Map<string, { size: number; weight: number; count: number }>();
  const all = pages.flatMap(({ blocks }) =>
    groupsOf(blocks).filter((group): group is Group => 'lines' in group),
  );
  const looks = (group: Group): boolean =>
    looksLikeHeading(group, plainText(textsOf(group, never).join(' ')), body);
  for (const group of all) {
    if (!looks(group)) continue;
    const style = styleOf(group);
    const known = styles.get(style);
    styles.set(style, {
      size: Math.round(group.size * 2) / 2,
      weight: weightOf(group),
      count: (known?.count ?? 0) + 1,
    });
  }
  const order = [...styles]
    .sort(([, a], [, b]) => b.size - a.size || b.weight - a.weight)
    .map(([style]) => style);
  return (group, text, page) => {
    if (text.length > LONGEST_HEADING) return undefined;
    const level = named.get(`${page} ${key(text)}`);
    if (level !== undefined) return Math.min(level, 6);
    if (!looks(group)) return undefined;
    const place = order.indexOf(styleOf(group)) + 1;
    const depth = SECTION_NUMBER.exec(
      `${group.marker?.text ?? ''} ${textsOf(group, never).join(' ')}`.trim(),
    )?.groups?.['number']?.split('.').length;
    return Math.max(1, Math.min(6, depth === undefined ? place : Math.max(place, depth)));
  };
}

/** Bold type sets a line apart from the text more than capitals do. */
const weightOf = ({ bold, capitals }: Group): number => (bold ? 2 : capitals ? 1 : 0);

const styleOf = (group: Group): string => `${Math.round(group.size * 2) / 2} ${weightOf(group)}`;

/** The Roman number of a chapter apart from its title, which the outline has without it: some programs set no space between. */
const numberApart = (text: string, outline: readonly Bookmark[]): string =>
  text.replace(/^[IVX]{1,5}(?=\p{Lu}\p{Ll})/u, (number) =>
    outline.some(({ title }) => title === text.slice(number.length)) ? `${number} ` : number,
  );

/** The heading as it is written in an outline, with or without its number. */
const key = (text: string): string =>
  text
    .replace(/^(?:(?:\d+(?:\.\d+)*\.?|§+\s?\d+[a-z]?)\s+|[IVX]{1,5}\.?\s*(?=\p{Lu}\p{Ll}))/u, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]/gu, '');

/** A street with a number, or a place with its code. */
const ADDRESS =
  /^\d+ .*\b(?:street|st\.|avenue|ave\.|road|rd\.|drive|lane|boulevard|blvd\.?)(?:\W|$)|(?:^|[\p{L} ])(?:straße|strasse|str\.|weg|platz|allee|gasse) \d+[a-z]?(?:,|$)|, [A-Z]{2} \d{5}$|^\d{5} \p{Lu}\p{Ll}+$/iu;

/** A sentence in quotation marks, or its end; a question may be a heading. */
const QUOTED = /[\p{L}\d][.!…]["»”“‘’]$/u;

/** A line of so many characters is no full line of text. */
const SHORT = 45;

function looksLikeHeading(group: Group, text: string, body: number): boolean {
  if (text.length > LONGEST_HEADING || group.lines.length > 4 || !/\p{L}{2}/u.test(text)) return false;
  if (/[,;]$/u.test(text) || /^[\p{Ll}]/u.test(text) || ADDRESS.test(text) || CAPTION.test(text))
    return false;
  if (QUOTED.test(text)) return false;
  // Texts far from each other are the heads of columns.
  if (group.lines.some(({ words }) => segmentsOf(words, 1.5, []).length > 2)) return false;
  const whole = group.lines.map(({ words }) => textOf(words)).join(' ');
  const numbered = SECTION_NUMBER.test(whole);
  if (group.marker?.text === '') return false;
  if (group.size >= LARGER * body) return !/[.]$/u.test(text) || text.length < 80;
  // A number with several parts suffices for a line by itself: `5.1.3 Die Frist`.
  if (/^\d+(?:\.\d+)+\.?\s/u.test(whole) && group.lines.length === 1 && text.length <= 100)
    if (!/[.:!?]$/u.test(text) && (text.length <= SHORT || !reachesEdge(group))) return true;
  if (group.size < 0.95 * body || weightOf(group) === 0) return false;
  if (/[.:]$/u.test(text) && endsAsText(text) && !numbered && !isLabel(text)) return false;
  return group.lines.length <= 2 && text.length <= 120 && (group.marker === undefined || numbered);
}

const isCode = (group: Group, body: number): boolean =>
  group.fixed && group.lines.length > 1 && group.size <= LARGER * body;

/** The code of a group, with the indentation of its lines. */
function codeOf({ lines }: Group): string {
  const left = Math.min(...lines.map((line) => line.left));
  return lines
    .map((line) => {
      const [word] = line.words;
      const width = (word!.right - word!.left) / word!.text.length;
      return (
        ' '.repeat(Math.max(0, Math.round((line.left - left) / width))) +
        legible(line.words.map(({ text }) => text).join(' '))
      );
    })
    .join('\n');
}

/** The label of a footnote, which is smaller than the text, has a mark, and has no text of normal size below it, unless the mark is raised. */
function noteLabel(
  group: Group,
  following: readonly (Group | { grid: Grid })[],
  body: number,
): string | undefined {
  const [{ words }] = group.lines as [Segment];
  const isLast = !following.some((each) => !('grid' in each) && each.size > 0.95 * body);
  if (group.size > 0.92 * body || !(isLast || beginsNote(words))) return undefined;
  const text = textOf(words);
  return NOTE_MARK.test(text) && text.length > 4 ? NOTE_MARK.exec(text)!.groups!['mark'] : undefined;
}

const never = (): boolean => false;

const cellText = (text: string, known: Known): string =>
  plainText(legible(joinLines(text.split('\n'), known)));

/** The head of a cell over several columns, if these have one head between them. */
const headOver = (heads: readonly string[]): string =>
  heads.find((head) => head !== '' && heads.every((other) => head.endsWith(other))) ?? '';

/** Whether a row is that of the heads, which is printed again on each page. */
const isHeadAgain = (cells: Row['cells']): boolean =>
  cells.length > 1 && cells.every(({ head, text }) => head === text);

function rowsOf(grid: Grid, heads: readonly string[], page: number, known: Known): Unit[] {
  const rows = Map.groupBy(
    grid.cells.filter(({ row }) => row >= grid.heads),
    ({ row }) => row,
  );
  return [...rows]
    .sort(([a], [b]) => a - b)
    .flatMap(([, row]): Unit[] => {
      const cells = [...row]
        .sort((a, b) => a.column - b.column)
        .map(({ column, lastColumn, text }) => ({
          head: headOver(heads.slice(column, lastColumn + 1)),
          text: cellText(text, known),
        }))
        .filter(({ text }) => text !== '');
      return cells.length === 0 || isHeadAgain(cells) ? [] : [{ kind: 'row', cells, page }];
    });
}
