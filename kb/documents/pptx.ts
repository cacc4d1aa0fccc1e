import { MAX_DEPTH } from './document-limits.ts';
import { lettersOf, romanOf } from './numerals.ts';
import { OfficePackage } from './office-package.ts';
import { isOfProgram } from './program-titles.ts';
import { plainText } from './plain-text.ts';
import { unitsOfSheet } from './sheet-units.ts';
import { isAbove, placeOf, shapesInOrder, type Shape } from './slide-order.ts';
import { documentOf, Unreadable, type DocumentKind, type Unit } from './unit.ts';
import { attributeOf, childrenOf, descend, findAll, textOf, type XmlElement } from './xml.ts';

/** A PowerPoint presentation: its slides in order, each with title, texts, tables and the speaker's notes. */
export const pptx: DocumentKind = {
  extensions: ['pptx', 'pptm'],
  parse(bytes) {
    const file = new OfficePackage(bytes);
    const name = file.main('a presentation of PowerPoint');
    const presentation = descend(file.xml(name), 'presentation');
    if (presentation === undefined) throw new Unreadable('is not a presentation of PowerPoint');
    const references = file.references(name);
    const leftOut: Record<string, number> = {};
    const languages: string[] = [];
    const slides = childrenOf(descend(presentation, 'sldIdLst') ?? presentation, 'sldId').flatMap(
      (each, i): Slide[] => {
        const id = Object.entries(each.attributes).find(([key]) => key.endsWith(':id'))?.[1];
        const reference = references.get(id ?? '');
        const slide = reference === undefined ? undefined : descend(file.xml(reference.target), 'sld');
        if (reference === undefined || slide === undefined) return [];
        if (attributeOf(slide, 'show') === '0') {
          leftOut['hidden slide'] = (leftOut['hidden slide'] ?? 0) + 1;
          return [];
        }
        languages.push(...findAll(slide, 'rPr').flatMap((run) => attributeOf(run, 'lang') ?? []));
        return [slideOf(file, reference.target, slide, i + 1)];
      },
    );
    const height = Number(attributeOf(descend(presentation, 'sldSz'), 'cy') ?? 0);
    const isRunning = runningIn(slides, height);
    const lang =
      languages.filter((each) => each.startsWith('de')).length > languages.length / 2
        ? 'de'
        : languages.some((each) => each.startsWith('en'))
          ? 'en'
          : undefined;
    const units = slides.flatMap((slide) => {
      const shapes = slide.shapes.filter((shape) => !isRunning(shape));
      const running = slide.shapes.length - shapes.length;
      if (running > 0) leftOut['running heads'] = (leftOut['running heads'] ?? 0) + running;
      return unitsOfSlide(file, { ...slide, shapes }, lang ?? 'en').map((unit): Unit => ({
        ...unit,
        page: slide.page,
      }));
    });
    const { title: written, stand } = file.properties();
    // The title in the properties is often that of another presentation, from which this one was made.
    const title = titleOf(units) ?? (written === undefined || isOfProgram(written) ? undefined : written);
    return documentOf({ units, title, stand, lang, slides: true, leftOut });
  },
};

/** The most words below the title of a title page, which has no list either. */
const TITLE_PAGE_WORDS = 40;

/** The title of the first slide, unless it is a slide like the others, which have titles of their own. */
function titleOf(units: readonly Unit[]): string | undefined {
  const isOnFirst = ({ page }: Unit): boolean => page === units[0]!.page;
  const own = units.filter(isOnFirst);
  const first = own.find(({ kind }) => kind === 'heading');
  if (first?.kind !== 'heading') return undefined;
  const below = own.filter((unit) => unit !== first && unit.kind !== 'note');
  const isTitlePage =
    below.every((unit) => unit.kind === 'paragraph' || unit.kind === 'heading') &&
    below.reduce((words, unit) => words + ('text' in unit ? unit.text.split(/\s+/u).length : 0), 0) <=
      TITLE_PAGE_WORDS;
  const isLikeOthers = units.some((unit) => unit.kind === 'heading' && !isOnFirst(unit));
  return isTitlePage || !isLikeOthers ? first.text : undefined;
}

/** Placeholders that are repeated on every slide. */
const RUNNING = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
const TITLES = new Set(['title', 'ctrTitle']);
/** Placeholders whose paragraphs have bullets unless their layout says otherwise. */
const BULLETED = new Set(['body', 'obj', '']);

