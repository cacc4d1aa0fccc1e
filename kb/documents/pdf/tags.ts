import { MOST_COLUMNS } from '../document-limits.ts';
import { couldBeHeading } from '../heading-look.ts';
import { unitsOfHtml } from '../html-units.ts';
import { fromOutermost, markedText, withMarker } from '../list-items.ts';
import type { Unit } from '../unit.ts';
import { isTitleOfContents } from '../contents.ts';
import { plainText } from '../plain-text.ts';
import { beginsNote, continues, joinLines, legible, type Known } from './paragraphs.ts';
import { DECORATION, type Page, type Tag } from './pdfium.ts';
import { boxAround, isBullet, linesInOrder, textOf } from './segments.ts';
import { LARGER, usualSize, type Word } from './words.ts';
import { wordList, wordSet } from '../../word-list.ts';

interface UnitsOfTags {
  readonly units: Unit[];
  /** The number of lines of a table of contents. */
  readonly contents: number;
  /** The number of words that the file declares as decoration. */
  readonly decoration: number;
}

/** The least share of the letters that tags must cover, and the largest share that may be decoration or in headings. */
const LEAST_KNOWN = 0.98;
const MOST_DECORATED = 0.2;
const MOST_IN_HEADINGS = 0.4;
/**
 * The largest share of paragraphs that may be beside the previous one. More are cells of a table that the tags do not
 * have.
 */
const MOST_BESIDE = 0.2;
/** A paragraph with more letters than this has parts that the tags do not separate. */
const LONGEST_PARAGRAPH = 6000;

/**
 * The units of a tagged PDF, which states itself what is a heading, an item, a cell: Word and LibreOffice write such
 * files. The tags are converted to HTML and read as such, so that a text has equal units as Word and as PDF.
 *
 * @param byLooks reads the words of pages by their positions, for tables whose tags contradict these.
 * @returns `undefined` if the file has no tags, or tags that are of no use.
 */
export function unitsOfTags(
  pages: readonly { readonly page: Page; readonly words: readonly Word[] }[],
  known: Known,
  byLooks: (pages: ReadonlyMap<number, readonly Word[]>) => Unit[],
): UnitsOfTags | undefined {
  const tree = new Tree();
  let [all, decoration, decorated] = [0, 0, 0];
  for (const { page, words } of pages) {
    tree.add(page, words);
    all += lettersIn(words);
    const beside = words.filter(({ content }) => content === DECORATION);
    decoration += beside.length;
    decorated += lettersIn(beside);
  }
  const { nodes } = tree;
  const paragraphs = nodes.flatMap(blocksIn);
  const inHeadings = lettersIn(paragraphs.filter(({ type }) => HEADINGS.has(type)).flatMap(wordsIn));
  const isWorthIt =
    tree.letters > 0 &&
    tree.letters >= LEAST_KNOWN * (all - decorated) &&
    decorated <= MOST_DECORATED * all &&
    inHeadings <= MOST_IN_HEADINGS * tree.letters &&
    paragraphs.every((node) => lettersIn(wordsIn(node)) <= LONGEST_PARAGRAPH) &&
    !areCells(paragraphs);
  if (!isWorthIt) return undefined;
  const writer = new Writer(known, byLooks, sizesOfHeadings(paragraphs));
  const units = joinedOverPages(writer.units(nodes), known);
  return { units: fromOutermost(units), contents: writer.contents, decoration };
}

/**
 * The sizes of type of the headings in a file that marks none but its title, the largest first; `undefined` if it marks
 * headings.
 */
function sizesOfHeadings(blocks: readonly Node[]): readonly number[] | undefined {
  if (blocks.some(({ type }) => HEADINGS.has(type) && type !== 'Title')) return undefined;
  const body = usualSize(blocks.flatMap(wordsIn));
  const paragraphs = blocks
    .filter(({ type }) => type === 'P')
    .map(wordsIn)
    .filter(({ length }) => length > 0);
  const larger = [...Map.groupBy(paragraphs, smallestIn)].filter(
    ([size, all]) =>
      size >= LARGER * body && all.filter(isLineOfTitle).length >= MOST_ARE_TITLES * all.length,
  );
  return larger.map(([size]) => size).sort((a, b) => b - a);
}

/** A larger type is that of headings if this share of its paragraphs is short. */
const MOST_ARE_TITLES = 0.6;

const isLineOfTitle = (words: readonly Word[]): boolean => {
  const text = textOf(words);
  return couldBeHeading(text) && !/^\P{L}*\p{Ll}/u.test(text);
};

