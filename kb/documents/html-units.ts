import { parse } from 'parse5';

import { captionOf } from './table-caption.ts';
import { tableOf, type HtmlTable } from './html-table.ts';
import {
  attributeOf,
  elementsBelow,
  flatten,
  isElement,
  isText,
  namesOf,
  textBelow,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
} from './html-tree.ts';
import { withMarker } from './list-items.ts';
import { lettersOf, romanOf } from './numerals.ts';
import { plainText } from './plain-text.ts';
import { asNote, type Unit } from './unit.ts';
import { wordList, wordSet } from '../word-list.ts';

/** The units of HTML without navigation around it, as other kinds of documents contain it. */
export function unitsOfHtml(html: string): Unit[] {
  const tree = parse(html);
  flatten(tree);
  return unitsOfTree(tree);
}

/** The units of a tree that was flattened. */
export function unitsOfTree(root: HtmlParent): Unit[] {
  const walker = new Walker();
  walker.blocks(root.childNodes, 0);
  return walker.units;
}

/** Elements whose content is not visible as text of the page. */
const UNSEEN = wordSet(`
  script style noscript template head iframe object embed svg canvas audio video button select textarea
  input datalist rt rp annotation annotation-xml`);

/** Text that is struck out is what no longer holds: told with what replaces it, it would be said as well. */
export const isStruck = (element: HtmlElement): boolean =>
  ['del', 's', 'strike'].includes(element.tagName) ||
  /(?:^|\s)(?:line-through|strikethrough)(?:\s|$)/u.test(attributeOf(element, 'class') ?? '') ||
  /text-decoration[^;]*line-through/iu.test(attributeOf(element, 'style') ?? '');

export const isUnseen = (element: HtmlElement): boolean => UNSEEN.has(element.tagName) || isStruck(element);

const BLOCKS = wordSet(`
  address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure
  footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section
  summary table tbody td tfoot th thead tr ul caption`);

export const isBlock = (element: HtmlElement): boolean => BLOCKS.has(element.tagName);

/** Names of remarks in site generators and wikis, with the label for a remark without a title. */
const REMARKS = wordSet(`
  admonition admonitionblock callout notecard alert information-macro theme-admonition`);
const LABELS = wordList('note info tip hint important warning caution danger hinweis achtung');

