import { lettersOf, romanOf } from './numerals.ts';
import { OfficePackage } from './office-package.ts';
import { plainText } from './plain-text.ts';
import { unitsOfSheet } from './sheet-units.ts';
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
    const units = childrenOf(descend(presentation, 'sldIdLst') ?? presentation, 'sldId').flatMap(
      (each, i) => {
        const id = Object.entries(each.attributes).find(([key]) => key.endsWith(':id'))?.[1];
        const reference = references.get(id ?? '');
        const slide = reference === undefined ? undefined : descend(file.xml(reference.target), 'sld');
        if (reference === undefined || slide === undefined) return [];
        if (attributeOf(slide, 'show') === '0') {
          leftOut['hidden slide'] = (leftOut['hidden slide'] ?? 0) + 1;
          return [];
        }
        languages.push(...findAll(slide, 'rPr').flatMap((run) => attributeOf(run, 'lang') ?? []));
        return unitsOfSlide(file, reference.target, slide).map((unit): Unit => ({ ...unit, page: i + 1 }));
      },
    );
    const { title: written, stand } = file.properties();
    // PowerPoint sets this title by itself.
    const named = written === undefined || /^powerpoint/iu.test(written) ? undefined : written;
    const title = named ?? units.find((unit) => unit.kind === 'heading')?.text;
    const lang =
      languages.filter((each) => each.startsWith('de')).length > languages.length / 2
        ? 'de'
        : languages.some((each) => each.startsWith('en'))
          ? 'en'
          : undefined;
    return documentOf({ units, title, stand, lang, leftOut });
  },
};

/** Placeholders that are repeated on every slide. */
const RUNNING = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
const TITLES = new Set(['title', 'ctrTitle']);
/** Placeholders whose paragraphs have bullets unless their layout says otherwise. */
const BULLETED = new Set(['body', 'obj', '']);

function unitsOfSlide(file: OfficePackage, name: string, slide: XmlElement): Unit[] {
  const references = [...file.references(name).values()];
  const part = (kind: string): XmlElement | undefined =>
    file.xml(references.find((each) => each.kind === kind)?.target ?? '');
  const layout = part('slideLayout');
  const shapes = shapesOf(descend(slide, 'cSld', 'spTree'));
  const titles = shapes
    .filter(isTitle)
    .map((shape) => plainText(paragraphsOf(shape).map(shownText).join(' ')));
  const units: Unit[] = titles
    .filter((text) => text !== '')
    .map((text) => ({ kind: 'heading', level: 1, text }));
  for (const shape of shapes) {
    if (isTitle(shape)) continue;
    if (shape.name === 'graphicFrame') units.push(...unitsOfFrame(file, name, shape));
    else units.push(...unitsOfText(shape, layout));
  }
  const notes = descend(part('notesSlide'), 'notes', 'cSld', 'spTree');
  const spoken = shapesOf(notes)
    .filter((shape) => placeholderOf(shape)?.type === 'body')
    .flatMap(paragraphsOf)
    .map((paragraph) => plainText(shownText(paragraph)))
    .filter((text) => text !== '');
  return [...units, ...spoken.map((text): Unit => ({ kind: 'note', label: '', text }))];
}

/** Texts and tables in order, also from within groups. */
function shapesOf(tree: XmlElement | undefined): XmlElement[] {
  return childrenOf(tree ?? NOTHING).flatMap((child) => {
    switch (child.name) {
      case 'sp':
      case 'graphicFrame':
        return [child];
      case 'grpSp':
        return shapesOf(child);
      case 'AlternateContent':
        return shapesOf(descend(child, 'Choice') ?? descend(child, 'Fallback'));
      default:
        return [];
    }
  });
}

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

/** Runs and fields as they are displayed; a line break is white space. */
const shownText = (paragraph: XmlElement): string =>
  childrenOf(paragraph)
    .map((child) =>
      child.name === 'br'
        ? ' '
        : child.name === 'r' || child.name === 'fld'
          ? textOf(descend(child, 't') ?? NOTHING)
          : '',
    )
    .join('');

function unitsOfText(shape: XmlElement, layout: XmlElement | undefined): Unit[] {
  const placeholder = placeholderOf(shape);
  if (placeholder !== undefined && RUNNING.has(placeholder.type)) return [];
  const written = paragraphsOf(shape).filter((paragraph) => plainText(shownText(paragraph)) !== '');
  const isBulleted =
    placeholder !== undefined &&
    BULLETED.has(placeholder.type) &&
    written.length > 1 &&
    !hasNoBullets(shape, layout, placeholder);
  const counts: number[] = [];
  return written.map((paragraph): Unit => {
    const properties = descend(paragraph, 'pPr');
    const depth = Number(attributeOf(properties, 'lvl') ?? 0);
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
function hasNoBullets(
  shape: XmlElement,
  layout: XmlElement | undefined,
  { type, index }: Placeholder,
): boolean {
  const same = shapesOf(descend(layout, 'sldLayout', 'cSld', 'spTree')).find((each) => {
    const other = placeholderOf(each);
    return other !== undefined && (index === '' ? other.type === type : other.index === index);
  });
  return [shape, same].some(
    (each) => each !== undefined && descend(each, 'txBody', 'lstStyle', 'lvl1pPr', 'buNone') !== undefined,
  );
}

/** `alphaLcParenR` → `b)`. */
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
  return (model === undefined ? [] : findAll(model, 'p'))
    .map((paragraph) => plainText(shownText(paragraph)))
    .filter((text) => text !== '')
    .map((text): Unit => ({ kind: 'item', depth: 0, text }));
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