/** The smallest size of type in a block, to a half point. */
const smallestIn = (words: readonly Word[]): number =>
  Math.round(2 * Math.min(...words.map(({ size }) => size))) / 2;

/** Whether many paragraphs are to the right of the previous one, on its line. */
function areCells(blocks: readonly Node[]): boolean {
  const words = blocks.filter(({ type }) => type === 'P').map(wordsIn);
  const written = words.filter(({ length }) => length > 0);
  const beside = written.filter(([first], i) => {
    const last = written[i - 1]?.at(-1);
    return last !== undefined && Math.abs(first!.baseline - last.baseline) < 1 && first!.left > last.right;
  });
  return beside.length > MOST_BESIDE * written.length;
}

/** Joins text that footnotes or a page break divide, and that the tags have in two parts. */
function joinedOverPages(units: readonly Unit[], known: Known): Unit[] {
  const all: Unit[] = [];
  for (const unit of units) {
    const at = all.findLastIndex(({ kind }) => kind !== 'note');
    const before = all[at];
    const isOpen = before?.kind === 'paragraph' || before?.kind === 'item';
    if (isOpen && unit.kind === 'paragraph' && unit.page !== before.page && continues(before.text, unit.text))
      all[at] = { ...before, text: joinLines([before.text, unit.text], known) };
    else all.push(unit);
  }
  return all;
}

/** Words of one page. */
interface Run {
  readonly page: number;
  words: readonly Word[];
}

/** An element of the document, with its parts on all pages. */
interface Node {
  readonly type: string;
  children: (Node | Run)[];
}

const isRun = (child: Node | Branch | Run): child is Run => 'words' in child;

/** An index after all children that the tags have. */
const AT_THE_END = 2 ** 31;

class Tree {
  readonly #root: Branch = { type: 'StructTreeRoot', count: 0, children: new Map() };
  /** The number of letters in the words of an element. */
  letters = 0;

  get nodes(): Node[] {
    return nodeOf(this.#root).children.filter((child): child is Node => !isRun(child));
  }

  add({ number, tags }: Page, words: readonly Word[]): void {
    const left = Map.groupBy(
      words.filter(({ content }) => content !== DECORATION),
      ({ content }) => content,
    );
    const grow = (branch: Branch, tag: Tag): void => {
      for (const [at, child] of tag.children) {
        if (typeof child === 'object') {
          const same = branch.children.get(at);
          const inner =
            same !== undefined && !isRun(same)
              ? same
              : { type: child.type, count: child.count, children: new Map() };
          branch.children.set(at, inner);
          grow(inner, child);
          continue;
        }
        const own = left.get(child);
        if (own === undefined) continue;
        left.delete(child);
        this.letters += lettersIn(own);
        branch.children.set(at, { page: number, words: own });
      }
    };
    if (tags !== undefined) grow(this.#root, tags);
    const rest = [...left.values()].flat();
    if (rest.length === 0) return;
    // Words without tags are added at the end of the document, page after page.
    this.#root.children.set(AT_THE_END + number, {
      type: 'P',
      count: 1,
      children: new Map([[0, { page: number, words: rest }]]),
    });
  }
}

/** An element while its pages are added, with its children by their index. */
interface Branch {
  readonly type: string;
  readonly count: number;
  readonly children: Map<number, Branch | Run>;
}

/** An element as a node. A cell without words on any page is empty. */
function nodeOf({ type, count, children }: Branch): Node {
  const cells = type === 'TR' ? Array.from({ length: Math.min(count, MOST_COLUMNS) }, (_, at) => at) : [];
  const places = [...new Set([...children.keys(), ...cells])].sort((a, b) => a - b);
  return {
    type,
    children: places.map((at): Node | Run => {
      const child = children.get(at);
      if (child === undefined) return { type: 'TD', children: [] };
      return isRun(child) ? child : nodeOf(child);
    }),
  };
}

const HEADINGS = new Set(['H', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'Title']);
const NOTES = new Set(['Note', 'FENote']);
const PARTS_OF_TABLES = new Set(['THead', 'TBody', 'TFoot']);
/** Elements that contain other blocks. */
const OUTER = wordSet(`
  Document DocumentFragment Part Art Sect Div Aside BlockQuote NonStruct Private Index L LI Table TR TOC`);
const WITHOUT_MEANING = new Set(['NonStruct', 'Private']);
const BLOCKS = new Set([
  ...HEADINGS,
  ...NOTES,
  ...PARTS_OF_TABLES,
  ...OUTER,
  ...wordList('P Lbl LBody TH TD Caption TOCI'),
]);