/** Whether an element is only a sign with a link: to its own heading, or to a footnote and back. */
const isMark = (element: HtmlElement, text: string): boolean =>
  element.tagName === 'a' &&
  (/^(?:[¶#§🔗↩↑^]\uFE0E?)$/u.test(text) || (text === '' && attributeOf(element, 'id') !== undefined));

const isFootnoteMark = (element: HtmlElement): boolean =>
  element.tagName === 'sup' &&
  element.childNodes.some(
    (node) => isElement(node) && node.tagName === 'a' && attributeOf(node, 'href')?.includes('#') === true,
  );

const SUPERSCRIPT = '⁰¹²³⁴⁵⁶⁷⁸⁹';

class Walker {
  readonly units: Unit[] = [];

  /** The units of block elements. Text between blocks is a paragraph of its own. */
  blocks(nodes: readonly HtmlNode[], depth: number): void {
    let run: HtmlNode[] = [];
    const close = (): void => {
      for (const text of paragraphsOf(run)) this.units.push({ kind: 'paragraph', text });
      run = [];
    };
    for (const node of nodes) {
      if (isElement(node) && !isUnseen(node) && hasBlock(node)) {
        close();
        this.#block(node, depth);
      } else run.push(node);
    }
    close();
  }

  #block(element: HtmlElement, depth: number): void {
    switch (element.tagName) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        this.#heading(element);
        return;
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        this.#list(element, depth);
        return;
      case 'li':
        this.#item(element, depth, undefined);
        return;
      case 'dl':
        this.#definitions(element, depth);
        return;
      case 'details':
        this.#details(element, depth);
        return;
      case 'pre':
        this.#code(element);
        return;
      case 'table':
        this.#table(element, depth);
        return;
      default:
        if (isRemark(element)) this.#remark(element, depth);
        else if (isFootnote(element)) this.#footnote(element, depth);
        else this.blocks(element.childNodes, depth);
    }
  }

  #heading(element: HtmlElement): void {
    const text = plainText(shownText(element.childNodes));
    if (text === '') return;
    const inside = elementsBelow(element).map((each) => attributeOf(each, 'id') ?? attributeOf(each, 'name'));
    const { parentNode } = element;
    const around =
      parentNode !== null && isElement(parentNode) && parentNode.tagName === 'section'
        ? attributeOf(parentNode, 'id')
        : undefined;
    const anchor = attributeOf(element, 'id') ?? inside.find((id) => id !== undefined) ?? around;
    this.units.push({
      kind: 'heading',
      level: Number(element.tagName.slice(1)),
      text,
      ...(anchor === undefined || anchor === '' ? {} : { anchor }),
    });
  }

  #list(list: HtmlElement, depth: number): void {
    const start = Number.parseInt(attributeOf(list, 'start') ?? '1', 10);
    const isReversed = attributeOf(list, 'reversed') !== undefined;
    let number = Number.isNaN(start) ? 1 : start;
    const isNotes = namesOf(list).includes('footnotes') || isNotesSection(list.parentNode);
    for (const node of list.childNodes) {
      // A list directly inside a list belongs to the last item before it.
      if (isElement(node) && (node.tagName === 'ul' || node.tagName === 'ol')) this.#list(node, depth + 1);
      else if (!isElement(node) || node.tagName !== 'li') this.blocks([node], depth);
      if (!isElement(node) || node.tagName !== 'li') continue;
      const value = Number.parseInt(attributeOf(node, 'value') ?? '', 10);
      if (!Number.isNaN(value)) number = value;
      if (isNotes || /^(?:foot|end)note-\d+$/u.test(attributeOf(node, 'id') ?? ''))
        this.#note(node, String(number), depth);
      else
        this.#item(
          node,
          depth,
          list.tagName === 'ol' ? markerOf(number, attributeOf(list, 'type')) : undefined,
        );
      number += isReversed ? -1 : 1;
    }
  }

  #item(item: HtmlElement, depth: number, marker: string | undefined): void {
    const box = elementsBelow(item).find(
      (each) => each.tagName === 'input' && attributeOf(each, 'type')?.toLowerCase() === 'checkbox',
    );
    const [text, rest] = leadOf(item.childNodes);
    const mark =
      box !== undefined && box.parentNode !== null
        ? attributeOf(box, 'checked') === undefined
          ? '☐'
          : '☑'
        : marker;
    if (text !== '')
      this.units.push({ kind: 'item', depth, ...(mark === undefined ? {} : { marker: mark }), text });
    this.blocks(rest, depth + 1);
  }

  #note(element: HtmlElement, label: string, depth: number): void {
    const inside = new Walker();
    inside.blocks(element.childNodes, depth);
    for (const unit of inside.units) this.units.push(asNote(unit, label));
  }

  /** A footnote of Asciidoctor, in which the link back to the text has the number. */
  #footnote(element: HtmlElement, depth: number): void {
    const [back, ...rest] = element.childNodes.filter((node) => !isText(node) || node.value.trim() !== '');
    const label = back !== undefined && isElement(back) ? plainText(shownText(back.childNodes)) : '';
    const [next] = rest;
    if (next !== undefined && isText(next)) next.value = next.value.replace(/^\.?\s*/u, '');
    this.#note({ ...element, childNodes: rest }, label, depth);
  }

  #remark(element: HtmlElement, depth: number): void {
    const below = elementsBelow(element);
    // Asciidoctor writes one cell with the kind of the remark, and one with its content, which may begin with a title.
    const cell = (name: string): HtmlElement | undefined =>
      below.find((each) => each.tagName === 'td' && namesOf(each).includes(name));
    const [opening] = cell('content')?.childNodes.filter(isElement) ?? [];
    const isTitled = opening !== undefined && isTitle(opening);
    if (isTitled)
      for (const each of cell('icon')?.childNodes ?? []) if (isElement(each)) each.childNodes = [];
    const title = isTitled ? opening : below.find(isTitle);
    const names = namesOf(element);
    const name = LABELS.find((each) => names.includes(each)) ?? '';
    const shown = title === undefined ? '' : plainText(shownText(title.childNodes));
    const label = shown === '' ? name.charAt(0).toUpperCase() + name.slice(1) : shown;
    const inside = new Walker();
    if (title !== undefined && shown !== '') title.childNodes = [];
    inside.blocks(element.childNodes, depth);
    if (inside.units.length === 0 && shown !== '') this.units.push({ kind: 'paragraph', text: shown });
    for (const unit of inside.units) this.units.push(asNote(unit, label));
  }

  #definitions(list: HtmlElement, depth: number): void {
    let terms: string[] = [];
    const parts = list.childNodes.flatMap((node) =>
      isElement(node) && node.tagName === 'div' ? node.childNodes : [node],
    );
    const told = (): void => {
      if (terms.length > 0) this.units.push({ kind: 'paragraph', text: terms.join(', ') });
      terms = [];
    };
    let isOpen = false;
    for (const node of parts) {
      if (!isElement(node) || isUnseen(node)) {
        if (isText(node) && node.value.trim() !== '') this.blocks([node], depth);
      } else if (node.tagName === 'dt') {
        if (!isOpen) terms = [];
        isOpen = true;
        const term = plainText(shownText(node.childNodes));
        if (term !== '') terms.push(term);
      } else if (node.tagName === 'dd') {
        this.#definition(terms.join(', '), node.childNodes, depth);
        isOpen = false;
      } else this.blocks([node], depth);
    }
    if (isOpen) told();
  }

  #definition(term: string, nodes: readonly HtmlNode[], depth: number): void {
    const [text, rest] = leadOf(nodes);
    if (term === '') {
      this.blocks(nodes, depth);
      return;
    }
    if (text === '') this.units.push({ kind: 'paragraph', text: term });
    else this.units.push({ kind: 'definition', term, text });
    this.blocks(rest, depth);
  }

  /** A section that opens on a click, usually a question with its answer. */
  #details(element: HtmlElement, depth: number): void {
    const summary = element.childNodes.find((node) => isElement(node) && node.tagName === 'summary');
    const term = summary !== undefined && isElement(summary) ? plainText(shownText(summary.childNodes)) : '';
    this.#definition(
      term,
      element.childNodes.filter((node) => node !== summary),
      depth,
    );
  }

  #code(element: HtmlElement): void {
    const text = codeOf(element).replace(/\s+$/u, '');
    if (text.trim() === '') return;
    const language = [element.parentNode, element, ...elementsBelow(element).slice(0, 3)]
      .flatMap((each) => (each !== null && isElement(each) ? [attributeOf(each, 'class') ?? ''] : []))
      .map((names) =>
        /\b(?:language|lang|highlight-source|highlight|brush:)[-\s]\s*(?<name>[\w+#-]+)/u.exec(names),
      )
      .find((found) => found !== null)?.groups?.['name'];
    this.units.push({ kind: 'code', ...(language === undefined ? {} : { language }), text });
  }

  #table(element: HtmlElement, depth: number): void {
    const table = tableOf(element);
    if (table === undefined) {
      this.blocks(element.childNodes, depth);
      return;
    }
    const at = this.units.length;
    this.#rows(table);
    const first = this.units[at];
    if (first?.kind === 'row' && this.units[at - 1]?.kind === 'row')
      this.units[at] = { ...first, begins: true };
  }

  #rows({ captions, heads, rows }: HtmlTable): void {
    const titles = captions
      .map((caption) => plainText(shownText(caption.childNodes)))
      .filter((text) => text !== '');
    for (const text of titles) this.units.push({ kind: 'paragraph', text });
    const caption = captionOf(titles);
    const shown = (cell: HtmlElement): string => {
      const inside = new Walker();
      inside.blocks(cell.childNodes, 0);
      return inside.units
        .map(withMarker)
        .map((unit, i, all) => {
          const isApart = [unit, all[i - 1]].some(
            (each) => each?.kind === 'row' || (each?.kind === 'item' && each.marker === undefined),
          );
          return (i === 0 ? '' : isApart ? BETWEEN_ROWS : ' ') + textOfUnit(unit);
        })
        .join('');
    };
    const columns = heads.map((cells) =>
      [...new Set(cells)]
        .map((cell) => shown(cell))
        .filter(Boolean)
        .join(' '),
    );
    // If a column has a head but no cell below it, all heads are also given as a row, so that the head is not lost.
    const isTold = (column: number): boolean =>
      rows.some((row) => row[column] !== undefined && shown(row[column]) !== '');
    if (columns.some((text, i) => text !== '' && !isTold(i))) {
      const cells = columns.filter((text) => text !== '').map((text) => ({ head: '', text }));
      this.units.push({ kind: 'row', cells, ...(caption === undefined ? {} : { caption }) });
    }
    const isSingle = rows.every((row) => row.length <= 1) && columns.length <= 1;
    for (const row of rows) {
      const cells = row.flatMap((cell, i) => {
        if (cell === undefined || (i > 0 && row[i - 1] === cell)) return [];
        const text = shown(cell);
        const isWide = row.every((each) => each === cell);
        return text === ''
          ? []
          : [{ head: isSingle || (isWide && row.length > 1) ? '' : (columns[i] ?? ''), text }];
      });
      if (cells.length > 0)
        this.units.push({ kind: 'row', cells, ...(caption === undefined ? {} : { caption }) });
    }
  }
}