interface Slide {
  /** The name of its part. */
  readonly name: string;
  readonly page: number;
  readonly shapes: readonly Shape[];
  readonly layout: XmlElement | undefined;
  readonly notes: XmlElement | undefined;
}

function slideOf(file: OfficePackage, name: string, slide: XmlElement, page: number): Slide {
  const partOf = (of: string, kind: string): { name: string; tree: XmlElement | undefined } => {
    const target = [...file.references(of).values()].find((each) => each.kind === kind)?.target ?? '';
    return { name: target, tree: file.xml(target) };
  };
  const layout = partOf(name, 'slideLayout');
  const inLayout = shapesBelow(layout.tree, 'sldLayout');
  const inMaster = shapesBelow(partOf(layout.name, 'slideMaster').tree, 'sldMaster');
  const tree = descend(slide, 'cSld', 'spTree');
  const shapes = shapesInOrder(tree, (shape) => {
    const placeholder = placeholderOf(shape);
    if (placeholder === undefined) return undefined;
    const own = sameIn(inLayout, placeholder);
    const ofMaster = inMaster.find((each) => placeholderOf(each)?.type === kindInMaster(placeholder));
    return (own === undefined ? undefined : placeOf(own)) ?? (ofMaster && placeOf(ofMaster));
  });
  return { name, page, shapes, layout: layout.tree, notes: partOf(name, 'notesSlide').tree };
}

/** The shapes of a part that is no slide. */
const shapesBelow = (part: XmlElement | undefined, root: string): XmlElement[] =>
  shapesInOrder(descend(part, root, 'cSld', 'spTree'), () => undefined).map(({ element }) => element);

/** The placeholder of a layout that gives its text and position to another one. */
const sameIn = (shapes: readonly XmlElement[], { type, index }: Placeholder): XmlElement | undefined =>
  shapes.find((each) => {
    const other = placeholderOf(each);
    return other !== undefined && (index === '' ? other.type === type : other.index === index);
  });

/** A master has one title and one text. */
const kindInMaster = ({ type }: Placeholder): string =>
  TITLES.has(type) ? 'title' : RUNNING.has(type) ? type : 'body';

/** The share of a slide's height at its edges in which running heads may be. */
const EDGE = 0.15;

/** The key of a text with its position. */
const keyOf = ({ element, box }: Shape): string => `${box?.left} ${box?.top} ${textIn(element)}`;

/**
 * The running heads: short texts at the edge that more than half of the slides, and at least three, have at the same
 * position.
 */