/** Whether an element is a block, or has one inside. */
const hasBlock = (child: Node | Run): boolean =>
  !isRun(child) && (BLOCKS.has(child.type) || child.children.some(hasBlock));

/** Whether a node is only text within a paragraph, such as a bold word: an element without a meaning of its own. */
const isStretch = (child: Node | Run): boolean =>
  isRun(child) ||
  ((WITHOUT_MEANING.has(child.type) || !BLOCKS.has(child.type)) && child.children.every(isStretch));

const wordsIn = (child: Node | Run): readonly Word[] =>
  isRun(child) ? child.words : child.children.flatMap(wordsIn);

/** The number of letters and digits; the dots of a table of contents do not count. */
const lettersIn = (words: readonly Word[]): number =>
  words.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);

/** The innermost blocks. */
const blocksIn = (node: Node): Node[] =>
  node.children.some(hasBlock)
    ? node.children.flatMap((each) => (isRun(each) ? [] : blocksIn(each)))
    : [node];

/** The block that an element begins with. */
const firstBlock = (node: Node): Node => {
  const first = node.children.find((child): child is Node => !isRun(child));
  return HEADINGS.has(node.type) || first === undefined || !hasBlock(first) ? node : firstBlock(first);
};

const isInnerContents = (child: Node | Run): boolean => !isRun(child) && child.type === 'TOC';

const isContents = (part: (Node | Run)[] | Node | undefined): boolean =>
  part !== undefined && !Array.isArray(part) && part.type === 'TOC';

/** The number of an item at the beginning of its text. */
const NUMBER = /^(?:[(]?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[).]|\d{1,3}(?:\.\d{1,3})*\.?)$/u;

/** The page of a unit is put between these two characters before its text. */
const PAGE = /\uE002(?<page>\d+)\uE003/gu;

class Writer {
  contents = 0;
  readonly #known: Known;
  readonly #byLooks: (pages: ReadonlyMap<number, readonly Word[]>) => Unit[];
  /** The sizes of type of headings, if the file does not mark these. */
  readonly #larger: readonly number[] | undefined;
  /** The text to put before the next text. */
  #opening = '';
  #isInTable = false;
  #page: number | undefined;
  /** The marks of footnotes that occur in the text. */
  readonly #signs = new Set<string>();

  constructor(
    known: Known,
    byLooks: (pages: ReadonlyMap<number, readonly Word[]>) => Unit[],
    larger: readonly number[] | undefined,
  ) {
    this.#known = known;
    this.#byLooks = byLooks;
    this.#larger = larger;
  }

  units(nodes: readonly Node[]): Unit[] {
    const told = nodes.flatMap(withNotes);
    for (const node of told) this.#findSigns(node);
    return this.#flow(told, true);
  }