/** Separates the rows of a table and the items of a list that are within a cell. */
const BETWEEN_ROWS = ' | ';

const isTitle = (element: HtmlElement): boolean =>
  namesOf(element).some((name) => name === 'title' || name === 'heading');

const isRemark = (element: HtmlElement): boolean => namesOf(element).some((name) => REMARKS.has(name));

const isFootnote = (element: HtmlElement): boolean =>
  attributeOf(element, 'id')?.startsWith('_footnotedef_') === true;

const isNotesSection = (node: HtmlParent | null): boolean =>
  node !== null &&
  isElement(node) &&
  (namesOf(node).includes('footnotes') ||
    ['doc-endnotes', 'doc-footnotes'].includes(attributeOf(node, 'role') ?? ''));

/** The text of a unit within a cell. */
export function textOfUnit(unit: Unit): string {
  switch (unit.kind) {
    case 'row':
      return unit.cells.map(({ head, text }) => (head === '' ? text : `${head}: ${text}`)).join('; ');
    case 'item':
      return unit.marker === undefined ? unit.text : `${unit.marker} ${unit.text}`;
    case 'definition':
      return `${unit.term}: ${unit.text}`;
    case 'note':
      return unit.label === '' ? unit.text : `${unit.label}: ${unit.text}`;
    case 'code':
      return plainText(unit.text);
    case 'heading':
    case 'paragraph':
      return unit.text;
  }
}

