import { strToU8, zipSync } from 'fflate';
import mammoth from 'mammoth';

import { flatten } from './html-tree.ts';
import { unitsOfTree } from './html-units.ts';
import { couldBeHeading } from './heading-look.ts';
import { isTitleOfContents } from './contents.ts';
import { fromOutermost, markedText, withMarker, withTypedBullets } from './list-items.ts';
import { OfficePackage } from './office-package.ts';
import { withOrganisation } from './organisation.ts';
import { ownTitle } from './own-title.ts';
import { nameOf } from './passages.ts';
import { plainText } from './plain-text.ts';
import { withPrintedHeads } from './printed-heads.ts';
import { documentOf, Unreadable, type DocumentKind, type Unit } from './unit.ts';
import { withNotesInSections } from './word-notes.ts';
import { WordNumbering } from './word-numbering.ts';
import {
  attributeOf,
  childrenOf,
  descend,
  findAll,
  isOn,
  isXml,
  parseXml,
  textOf,
  writeXml,
  type XmlElement,
} from './xml.ts';

/**
 * A Word document, read from the HTML of mammoth. What mammoth does not handle is changed in the document before:
 * paragraph numbers, headings by outline level, and heads of tables are added, and invisible text is removed.
 */
export const docx: DocumentKind = {
  extensions: ['docx', 'docm'],
  async parse(bytes, path) {
    const file = new OfficePackage(bytes);
    const name = file.main('a document of Word');
    const tree = file.xml(name);
    if (descend(tree, 'document', 'body') === undefined) throw new Unreadable('is not a document of Word');
    const prepared = new Preparation(file, name);
    prepared.prepare(tree!);
    const units = withPrintedHeads(
      withTypedBullets(fromOutermost((await unitsOf(file, name, tree!)).map(withMarker))),
    );
    const properties = file.properties();
    const own = nameOf(path);
    const names = [own, ...prepared.running];
    const found = ownTitle(properties.title, units, names, prepared.title);
    const title = withOrganisation(found, own, prepared.running);
    const { lang, leftOut } = prepared;
    return documentOf({ ...properties, units, title, lang, leftOut });
  },
};

/** Parts that mammoth reads beside the document itself. */
const READ = /(?:^|\/)(?:styles|numbering|footnotes|endnotes)\.xml$/u;

async function unitsOf(file: OfficePackage, name: string, tree: XmlElement): Promise<Unit[]> {
  const parts: Record<string, Uint8Array> = {};
  for (const [part, bytes] of file.parts) {
    if (part === name) parts[part] = strToU8(writeXml(tree));
    else if (part.endsWith('.rels') || part === '[Content_Types].xml') parts[part] = bytes;
    // A broken or hostile part is rejected before mammoth reads it.
    else if (READ.test(part)) parts[part] = strToU8(writeXml(parseXml(bytes)));
  }
  const levels = [1, 2, 3, 4, 5, 6].map((level) => `p.${HEADING}${level} => h${level}:fresh`);
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(zipSync(parts, { level: 0 })) },
      {
        styleMap: [...levels, "p[style-name='Title'] => h1:fresh"],
        convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      },
    );
    const sections = withNotesInSections(value);
    flatten(sections);
    return unitsOfTree(sections);
  } catch (error) {
    throw new Unreadable('is broken: it cannot be read as a document of Word', { cause: error });
  }
}

/** The style of headings, without their level. */
const HEADING = 'BelegHeading';
/** By this factor, lines that look like headings must be more than headings by style to be made by hand. */
const BY_HAND = 2;
/** How a line is set apart from text, in sum; larger type counts more than both. */
const [UNDERLINED, BOLD, LARGE] = [1, 2, 4];
/** By this factor larger type is larger than that of the text. */
const LARGER = 1.15;
/** A title is larger than the text by this factor, among so many first lines, in so many characters. */
const [TITLE_LARGER, FIRST_LINES, LONGEST_TITLE] = [1.4, 12, 160];
/** The size of text where a document names none, in half points as Word counts. */
const USUAL_SIZE = 20;