  #findSigns(node: Node): void {
    if (NOTES.has(node.type)) this.#signs.add(markOf(node) ?? '');
    for (const child of node.children) if (!isRun(child)) this.#findSigns(child);
  }

  /** The units of elements that are below each other. */
  #flow(children: readonly (Node | Run)[], isOutside: boolean): Unit[] {
    const parts = this.#parts(children);
    return parts.flatMap((part, i): Unit[] => {
      if (isContents(parts[i + 1]) && this.#isTitleOfContents(part)) return [];
      if (Array.isArray(part)) return this.#read(this.#paragraph(part, isOutside));
      const { type, children: inside } = part;
      if (type === 'Table') return this.#table(part);
      if (OUTER.has(type) && !['L', 'LI', 'TR'].includes(type)) return this.#flow(inside, isOutside);
      return this.#read(this.#block(part, isOutside));
    });
  }

  #isTitleOfContents(part: (Node | Run)[] | Node): boolean {
    const words = Array.isArray(part) ? part.flatMap(wordsIn) : wordsIn(part);
    return isTitleOfContents(this.#plain(words));
  }

  #read(html: string): Unit[] {
    return unitsOfHtml(html)
      .map(withMarker)
      .map((unit) => this.#withPage(unit));
  }

  #withPage(unit: Unit): Unit {
    const texts = unit.kind === 'row' ? unit.cells.map(({ text }) => text) : [unit.text];
    const found = PAGE.exec(texts.join(' '))?.groups?.['page'];
    PAGE.lastIndex = 0;
    if (found !== undefined) this.#page = Number(found);
    const page = this.#page === undefined ? {} : { page: this.#page };
    const bare = (text: string): string => text.replaceAll(PAGE, '').trim();
    if (unit.kind !== 'row') return { ...unit, text: bare(unit.text), ...page };
    const cells = unit.cells.map(({ head, text }) => ({ head: bare(head), text: bare(text) }));
    return { ...unit, cells, ...page };
  }

  /** The rows know their pages, so heads that are repeated at the top of a page are left out. */
  #table(table: Node): Unit[] {
    const places = placesOf(table);
    if (places === 'in-another-order') return this.#readByLooks(table);
    const pages = rowsOf(table)
      .map((row) => runsIn(row)[0]?.page)
      .filter((page) => page !== undefined);
    this.#page = pages[0] ?? this.#page;
    const units = this.#read(this.#block(table, false)).map((unit): Unit =>
      unit.kind === 'row' && places === 'in-other-columns'
        ? { ...unit, cells: unit.cells.map(({ text }) => ({ head: '', text })) }
        : unit,
    );
    const rows = units.filter(({ kind }) => kind === 'row');
    const heads = pages.length - rows.length;
    if (heads < 0 || rows.length === 0) return units;
    this.#page = pages.at(-1);
    return units.map((unit) =>
      unit.kind === 'row' ? { ...unit, page: pages[heads + rows.indexOf(unit)]! } : unit,
    );
  }

  #readByLooks(table: Node): Unit[] {
    const pages = Map.groupBy(runsIn(table), ({ page }) => page);
    const units = this.#byLooks(
      new Map([...pages].map(([page, runs]) => [page, runs.flatMap(({ words }) => words)])),
    );
    this.#page = units.at(-1)?.page ?? this.#page;
    // If the tags mark headings anywhere, only these are headings.
    return units.map((unit) =>
      unit.kind === 'heading' && this.#larger === undefined
        ? { kind: 'paragraph', text: unit.text, ...(unit.page === undefined ? {} : { page: unit.page }) }
        : unit,
    );
  }

  /** Divides children into stretches of running text and the blocks between them. */
  #parts(children: readonly (Node | Run)[]): ((Node | Run)[] | Node)[] {
    const parts: ((Node | Run)[] | Node)[] = [];
    for (const child of children) {
      const last = parts.at(-1);
      if (!isRun(child) && hasBlock(child)) parts.push(child);
      else if (Array.isArray(last)) last.push(child);
      else parts.push([child]);
    }
    return parts;
  }

  #inside(children: readonly (Node | Run)[]): string {
    return this.#parts(children)
      .map((part) => (Array.isArray(part) ? this.#text(part) : this.#block(part, false)))
      .join(' ');
  }

  #paragraph(children: readonly (Node | Run)[], isOutside: boolean): string {
    const level = isOutside ? this.#levelByLooks(children.flatMap(wordsIn)) : undefined;
    const name = level === undefined ? 'p' : `h${level}`;
    return `<${name}>${this.#text(children)}</${name}>`;
  }

  /** The level of a short line in larger or bold type, which is a heading if the file marks none. */
  #levelByLooks(words: readonly Word[]): number | undefined {
    if (this.#larger === undefined || words.length === 0 || !couldBeHeading(this.#plain(words)))
      return undefined;
    if (!isLineOfTitle(words)) return undefined;
    const place = this.#larger.indexOf(smallestIn(words));
    if (place !== -1) return Math.min(6, 1 + place);
    return words.every(({ bold }) => bold) ? Math.min(6, Math.max(2, 1 + this.#larger.length)) : undefined;
  }

  #block(node: Node, isOutside: boolean): string {
    const { type } = node;
    if (NOTES.has(type)) return this.#note(node);
    const notes = notesLiftedFrom(node).map((note) => this.#note(note));
    return this.#bare(node, type, isOutside) + notes.join('');
  }

  #bare(node: Node, type: string, isOutside: boolean): string {
    const { children } = node;
    if (HEADINGS.has(type)) {
      const level = /\d/u.exec(type)?.[0] ?? '1';
      return `<h${level}>${this.#text(children)}</h${level}>`;
    }
    if (PARTS_OF_TABLES.has(type)) return this.#inside(children);
    switch (type) {
      case 'P':
        return !children.every(isStretch)
          ? `<div>${this.#inside(children)}</div>`
          : this.#paragraph(children, isOutside);
      case 'Table':
        return `<table>${this.#inside(children)}</table>`;
      case 'L':
        return `<ul>${this.#inside(children)}</ul>`;
      case 'LI':
        return this.#item(node);
      case 'Lbl':
      case 'LBody':
        return this.#inside(children);
      case 'TR':
      case 'TH':
      case 'TD':
      case 'Caption':
        return this.#partOfTable(node);
      case 'TOC':
        return this.#inside(children);
      case 'TOCI':
        return this.#contentsLine(node);
      default:
        return `<div>${this.#inside(children)}</div>`;
    }
  }

  /** A line of a table of contents. An index of something else, such as a list of literature, is text. */
  #contentsLine({ children }: Node): string {
    const [own, inner] = [
      children.filter((child) => !isInnerContents(child)),
      children.filter(isInnerContents),
    ];
    const words = own.flatMap(wordsIn);
    if (!/(?:^|[\s.])(?:\d{1,4}|[ivxlc]{1,6})$/iu.test(this.#plain(words)))
      return this.#paragraph(own, false) + this.#inside(inner);
    this.contents += 1;
    return this.#inside(inner);
  }

  /**
   * The part of a table in HTML. Word marks each first row and each first column as heads, so its mark says nothing.
   */
  #partOfTable(node: Node): string {
    const { type, children } = node;
    if (type === 'TH') onFirstPage(node);
    const before = this.#isInTable;
    this.#isInTable = true;
    const name = type === 'TH' ? 'td' : type.toLowerCase();
    const html = `<${name}>${this.#inside(children)}</${name}>`;
    this.#isInTable = before;
    return html;
  }

  /** An item with its marker, which Word writes into its text. A numbered heading may also be in a list. */
  #item({ children }: Node): string {
    const label = children.find((child) => !isRun(child) && child.type === 'Lbl');
    const body = children.filter((child) => child !== label);
    const first = body.flatMap(runsIn)[0];
    const [word] = first?.words ?? [];
    const isMarked = label === undefined && word !== undefined && body.flatMap(wordsIn).length > 1;
    let number = label === undefined ? '' : this.#plain(wordsIn(label));
    if (isMarked && (isBullet(word) || NUMBER.test(word.text))) {
      number = word.text;
      first!.words = first!.words.slice(1);
    }
    if (/^\W*$|^o$/u.test(number)) number = '';
    const isHeading = body.some((child) => !isRun(child) && HEADINGS.has(firstBlock(child).type));
    if (
      /^\d+(?:\.\d+)*\.?$/u.test(number) &&
      !this.#isInTable &&
      this.#levelByLooks(body.flatMap(wordsIn)) !== undefined
    ) {
      const level = Math.min(6, 1 + number.split(/\.(?=\d)/u).length);
      return `<h${level}>${escaped(`${number} `)}${this.#text(body)}</h${level}>`;
    }
    this.#opening = number === '' ? '' : isHeading ? `${number} ` : markedText(number);
    const html = this.#inside(body);
    this.#opening = '';
    return isHeading ? html : `<li>${html}</li>`;
  }

  #note(note: Node): string {
    const mark = markOf(note);
    const [first] = runsIn(note);
    if (mark === undefined || first === undefined) return `<p>${this.#text(note.children)}</p>`;
    const [word] = first.words;
    const rest = word!.text.slice(mark.length).replace(/^[).]/u, '');
    first.words = [...(rest === '' ? [] : [{ ...word!, text: rest }]), ...first.words.slice(1)];
    return `<ol start="${mark}"><li id="footnote-${mark}">${this.#inside(note.children)}</li></ol>`;
  }

  #text(children: readonly (Node | Run)[]): string {
    const runs = children.flatMap(runsIn).filter(({ words }) => words.length > 0);
    const [first] = runs;
    const text = this.#plain(runs.flatMap(({ words }) => words));
    if (first === undefined || text === '') return '';
    const page = this.#isInTable ? '' : `\uE002${first.page}\uE003`;
    const opening = this.#opening;
    this.#opening = '';
    const html = opening + page + escaped(text);
    return runs.every(({ words }) => words.every(({ bold }) => bold)) ? `<strong>${html}</strong>` : html;
  }

  #plain(words: readonly Word[]): string {
    const isSign = ({ raised, text }: Word): boolean =>
      raised === true && text.split(/[,;]/u).every((mark) => mark === '' || this.#signs.has(mark));
    const lines = linesInOrder(words.filter((word) => !isSign(word)));
    return plainText(
      joinLines(
        lines.map((line) => legible(textOf(line))),
        this.#known,
      ),
    );
  }
}