const isBlockOrHasOne = new WeakMap<HtmlElement, boolean>();

/** A block, or a span or link with a block inside. */
function hasBlock(element: HtmlElement): boolean {
  if (isBlock(element)) return true;
  const known = isBlockOrHasOne.get(element);
  if (known !== undefined) return known;
  const has = element.childNodes.some((node) => isElement(node) && !isUnseen(node) && hasBlock(node));
  isBlockOrHasOne.set(element, has);
  return has;
}

/** Whether a node is running text at the beginning of an item or a definition. */
const isRunning = (node: HtmlNode): boolean =>
  !isElement(node) ||
  isUnseen(node) ||
  !hasBlock(node) ||
  ((node.tagName === 'p' || node.tagName === 'div') &&
    !isRemark(node) &&
    !node.childNodes.some((each) => isElement(each) && hasBlock(each)));

/**
 * The text at the beginning of a list item or a definition, joined with its further paragraphs, and the remaining
 * nodes.
 */
function leadOf(nodes: readonly HtmlNode[]): [string, readonly HtmlNode[]] {
  const end = nodes.findIndex((node) => !isRunning(node));
  const lead = end === -1 ? nodes : nodes.slice(0, end);
  return [plainText(shownText(lead)), end === -1 ? [] : nodes.slice(end)];
}

/** Two line breaks in a row end a paragraph. */
const paragraphsOf = (nodes: readonly HtmlNode[]): string[] =>
  shownText(nodes)
    .split(/\u2029\s*\u2029/u)
    .map(plainText)
    .filter((text) => text !== '');

/** Running text. A line break becomes a paragraph separator (U+2029), which HTML text never has. */
function shownText(nodes: readonly HtmlNode[]): string {
  return nodes
    .map((node): string => {
      if (isText(node)) return node.value.replaceAll('\u2029', ' ');
      if (!isElement(node) || isUnseen(node)) return '';
      if (node.tagName === 'br') return '\u2029';
      if (isFootnoteMark(node)) return '';
      const text = shownText(node.childNodes);
      if (isMark(node, text.trim())) return '';
      if (isBlock(node)) return ` ${text} `;
      if (node.tagName === 'sup' && /^\s*\d+\s*$/u.test(text))
        return text.trim().replaceAll(/\d/gu, (digit) => SUPERSCRIPT[Number(digit)]!);
      if (node.tagName === 'q') return `“${text}”`;
      return text;
    })
    .join('');
}

/** Code with its lines but without line numbers. */
function codeOf(element: HtmlElement): string {
  if (!elementsBelow(element).some(({ tagName }) => tagName === 'br')) return textBelow(element);
  return element.childNodes
    .map((node) =>
      isText(node) ? node.value : isElement(node) ? (node.tagName === 'br' ? '\n' : codeOf(node)) : '',
    )
    .join('');
}

/** The marker that a browser shows before an item. */
function markerOf(number: number, type = '1'): string {
  switch (type) {
    case 'a':
      return `${lettersOf(number)}.`;
    case 'A':
      return `${lettersOf(number).toUpperCase()}.`;
    case 'i':
      return `${romanOf(number)}.`;
    case 'I':
      return `${romanOf(number).toUpperCase()}.`;
    default:
      return `${number}.`;
  }
}