interface Style {
  readonly name: string;
  /** In half points. */
  readonly size?: number;
  readonly outline?: number;
  readonly numbering?: { readonly id: string; readonly level: number };
}

class Preparation {
  readonly leftOut: Record<string, number> = {};
  readonly lang: 'de' | 'en' | undefined;
  /** The lines of its headers and footers. */
  readonly running: readonly string[];
  /** The line that its style or its size makes the title. */
  title: string | undefined;
  readonly #styles = new Map<string, Style>();
  readonly #numbering: WordNumbering;
  /** The paragraphs that only their looks make headings, with their outline levels. */
  readonly #looks = new Map<XmlElement, number>();
  /** The paragraphs without a style that are numbered as headings by style are, with the outline levels of these. */
  readonly #numberedAsHeadings = new Map<XmlElement, number>();
  /** The style of paragraphs that name none, and the size of type where no style names one. */
  #usual: Style | undefined;
  readonly #size: number;

  constructor(file: OfficePackage, name: string) {
    const parts = [...file.references(name).values()];
    const part = (kind: string): XmlElement | undefined =>
      file.xml(parts.find((each) => each.kind === kind)?.target ?? '');
    this.#numbering = new WordNumbering(part('numbering'));
    const styles = descend(part('styles'), 'styles');
    if (styles !== undefined) this.#readStyles(childrenOf(styles, 'style'));
    const defaults = descend(styles, 'docDefaults', 'rPrDefault', 'rPr');
    this.#size = sizeIn(defaults) ?? USUAL_SIZE;
    const lang = attributeOf(descend(defaults, 'lang'), 'val') ?? '';
    const found = /^(?<lang>de|en)\b/iu.exec(lang)?.groups?.['lang']?.toLowerCase();
    this.lang = found as 'de' | 'en' | undefined;
    const running: string[] = [];
    for (const kind of ['header', 'footer', 'comments']) {
      const written = parts
        .filter((each) => each.kind === kind)
        .map(({ target }) => file.xml(target))
        .filter(hasText);
      if (written.length > 0) this.leftOut[kind] = written.length;
      if (kind !== 'comments')
        running.push(
          ...written.flatMap((each) => findAll(each!, 'p').map((line) => plainText(textOf(line)))),
        );
    }
    this.running = running;
  }