const runsIn = (child: Node | Run): Run[] => (isRun(child) ? [child] : child.children.flatMap(runsIn));

/** Removes the copies of a head, or of its last line, which is drawn again on each page of a table. */
function onFirstPage(head: Node): void {
  const runs = runsIn(head);
  const isOnFirst = ({ page }: Run): boolean => page === runs[0]!.page;
  const written = runs
    .filter(isOnFirst)
    .map(({ words }) => textOf(words))
    .join(' ');
  for (const run of runs) if (!isOnFirst(run) && written.includes(textOf(run.words))) run.words = [];
}

const rowsOf = (table: Node): Node[] =>
  table.children.flatMap((child) =>
    isRun(child) ? [] : child.type === 'TR' ? [child] : PARTS_OF_TABLES.has(child.type) ? rowsOf(child) : [],
  );

/** The largest share of the rows or cells of a table that may be elsewhere than the tags say. */
const MOST_OUT_OF_PLACE = 0.1;

/** How the positions of a table's cells agree with its tags. */
type Places = 'as-told' | 'in-other-columns' | 'in-another-order';

/**
 * Compares the positions of cells with the tags, which some programs write wrongly: a cell is left of the one that
 * should be before it, or in a neighbouring column, as after a cell that spans two.
 */
function placesOf(table: Node): Places {
  const rows = rowsOf(table).map(middlesOf);
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const middles = Array.from({ length: width }, (_, column): number => {
    const found = rows.map((row) => row[column]).filter((x) => x !== undefined);
    return found.sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? Number.NaN;
  });
  if (rows.filter(isInAnotherOrder).length > MOST_OUT_OF_PLACE * rows.length) return 'in-another-order';
  const cells = rows.flat().filter((x) => x !== undefined).length;
  const elsewhere = rows.map(
    (row) =>
      row.filter((x, column) => x !== undefined && (x < middles[column - 1]! || x > middles[column + 1]!))
        .length,
  );
  // The first row with several cells may name the columns.
  const first = rows.findIndex((row) => row.filter((x) => x !== undefined).length > 1);
  const isMany = elsewhere.reduce((sum, count) => sum + count, 0) > MOST_OUT_OF_PLACE * cells;
  return isMany || (elsewhere[first] ?? 0) > 0 ? 'in-other-columns' : 'as-told';
}

