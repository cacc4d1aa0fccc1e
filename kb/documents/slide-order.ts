import { attributeOf, childrenOf, descend, type XmlElement } from './xml.ts';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A text or a table on a slide. Its position is unknown if neither the slide nor its layout has it. */
export interface Shape {
  readonly element: XmlElement;
  readonly box: Box | undefined;
}

/** A part of a slide that stays together: a shape, or the shapes of a group. */
interface Part {
  readonly box: Box | undefined;
  readonly shapes: readonly Shape[];
}

/** A function for the position of a shape that has none of its own: that of its placeholder in the layout. */
type PlaceInLayout = (shape: XmlElement) => XmlElement | undefined;

/**
 * Texts and tables, including those within groups, in reading order. The widest gap that runs through all of them
 * divides them into those that are read first and those that are read next, and so on. Shapes without a gap between
 * them keep the order in which they were drawn.
 */
export const shapesInOrder = (tree: XmlElement | undefined, inLayout: PlaceInLayout): Shape[] =>
  inOrder(partsOf(tree, inLayout)).flatMap(({ shapes }) => shapes);

function partsOf(tree: XmlElement | undefined, inLayout: PlaceInLayout): Part[] {
  return (tree === undefined ? [] : childrenOf(tree)).flatMap((child): Part[] => {
    switch (child.name) {
      case 'sp':
      case 'graphicFrame': {
        const box = boxOf(placeOf(child) ?? inLayout(child));
        return [{ box, shapes: [{ element: child, box }] }];
      }
      case 'grpSp': {
        const within = placeOf(child);
        const shapes = shapesInOrder(child, inLayout).map((shape) => ({
          ...shape,
          box: shape.box === undefined ? undefined : outOfGroup(shape.box, within),
        }));
        return shapes.length === 0 ? [] : [{ box: boxOf(within), shapes }];
      }
      case 'AlternateContent':
        return partsOf(descend(child, 'Choice') ?? descend(child, 'Fallback'), inLayout);
      default:
        return [];
    }
  });
}

/** The element with the position and size of a shape, a table or a group. */
export const placeOf = (shape: XmlElement): XmlElement | undefined =>
  descend(shape, 'spPr', 'xfrm') ?? descend(shape, 'grpSpPr', 'xfrm') ?? descend(shape, 'xfrm');

const numberOf = (element: XmlElement | undefined, name: string): number =>
  Number(attributeOf(element, name) ?? Number.NaN);

function boxOf(place: XmlElement | undefined, offset = 'off', extent = 'ext'): Box | undefined {
  const [at, size] = [descend(place, offset), descend(place, extent)];
  const [left, top] = [numberOf(at, 'x'), numberOf(at, 'y')];
  const [right, bottom] = [left + numberOf(size, 'cx'), top + numberOf(size, 'cy')];
  return [left, top, right, bottom].every(Number.isFinite) ? { left, top, right, bottom } : undefined;
}

/** A box within a group, in the coordinates around the group. */
function outOfGroup(box: Box, place: XmlElement | undefined): Box {
  const [outer, inner] = [boxOf(place), boxOf(place, 'chOff', 'chExt')];
  if (outer === undefined || inner === undefined) return box;
  const x = (outer.right - outer.left) / (inner.right - inner.left || 1);
  const y = (outer.bottom - outer.top) / (inner.bottom - inner.top || 1);
  return {
    left: outer.left + (box.left - inner.left) * x,
    top: outer.top + (box.top - inner.top) * y,
    right: outer.left + (box.right - inner.left) * x,
    bottom: outer.top + (box.bottom - inner.top) * y,
  };
}

function inOrder(parts: readonly Part[]): readonly Part[] {
  if (parts.length < 2 || parts.some(({ box }) => box === undefined)) return parts;
  for (const overlap of OVERLAPS) {
    const rows = divided(parts, 'top', 'bottom', overlap);
    const columns = divided(parts, 'left', 'right', overlap);
    const { stretches } = columns.gap > rows.gap ? columns : rows;
    if (stretches.length > 1) return stretches.flatMap(inOrder);
  }
  return parts;
}

/** Boxes are often larger than their texts, so they may overlap by these shares at each side, tried in turn. */
const OVERLAPS = [0.1, 0.2, 0.3, 0.4];

/** The parts above and below, or left and right, of gaps that run through all of them, and the widest gap. */
function divided(
  parts: readonly Part[],
  start: 'left' | 'top',
  end: 'right' | 'bottom',
  overlap: number,
): { stretches: Part[][]; gap: number } {
  const extents = parts.map((part) => {
    const spare = overlap * (part.box![end] - part.box![start]);
    return { part, from: part.box![start] + spare, to: part.box![end] - spare, box: part.box! };
  });
  const sorted = extents.toSorted((a, b) => a.from - b.from);
  let [reached, edge, gap, at] = [-Infinity, -Infinity, -Infinity, 0];
  for (const [i, { from, to, box }] of sorted.entries()) {
    if (i > 0 && from >= reached && box[start] - edge > gap) [gap, at] = [box[start] - edge, i];
    reached = Math.max(reached, to);
    edge = Math.max(edge, box[end]);
  }
  const all = sorted.map(({ part }) => part);
  const stretches = at === 0 ? [all] : [all.slice(0, at), all.slice(at)];
  // Parts that stay together keep the order in which they were drawn.
  const drawn = new Map(parts.map((part, i) => [part, i]));
  return { stretches: stretches.map((each) => each.toSorted((a, b) => drawn.get(a)! - drawn.get(b)!)), gap };
}

/** Whether a shape is above all others, as a title is. */
export const isAbove = (shape: Shape, others: readonly Shape[]): boolean =>
  shape.box !== undefined &&
  others.every(({ box }) => box !== undefined && (shape.box!.top + shape.box!.bottom) / 2 < box.top);