function runningIn(slides: readonly Slide[], height: number): (shape: Shape) => boolean {
  const canBe = (shape: Shape): boolean =>
    shape.box !== undefined &&
    (shape.box.bottom < EDGE * height || shape.box.top > (1 - EDGE) * height) &&
    shape.element.name === 'sp' &&
    !isTitle(shape.element) &&
    isLine(shape);
  const counts = new Map<string, number>();
  for (const { shapes } of slides)
    for (const key of new Set(shapes.filter(canBe).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  return (shape) => {
    const count = counts.get(keyOf(shape)) ?? 0;
    return canBe(shape) && count > 2 && count > slides.length / 2;
  };
}

/** The label before the notes of a speaker, which no slide shows. */
const SPOKEN = { de: 'Sprechernotiz', en: 'Speaker note' };

function unitsOfSlide(
  file: OfficePackage,
  { name, page, shapes, layout, notes }: Slide,
  lang: keyof typeof SPOKEN,
): Unit[] {
  const placed = shapes.filter(({ element }) => isTitle(element) && textIn(element) !== '');
  const looks = placed.length > 0 ? undefined : titleByLooks(shapes, page);
  const titles = looks === undefined ? placed : [looks];
  const units = titles.map(({ element }): Unit => ({ kind: 'heading', level: 1, text: textIn(element) }));
  for (const shape of shapes) {
    if (titles.includes(shape)) continue;
    if (shape.element.name === 'graphicFrame') units.push(...unitsOfFrame(file, name, shape.element));
    else units.push(...unitsOfText(shape, layout));
  }
  const spoken = shapesBelow(notes, 'notes')
    .filter((shape) => placeholderOf(shape)?.type === 'body')
    .flatMap(paragraphsOf)
    .map((paragraph) => plainText(shownText(paragraph)))
    .filter((text) => text !== '');
  return [...units, ...spoken.map((text): Unit => ({ kind: 'note', label: SPOKEN[lang], text }))];
}

const LONGEST_TITLE = 100;

/**
 * The title of a slide without a placeholder for it: the short line above all other texts, if no other text is larger.
 */
function titleByLooks(shapes: readonly Shape[], page: number): Shape | undefined {
  const told = shapes.filter((shape) => shape.element.name === 'graphicFrame' || writtenIn(shape).length > 0);
  const largest = Math.max(...told.map(sizeOf));
  const canBe = (shape: Shape): boolean => isLine(shape, page === 1 ? 3 : 1) && sizeOf(shape) === largest;
  const [first, ...others] = told;
  if (first === undefined || others.length === 0) return undefined;
  if (canBe(first) && isAbove(first, others)) return first;
  // On the first slide the title may be anywhere.
  const large = page === 1 && largest > 0 ? told.filter(canBe) : [];
  return large.length === 1 ? large[0] : undefined;
}

function isLine(shape: Shape, lines = 1): boolean {
  const written = writtenIn(shape);
  if (written.length === 0 || written.length > lines) return false;
  if (written.some((line) => descend(line, 'pPr', 'buChar') !== undefined)) return false;
  const text = textIn(shape.element);
  return text.length <= LONGEST_TITLE && /\p{L}{2}/u.test(text) && !/[^.]\.$|[:;,]$|^https?:/u.test(text);
}

/** The largest size of type in a shape, in hundredths of a point; 0 if the shape takes it from its layout. */
const sizeOf = ({ element }: Shape): number =>
  Math.max(0, ...findAll(element, 'rPr').map((run) => Number(attributeOf(run, 'sz') ?? 0)));

const NOTHING: XmlElement = { name: '', tag: '', attributes: {}, children: [] };

interface Placeholder {
  readonly type: string;
  readonly index: string;
}

function placeholderOf(shape: XmlElement): Placeholder | undefined {
  const placeholder = descend(shape, 'nvSpPr', 'nvPr', 'ph');
  return placeholder === undefined
    ? undefined
    : { type: attributeOf(placeholder, 'type') ?? '', index: attributeOf(placeholder, 'idx') ?? '' };
}

const isTitle = (shape: XmlElement): boolean => TITLES.has(placeholderOf(shape)?.type ?? '-');

const paragraphsOf = (shape: XmlElement): XmlElement[] =>
  childrenOf(descend(shape, 'txBody') ?? NOTHING, 'p');

const isStruck = (run: XmlElement): boolean =>
  (attributeOf(descend(run, 'rPr'), 'strike') ?? 'noStrike') !== 'noStrike';

/** Runs and fields as they are displayed, without what is struck out; a line break is white space. */
const shownText = (paragraph: XmlElement): string =>
  childrenOf(paragraph)
    .map((child) =>
      child.name === 'br'
        ? ' '
        : (child.name === 'r' || child.name === 'fld') && !isStruck(child)
          ? textOf(descend(child, 't') ?? NOTHING)
          : '',
    )
    .join('');

const textIn = (shape: XmlElement): string => plainText(paragraphsOf(shape).map(shownText).join(' '));

/** The paragraphs of a shape that a person wrote: without the slide number or the date, which programs insert. */
function writtenIn({ element }: Shape): XmlElement[] {
  if (RUNNING.has(placeholderOf(element)?.type ?? '')) return [];
  const written = paragraphsOf(element).filter((paragraph) => plainText(shownText(paragraph)) !== '');
  return written.every(isField) ? [] : written;
}

const isField = (paragraph: XmlElement): boolean =>
  childrenOf(paragraph, 'fld').some((field) =>
    /^(?:slidenum|datetime)/u.test(attributeOf(field, 'type') ?? ''),
  ) && childrenOf(paragraph, 'r').every((run) => textOf(run).trim() === '');

const levelOf = (paragraph: XmlElement): number => Number(attributeOf(descend(paragraph, 'pPr'), 'lvl') ?? 0);

function unitsOfText(shape: Shape, layout: XmlElement | undefined): Unit[] {
  const { element } = shape;
  const placeholder = placeholderOf(element);
  const written = writtenIn(shape);
  const isBulleted =
    placeholder !== undefined &&
    BULLETED.has(placeholder.type) &&
    written.length > 1 &&
    !hasNoBullets(element, layout, placeholder);
  const counts: number[] = [];
  const outermost = Math.min(...written.map(levelOf));
  return written.map((paragraph): Unit => {
    const properties = descend(paragraph, 'pPr');
    const depth = levelOf(paragraph) - outermost;
    const text = plainText(shownText(paragraph));
    const number = descend(properties, 'buAutoNum');
    counts.length = Math.min(counts.length, depth + 1);
    if (number !== undefined) {
      counts[depth] =
        counts[depth] === undefined ? Number(attributeOf(number, 'startAt') ?? 1) : counts[depth] + 1;
      return {
        kind: 'item',
        depth,
        marker: markerOf(counts[depth], attributeOf(number, 'type') ?? ''),
        text,
      };
    }
    counts.length = Math.min(counts.length, depth);
    const isItem =
      descend(properties, 'buChar') !== undefined ||
      (isBulleted && descend(properties, 'buNone') === undefined);
    return isItem ? { kind: 'item', depth, text } : { kind: 'paragraph', text };
  });
}

/** Whether a shape or its layout removes the bullets. */
function hasNoBullets(shape: XmlElement, layout: XmlElement | undefined, placeholder: Placeholder): boolean {
  const same = sameIn(shapesBelow(layout, 'sldLayout'), placeholder);
  return [shape, same].some(
    (each) => each !== undefined && descend(each, 'txBody', 'lstStyle', 'lvl1pPr', 'buNone') !== undefined,
  );
}

/** The mark of a numbered item in its style: `alphaLcParenR` → `b)`. */
function markerOf(number: number, type: string): string {
  const small = type.startsWith('alpha')
    ? lettersOf(number)
    : type.startsWith('roman')
      ? romanOf(number)
      : String(number);
  const shown = type.includes('Uc') ? small.toUpperCase() : small;
  if (type.endsWith('ParenBoth')) return `(${shown})`;
  if (type.endsWith('ParenR')) return `${shown})`;
  return type.endsWith('Plain') ? shown : `${shown}.`;
}

/** A table, or the texts of a diagram. */
function unitsOfFrame(file: OfficePackage, slide: string, frame: XmlElement): Unit[] {
  const data = descend(frame, 'graphic', 'graphicData');
  const table = descend(data, 'tbl');
  if (table !== undefined) return unitsOfTable(table);
  const diagram = descend(data, 'relIds');
  const id =
    diagram === undefined
      ? undefined
      : Object.entries(diagram.attributes).find(([key]) => key.endsWith(':dm'))?.[1];
  const model = id === undefined ? undefined : file.xml(file.references(slide).get(id)?.target ?? '');
  return model === undefined ? [] : unitsOfDiagram(model);
}

/** The texts of a diagram, in the order and depth that its connections give. */
function unitsOfDiagram(model: XmlElement): Unit[] {
  const points = findAll(model, 'pt');
  const below = Map.groupBy(
    findAll(model, 'cxn')
      .filter((each) => (attributeOf(each, 'type') ?? 'parOf') === 'parOf')
      .toSorted((a, b) => Number(attributeOf(a, 'srcOrd')) - Number(attributeOf(b, 'srcOrd'))),
    (each) => attributeOf(each, 'srcId'),
  );
  const told = new Set<XmlElement>();
  const unitsFrom = (point: XmlElement, depth: number): Unit[] => {
    if (told.has(point)) return [];
    told.add(point);
    const text = plainText(findAll(point, 'p').map(shownText).join(' '));
    const next = (below.get(attributeOf(point, 'modelId')) ?? [])
      .map((each) => points.find((other) => attributeOf(other, 'modelId') === attributeOf(each, 'destId')))
      .filter((each) => each !== undefined)
      .flatMap((each) => unitsFrom(each, text === '' ? depth : Math.min(depth + 1, MAX_DEPTH)));
    return text === '' ? next : [{ kind: 'item', depth, text }, ...next];
  };
  const root = points.filter((point) => attributeOf(point, 'type') === 'doc');
  return [...root, ...points].flatMap((point) => unitsFrom(point, 0));
}

function unitsOfTable(table: XmlElement): Unit[] {
  const rows: string[][] = [];
  for (const row of childrenOf(table, 'tr')) {
    const above = rows.at(-1);
    rows.push(
      childrenOf(row, 'tc').map((cell, column) =>
        attributeOf(cell, 'vMerge') === '1'
          ? (above?.[column] ?? '')
          : plainText(paragraphsOf(cell).map(shownText).join(' ')),
      ),
    );
  }
  const hasHeads = attributeOf(descend(table, 'tblPr'), 'firstRow') === '1' && rows.length > 1;
  return unitsOfSheet(rows, { marked: new Set(hasHeads ? [0] : []) });
}