function isInAnotherOrder(row: readonly (number | undefined)[]): boolean {
  const found = row.filter((x) => x !== undefined);
  return found.some((x, i) => i > 0 && x < found[i - 1]!);
}

/**
 * The x positions of the middles of a row's cells; `undefined` for a cell without text, and for a cell that is not
 * beside the first.
 */
function middlesOf(row: Node): (number | undefined)[] {
  const boxes = row.children.map((cell) => {
    const [first] = runsIn(cell).filter(({ words }) => words.length > 0);
    return first === undefined ? undefined : boxAround(first.words);
  });
  const beside = boxes.find((box) => box !== undefined);
  return boxes.map((box) =>
    box === undefined || box.top >= beside!.bottom || box.bottom <= beside!.top
      ? undefined
      : (box.left + box.right) / 2,
  );
}

/**
 * An element with its footnotes as elements of their own: some programs tag them as text. They are recognised by raised
 * numbers at the beginning of lines.
 */
function withNotes(node: Node): Node[] {
  if (node.children.some(hasBlock))
    return [
      {
        ...node,
        children: node.children.flatMap((child): (Node | Run)[] =>
          isRun(child) ? [child] : withNotes(child),
        ),
      },
    ];
  const lines = runsIn(node).flatMap(({ page, words }) =>
    linesInOrder(words).map((line) => ({ page, words: line })),
  );
  if (node.type !== 'P' || lines[0] === undefined || !beginsNote(lines[0].words)) return [node];
  const notes: Node[] = [];
  for (const line of lines)
    if (beginsNote(line.words)) notes.push({ type: 'Note', children: [line] });
    else notes.at(-1)!.children.push(line);
  return notes;
}

/** The mark with which a footnote begins. */
const markOf = (note: Node): string | undefined =>
  /^\d{1,3}/u.exec(runsIn(note)[0]?.words[0]?.text ?? '')?.[0];

/** Moves footnotes out of the sentence that they are in. */
function notesLiftedFrom(node: Node): Node[] {
  const lifted: Node[] = [];
  node.children = node.children.filter((child) => {
    if (isRun(child)) return true;
    if (NOTES.has(child.type)) {
      lifted.push(child);
      return false;
    }
    lifted.push(...notesLiftedFrom(child));
    return true;
  });
  return lifted;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