  #readStyles(styles: readonly XmlElement[]): void {
    const byId = new Map(styles.map((style) => [attributeOf(style, 'styleId') ?? '', style]));
    for (const [id, style] of byId) {
      let outline: string | undefined;
      let number: string | undefined;
      let level: string | undefined;
      let size: number | undefined;
      const seen = new Set<XmlElement>();
      for (let each: XmlElement | undefined = style; each !== undefined && !seen.has(each);) {
        seen.add(each);
        const properties = descend(each, 'pPr');
        outline ??= attributeOf(descend(properties, 'outlineLvl'), 'val');
        number ??= attributeOf(descend(properties, 'numPr', 'numId'), 'val');
        level ??= attributeOf(descend(properties, 'numPr', 'ilvl'), 'val');
        size ??= sizeIn(descend(each, 'rPr'));
        each = byId.get(attributeOf(descend(each, 'basedOn'), 'val') ?? '');
      }
      const name = (attributeOf(descend(style, 'name'), 'val') ?? '').toLowerCase();
      const named = /^heading (?<level>[1-9])$/u.exec(name)?.groups?.['level'];
      const at = named === undefined ? Number(outline ?? 9) : Number(named) - 1;
      const read: Style = {
        name,
        ...(size === undefined ? {} : { size }),
        ...(at < 9 ? { outline: at } : {}),
        ...(number === undefined ? {} : { numbering: { id: number, level: Number(level ?? 0) } }),
      };
      this.#styles.set(id, read);
      if (attributeOf(style, 'type') === 'paragraph' && attributeOf(style, 'default') === '1')
        this.#usual = read;
    }
  }

  prepare(tree: XmlElement): void {
    this.#clean(tree);
    const body = descend(tree, 'document', 'body');
    if (body !== undefined) this.#findLooks(body);
    this.#mark(tree);
  }

  #leaveOut(why: string): void {
    this.leftOut[why] = (this.leftOut[why] ?? 0) + 1;
  }

  /** Removes invisible and duplicate parts. */
  #clean(element: XmlElement): void {
    element.children = element.children.flatMap((child, i): (XmlElement | string)[] => {
      if (!isXml(child)) return [child];
      if (child.name === 'Choice' && childrenOf(element, 'Fallback').length > 0) return [];
      if (child.name === 'r' && isOn(descend(child, 'rPr', 'vanish'))) {
        if (hasText(child)) this.#leaveOut('hidden text');
        return [];
      }
      if (child.name === 'r' && ['strike', 'dstrike'].some((name) => isOn(descend(child, 'rPr', name)))) {
        if (hasText(child)) this.#leaveOut('struck text');
        return [];
      }
      // An empty element says that a row or the end of a paragraph is deleted, which mammoth handles.
      if ((child.name === 'del' || child.name === 'moveFrom') && childrenOf(child).length > 0) {
        this.#leaveOut('deleted text');
        return [];
      }
      if (this.#isContents(child)) {
        this.#leaveOut('table of contents');
        return [];
      }
      // A title with a number stays: the numbers below count on from it.
      if (
        child.name === 'p' &&
        this.#listOf(child) === undefined &&
        isTitleOfContents(plainText(textOf(child)))
      ) {
        const next = element.children.slice(i + 1).find((each) => isXml(each) && hasText(each));
        if (next !== undefined && isXml(next) && this.#isContents(next)) return [];
      }
      if (child.name === 'oMathPara')
        return findAll(child, 'oMath').map((formula) => run(element, textOf(formula)));
      if (child.name === 'oMath') return [run(element, textOf(child))];
      this.#clean(child);
      return [child];
    });
  }

  #isContents(element: XmlElement): boolean {
    const gallery = attributeOf(descend(element, 'sdtPr', 'docPartObj', 'docPartGallery'), 'val');
    return element.name === 'sdt'
      ? gallery === 'Table of Contents'
      : element.name === 'p' && this.#isOfContents(element);
  }

  /** The style for the title of a table of contents is used for other titles, too. */
  #isOfContents(paragraph: XmlElement): boolean {
    const style = this.#styleOf(paragraph)?.name ?? '';
    if (style === 'toc heading') return isTitleOfContents(plainText(textOf(paragraph)));
    return /^(?:toc|table of figures)\b/u.test(style);
  }

  #mark(element: XmlElement): void {
    for (const child of childrenOf(element)) {
      if (child.name === 'p') this.#paragraph(child);
      if (child.name === 'tbl') markHeads(child);
      this.#mark(child);
    }
  }

  #paragraph(paragraph: XmlElement): void {
    const properties = descend(paragraph, 'pPr');
    const own = descend(properties, 'numPr');
    const style = this.#styleOf(paragraph);
    const id = this.#listOf(paragraph);
    const level = Number(attributeOf(descend(own, 'ilvl'), 'val') ?? style?.numbering?.level ?? 0);
    if (!hasText(paragraph)) return;
    const outline = this.#outlineOf(paragraph) ?? this.#looks.get(paragraph);
    const number = id === undefined ? undefined : this.#numbering.next(id, level);
    if (number !== undefined) {
      const at = properties === undefined ? 0 : paragraph.children.indexOf(properties) + 1;
      paragraph.children.splice(at, 0, run(paragraph, markedText(number)));
    }
    if (outline !== undefined) setStyle(paragraph, `${HEADING}${Math.min(6, outline + 1)}`);
  }

  /** The list of which it has a number, by its own properties or its style. */
  #listOf(paragraph: XmlElement): string | undefined {
    const own = attributeOf(descend(paragraph, 'pPr', 'numPr', 'numId'), 'val');
    const id = own ?? this.#styleOf(paragraph)?.numbering?.id;
    return id === '0' ? undefined : id;
  }

  #styleOf(paragraph: XmlElement): Style | undefined {
    return this.#styles.get(attributeOf(descend(paragraph, 'pPr', 'pStyle'), 'val') ?? '');
  }

  #outlineOf(paragraph: XmlElement): number | undefined {
    const own = attributeOf(descend(paragraph, 'pPr', 'outlineLvl'), 'val');
    const level =
      own === undefined
        ? (this.#styleOf(paragraph)?.outline ?? this.#numberedAsHeadings.get(paragraph))
        : Number(own);
    return level !== undefined && level < 9 && hasText(paragraph) ? level : undefined;
  }

  /**
   * Short lines that are bold, underlined or in larger type are headings. Where they are many more than the headings by style, all were made by
   * hand, and their looks rank them; else each stands below the last heading by style, if text follows.
   */
  #findLooks(body: XmlElement): void {
    const written = childrenOf(body).filter(hasText);
    for (const each of written) this.#findNumberedAsHeading(each, body);
    const usual = this.#usualSize(body);
    this.title = this.#titleIn(written, usual);
    const looks = withoutLists(
      written.map((each) => this.#lookOf(each, body, usual)),
      // Fields of a form stand below the title that they belong to.
      written.map((each) => textOf(each).includes(':')),
    );
    const styled = findAll(body, 'p').filter((each) => this.#outlineOf(each) !== undefined).length;
    const areByHand = looks.filter((look) => look > 0).length > BY_HAND * styled;
    const ranks = [...new Set(looks)]
      .sort((a, b) => b - a)
      .filter((look) => look >= LARGE || looks.filter((each) => each === look).length > 1);
    let above: number | undefined;
    for (const [i, paragraph] of written.entries()) {
      above = this.#outlineOf(paragraph) ?? above;
      const look = looks[i]!;
      if (look === 0) continue;
      if (areByHand) {
        // One underlined line alone stresses something.
        if (look !== UNDERLINED || ranks.includes(look))
          this.#looks.set(paragraph, 1 + Math.max(0, ranks.indexOf(look)));
      } else if (above !== undefined && looks[i + 1] === 0 && this.#outlineOf(written[i + 1]!) === undefined)
        this.#looks.set(paragraph, above + 1);
    }
  }

  /** Word numbers a chapter in the list of its headings, whether or not it was given their style as well. */
  #findNumberedAsHeading(paragraph: XmlElement, body: XmlElement): void {
    const id = listOf(paragraph);
    const style = id === undefined ? undefined : this.#numbering.styleAt(id, Number(levelOf(paragraph)));
    const outline = this.#styles.get(style ?? '')?.outline;
    if (
      outline !== undefined &&
      couldBeHeading(plainText(textOf(paragraph))) &&
      !this.#goesOnAsList(paragraph, body)
    )
      this.#numberedAsHeadings.set(paragraph, outline);
  }

  /**
   * The first line in the style of titles, or else the first of the largest above the first heading, with those next to it. A heading that
   * is alone in the highest level is the title itself: what is larger above it is a letterhead or a remark.
   */
  #titleIn(written: readonly XmlElement[], usual: number): string | undefined {
    const outlines = written.map((each) => this.#outlineOf(each));
    const first = outlines.findIndex((level) => level !== undefined);
    const lines = written.slice(0, first === -1 ? FIRST_LINES : Math.min(first, FIRST_LINES));
    const sizes = lines.map((each) =>
      each.name === 'p'
        ? Math.min(
            ...findAll(each, 'r')
              .filter(hasText)
              .map((part) => this.#sizeOf(part, each)),
          )
        : 0,
    );
    const isStyled = (each: XmlElement): boolean => this.#styleOf(each)?.name === 'title';
    const styled = lines.findIndex(isStyled);
    const below = written.findIndex((each, i) => i > styled && !isStyled(each));
    // The style of titles above several texts is that of their headings.
    if (styled !== -1 && below !== -1 && written.slice(below).some(isStyled)) return undefined;
    const most = Math.max(0, ...sizes);
    const start = styled === -1 ? sizes.indexOf(most) : styled;
    if (start === -1) return undefined;
    const levels = outlines.filter((level) => level !== undefined);
    const highest = Math.min(...levels);
    const isHeaded = levels.filter((level) => level === highest).length === 1;
    if (styled === -1 && (isHeaded || most < TITLE_LARGER * usual)) return undefined;
    const end = sizes.findIndex((size, i) => i > start && size !== sizes[start]);
    const texts = lines.slice(start, end === -1 ? undefined : end).map((each) => plainText(lineOf(each)));
    const title = [...new Set(styled === -1 ? texts : texts.slice(0, 1))].join(' ');
    return title.length <= LONGEST_TITLE && /\p{L}{3}/u.test(title) ? title : undefined;
  }

  /** The size of most characters. */
  #usualSize(body: XmlElement): number {
    const letters = new Map<number, number>();
    for (const paragraph of findAll(body, 'p'))
      for (const each of findAll(paragraph, 'r')) {
        const size = this.#sizeOf(each, paragraph);
        letters.set(size, (letters.get(size) ?? 0) + textOf(each).length);
      }
    return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? this.#size;
  }

  #sizeOf(text: XmlElement, paragraph: XmlElement): number {
    return sizeIn(descend(text, 'rPr')) ?? (this.#styleOf(paragraph) ?? this.#usual)?.size ?? this.#size;
  }

  /**
   * How a short line with its number is set apart from text, by more the larger its type is; 0 for a heading by style, and for what is
   * only a link.
   *
   * @param usual the size of the text
   */
  #lookOf(paragraph: XmlElement, body: XmlElement, usual: number): number {
    if (paragraph.name !== 'p' || this.#outlineOf(paragraph) !== undefined) return 0;
    if (!couldBeHeading(plainText(textOf(paragraph))) || this.#goesOnAsList(paragraph, body)) return 0;
    const runs = findAll(paragraph, 'r').filter(hasText);
    const linked = new Set(findAll(paragraph, 'hyperlink').flatMap((link) => findAll(link, 'r')));
    if (runs.every((each) => linked.has(each))) return 0;
    const all = (name: string): boolean => runs.every((each) => isOn(descend(each, 'rPr', name)));
    const size = Math.min(...runs.map((each) => this.#sizeOf(each, paragraph)));
    const larger = size >= LARGER * usual ? LARGE * size : 0;
    return larger + (all('b') ? BOLD : 0) + (all('u') ? UNDERLINED : 0);
  }

  /**
   * Whether it is an item, and the text before or after it is another one of the same list, or nothing follows, or it is the only one that
   * a text leads to.
   */
  #goesOnAsList(paragraph: XmlElement, parent: XmlElement): boolean {
    const own = listOf(paragraph);
    if (own === undefined) return false;
    const all = childrenOf(parent);
    const at = all.indexOf(paragraph);
    const before = all.slice(0, at).findLast(hasText);
    const next = all.slice(at + 1).find(hasText);
    return (
      next === undefined ||
      listOf(next) === own ||
      (before?.name === 'p' &&
        /:\s*$/u.test(textOf(before)) &&
        !couldBeHeading(plainText(textOf(before))) &&
        all.filter((each) => listOf(each) === own).length === 1) ||
      (listOf(before) === own && levelOf(before) === levelOf(paragraph))
    );
  }
}

/** So many lines that look alike, directly below each other, are a list, unless they open the document as its title. */
const LISTED = 4;

/** The looks of lines, with `0` for those of lists, of which the last would be the heading of the text below. */
function withoutLists(looks: readonly number[], areFields: readonly boolean[]): readonly number[] {
  const found = [...looks];
  for (let start = 0, end = 0; start < looks.length; start = end) {
    end = start + 1;
    if (areFields[start] !== true) while (looks[end] === looks[start] && areFields[end] !== true) end += 1;
    if (start > 0 && end - start >= LISTED) found.fill(0, start, end);
  }
  return found;
}

/** The list that a paragraph's own properties name. */
const listOf = (paragraph: XmlElement | undefined): string | undefined =>
  attributeOf(descend(paragraph, 'pPr', 'numPr', 'numId'), 'val');

/** The level of its list, `0` being the outermost. */
const levelOf = (paragraph: XmlElement | undefined): string =>
  attributeOf(descend(paragraph, 'pPr', 'numPr', 'ilvl'), 'val') ?? '0';

/** The size of type that properties name, in half points. */
const sizeIn = (properties: XmlElement | undefined): number | undefined => {
  const size = Number(attributeOf(descend(properties, 'sz'), 'val'));
  return size > 0 ? size : undefined;
};

const hasText = (element: XmlElement | undefined): boolean =>
  element !== undefined && findAll(element, 't').some((each) => textOf(each).trim() !== '');

/** The text of a paragraph that a reader sees, in which a break is a space. Fields and drawings have texts that are not seen. */
const lineOf = (element: XmlElement): string => {
  if (element.name === 't') return textOf(element);
  if (/^(?:br|tab)$/u.test(element.name)) return ' ';
  return element.children.map((child) => (isXml(child) ? lineOf(child) : '')).join('');
};

/** A run of text with the same prefix as its neighbours. */
function run(beside: XmlElement, text: string): XmlElement {
  const prefix = beside.tag.slice(0, beside.tag.length - beside.name.length);
  const inside = { name: 't', tag: `${prefix}t`, attributes: { 'xml:space': 'preserve' }, children: [text] };
  return { name: 'r', tag: `${prefix}r`, attributes: {}, children: [inside] };
}

function setStyle(paragraph: XmlElement, id: string): void {
  const prefix = paragraph.tag.slice(0, -1);
  let properties = descend(paragraph, 'pPr');
  if (properties === undefined) {
    properties = { name: 'pPr', tag: `${prefix}pPr`, attributes: {}, children: [] };
    paragraph.children.unshift(properties);
  }
  properties.children = [
    { name: 'pStyle', tag: `${prefix}pStyle`, attributes: { [`${prefix}val`]: id }, children: [] },
    // Its number is in its text now. As part of a list it would be no heading.
    ...properties.children.filter(
      (child) => !isXml(child) || (child.name !== 'pStyle' && child.name !== 'numPr'),
    ),
  ];
}

/** The first row of a table has the heads if the table's style sets that row apart. */
function markHeads(table: XmlElement): void {
  const properties = descend(table, 'tblPr');
  const style = attributeOf(descend(properties, 'tblStyle'), 'val') ?? '';
  const look = descend(properties, 'tblLook');
  const isMarked =
    attributeOf(look, 'firstRow') === '1' ||
    (Number.parseInt(attributeOf(look, 'val') ?? '0', 16) & 0x20) !== 0;
  const rows = childrenOf(table, 'tr');
  const [first] = rows;
  if (
    first === undefined ||
    rows.length < 2 ||
    !isMarked ||
    /^(?:|TableGrid|TableNormal|Tabellenraster|NormaleTabelle)$/u.test(style)
  )
    return;
  const prefix = table.tag.slice(0, table.tag.length - table.name.length);
  let rowProperties = descend(first, 'trPr');
  if (rowProperties === undefined) {
    rowProperties = { name: 'trPr', tag: `${prefix}trPr`, attributes: {}, children: [] };
    first.children.unshift(rowProperties);
  }
  if (descend(rowProperties, 'tblHeader') === undefined)
    rowProperties.children.push({
      name: 'tblHeader',
      tag: `${prefix}tblHeader`,
      attributes: {},
      children: [],
    });
}
