import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

import { Unreadable } from '../unit.ts';
import { characterOf, inTex, isOfTex } from './characters.ts';
import { wordsOf, type Glyph, type Word } from './words.ts';
import { squeezed } from '../../white-space.ts';

/** A straight line on a page, vertical or horizontal. */
export interface Rule {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A page as a reader holds it: `x` grows to the right and `y` downwards, in points. */
export interface Page {
  /** The page's number, counted from 1. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
  readonly rules: readonly Rule[];
  /** Small filled shapes and pictures, about as wide as high, which may be bullets. */
  readonly shapes: readonly Rule[];
  /** True if a picture covers most of it. */
  readonly isPicture: boolean;
  /** The number of characters in another direction than most: stamps and notes in the margin. */
  readonly sideways: number;
  /** The structure that the file states for its words; absent if it states none. */
  readonly tags: Tag | undefined;
}

/** An element of a tagged PDF, with its parts on one page. */
export interface Tag {
  /** A standard name: `H1`, `LBody`, `TD`. */
  readonly type: string;
  /** The number of its children on all pages. */
  readonly count: number;
  /** Its children on this page by their index among all: elements, or the `content` number of its words. */
  readonly children: ReadonlyMap<number, Tag | number>;
}

/** An entry of the outline. */
export interface Bookmark {
  readonly level: number;
  readonly title: string;
  readonly page: number;
}

/** A page as a picture, one byte for each dot. */
export interface Grey {
  readonly dotsPerInch: number;
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

type Look = Pick<Glyph, 'size' | 'bold' | 'italic' | 'fixed' | 'font' | 'content'>;

let loading: Promise<WrappedPdfiumModule> | undefined;

async function load(): Promise<WrappedPdfiumModule> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const module = await init({ wasmBinary: new Uint8Array(wasm).buffer });
  module.PDFiumExt_Init();
  return module;
}

/** The error code for a missing password. The values of these constants are in PDFium's `fpdfview.h`. */
const PASSWORD = 4;
const [PATH, IMAGE, FORM] = [2, 3, 5];
const [LINE_TO, , MOVE_TO] = [0, 1, 2];
/** The most objects on a page whose lines may make a table. A page with more is a drawing. */
const MOST_OBJECTS = 20_000;
const MOST_SEGMENTS = 100_000;
const MOST_BOOKMARKS = 10_000;
/** The most elements of a page that are read, and the depth to which they are followed. */
const MOST_TAGS = 50_000;
const DEEPEST_TAG = 100;
/**
 * The most children of tags that are looked up, which takes some seconds. Further pages of a longer book are read
 * without their tags.
 */
const MOST_PLACES = 4_000_000;
/** The value of `content` for a word that the PDF marks as an artifact, such as a running head or a page number. */
export const DECORATION = -1;
/** The depth to which outlines and nested drawings are followed. */
const DEEPEST = 16;
const FIXED_PITCH = 1;
const FORCE_BOLD = 1 << 18;

/** A PDF that PDFium has opened. */
export class Pdf {
  readonly #fpdf: WrappedPdfiumModule;
  readonly #data: number;
  readonly #document: number;
  /** Memory that PDFium writes to through pointers. */
  readonly #scratch: number;
  /** The number of children of tags that were looked up so far. For each page, those of all pages are looked up. */
  #places = 0;

  private constructor(fpdf: WrappedPdfiumModule, data: number, document: number) {
    this.#fpdf = fpdf;
    this.#data = data;
    this.#document = document;
    this.#scratch = malloc(fpdf, SCRATCH);
  }

  /**
   * Opens a PDF.
   *
   * @throws {Unreadable} if it is damaged or needs a password.
   */
  static async open(bytes: Uint8Array): Promise<Pdf> {
    loading ??= load();
    const fpdf = await loading;
    const data = malloc(fpdf, bytes.length);
    heapOf(fpdf).HEAPU8.set(bytes, data);
    const document = fpdf.FPDF_LoadMemDocument(data, bytes.length, '');
    if (document !== 0) return new Pdf(fpdf, data, document);
    const error = fpdf.FPDF_GetLastError();
    fpdf.pdfium.wasmExports.free(data);
    throw new Unreadable(
      error === PASSWORD ? 'is encrypted: save it without a password' : 'is broken, or no PDF',
    );
  }

  [Symbol.dispose](): void {
    this.#fpdf.FPDF_CloseDocument(this.#document);
    this.#fpdf.pdfium.wasmExports.free(this.#scratch);
    this.#fpdf.pdfium.wasmExports.free(this.#data);
  }

  get pageCount(): number {
    return this.#fpdf.FPDF_GetPageCount(this.#document);
  }

  /** An entry of the document's metadata: `Title`, `CreationDate`. */
  meta(name: string): string {
    return this.#text((at, size) => this.#fpdf.FPDF_GetMetaText(this.#document, name, at, size));
  }

  get language(): string {
    return this.#text((at, size) => this.#fpdf.EPDFCatalog_GetLanguage(this.#document, at, size));
  }

  outline(): Bookmark[] {
    const found: Bookmark[] = [];
    const seen = new Set<number>();
    const walk = (parent: number, level: number): void => {
      let at = this.#fpdf.FPDFBookmark_GetFirstChild(this.#document, parent);
      // An outline may refer back to itself.
      while (at !== 0 && !seen.has(at) && found.length < MOST_BOOKMARKS) {
        seen.add(at);
        const bookmark = at;
        const title = this.#text((to, size) => this.#fpdf.FPDFBookmark_GetTitle(bookmark, to, size));
        const target = this.#fpdf.FPDFBookmark_GetDest(this.#document, at);
        const page = target === 0 ? -1 : this.#fpdf.FPDFDest_GetDestPageIndex(this.#document, target);
        found.push({ level, title: squeezed(title), page: page + 1 });
        if (level < DEEPEST) walk(at, level + 1);
        at = this.#fpdf.FPDFBookmark_GetNextSibling(this.#document, at);
      }
    };
    walk(0, 1);
    return found;
  }

  /**
   * Reads a page.
   *
   * @param number the page's number, from 1.
   */
  page(number: number): Page {
    return this.#withPage(number, (page) => {
      const { glyphs, angle } = this.#glyphs(page);
      const turn = turning(angle);
      const [left, top, right, bottom] = this.#boxOf(page);
      const corners = [turn(left, bottom), turn(right, top)];
      const x = Math.min(...corners.map(([x]) => x));
      const y = Math.min(...corners.map(([, y]) => y));
      const width = Math.abs(corners[0]![0] - corners[1]![0]);
      const height = Math.abs(corners[0]![1] - corners[1]![1]);
      const place = (px: number, py: number): [number, number] => {
        const [tx, ty] = turn(px, py);
        return [tx - x, ty - y];
      };
      const upright = glyphs.filter((glyph) => glyph.angle === angle);
      const placed = upright.map((glyph) => {
        const box = boxOf(place(glyph.left, glyph.top), place(glyph.right, glyph.bottom));
        const baseline = place(glyph.x, glyph.y)[1];
        return { ...glyph, ...box, ...onLine(box, baseline, glyph.size), baseline };
      });
      const inside = placed.filter(
        ({ left, right, baseline }) =>
          right > -2 && left < width + 2 && baseline > -2 && baseline < height + 2,
      );
      const drawn = this.#drawing(page);
      return {
        number,
        width,
        height,
        words: wordsOf(inside),
        rules: drawn.rules.map(([x1, y1, x2, y2]) => boxOf(place(x1, y1), place(x2, y2))),
        shapes: drawn.shapes.map(([x1, y1, x2, y2]) => boxOf(place(x1, y1), place(x2, y2))),
        isPicture: drawn.picture > 0.5 * (right - left) * (top - bottom),
        sideways: glyphs.length - upright.length,
        tags: this.#tags(page),
      };
    });
  }

  /** The page in shades of grey, as it would be printed with this resolution; a very large page has a lower one. */
  render(number: number, dots: number): Grey {
    const fpdf = this.#fpdf;
    return this.#withPage(number, (page) => {
      const [wide, high] = [fpdf.FPDF_GetPageWidthF(page), fpdf.FPDF_GetPageHeightF(page)];
      const dotsPerInch = Math.min(dots, Math.floor(72 * Math.sqrt(MOST_DOTS / (wide * high))));
      const width = Math.ceil((wide * dotsPerInch) / 72);
      const height = Math.ceil((high * dotsPerInch) / 72);
      const bitmap = fpdf.FPDFBitmap_CreateEx(width, height, GREY, 0, 0);
      if (bitmap === 0) throw new Unreadable('has a page that is too large to be read from its picture');
      fpdf.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xff_ff_ff_ff);
      fpdf.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0);
      const from = fpdf.FPDFBitmap_GetBuffer(bitmap);
      const stride = fpdf.FPDFBitmap_GetStride(bitmap);
      const pixels = new Uint8Array(width * height);
      const memory = heapOf(fpdf).HEAPU8;
      for (let row = 0; row < height; row += 1)
        pixels.set(memory.subarray(from + row * stride, from + row * stride + width), row * width);
      fpdf.FPDFBitmap_Destroy(bitmap);
      return { dotsPerInch, width, height, pixels };
    });
  }

  #withPage<T>(number: number, use: (page: number) => T): T {
    const page = this.#fpdf.FPDF_LoadPage(this.#document, number - 1);
    if (page === 0) throw new BrokenPage(`page ${number} is broken`);
    try {
      return use(page);
    } finally {
      this.#fpdf.FPDF_ClosePage(page);
    }
  }

  #glyphs(page: number): { glyphs: (Glyph & { angle: number; x: number; y: number })[]; angle: number } {
    const fpdf = this.#fpdf;
    const text = fpdf.FPDFText_LoadPage(page);
    const at = this.#scratch;
    const glyphs: (Glyph & { angle: number; x: number; y: number })[] = [];
    const counts = [0, 0, 0, 0];
    const fonts = new Map<number, Look>();
    const count = fpdf.FPDFText_CountChars(text);
    let space = false;
    let hasTex = false;
    for (let i = 0; i < count; i += 1) {
      const code = fpdf.FPDFText_GetUnicode(text, i);
      // Spaces and line ends that PDFium inserts by its own guess are not used.
      if (fpdf.FPDFText_IsGenerated(text, i) === 1) continue;
      if (code === 0x20 || code === 0xa0 || code === 9 || code === 10 || code === 13) {
        space = true;
        continue;
      }
      const character = characterOf(code);
      hasTex ||= isOfTex(code);
      if (character === '' || !fpdf.FPDFText_GetLooseCharBox(text, i, at)) continue;
      const [left, top, right, bottom] = this.#floats(4);
      fpdf.FPDFText_GetCharOrigin(text, i, at, at + 8);
      const [x, y] = this.#doubles(2);
      const object = fpdf.FPDFText_GetTextObject(text, i);
      let font = fonts.get(object);
      if (font === undefined) {
        const content = this.#contentOf(object);
        font = { ...this.#fontAt(text, i), ...(content === undefined ? {} : { content }) };
        fonts.set(object, font);
      }
      const angle = Math.round(fpdf.FPDFText_GetCharAngle(text, i) / (Math.PI / 2)) & 3;
      counts[angle]! += 1;
      glyphs.push({
        text: character,
        left: left!,
        top: top!,
        right: right!,
        bottom: bottom!,
        x: x!,
        y: y!,
        baseline: 0,
        angle,
        afterSpace: space,
        ...font,
      });
      space = false;
    }
    fpdf.FPDFText_ClosePage(text);
    const told = hasTex ? glyphs.map((glyph) => ({ ...glyph, text: inTex(glyph.text) })) : glyphs;
    return { glyphs: told, angle: counts.indexOf(Math.max(...counts)) };
  }

  #fontAt(text: number, i: number): Look {
    const fpdf = this.#fpdf;
    const at = this.#scratch;
    const given = fpdf.FPDFText_GetFontSize(text, i);
    const [, , c = 0, d = 1] = fpdf.FPDFText_GetMatrix(text, i, at) ? this.#floats(4) : [];
    const size = given * Math.hypot(c, d);
    const length = fpdf.FPDFText_GetFontInfo(text, i, at, SCRATCH - 8, at + SCRATCH - 8);
    const name = length > 1 && length <= SCRATCH - 8 ? (fpdf.pdfium.UTF8ToString(at) as string) : '';
    const flags = fpdf.pdfium.getValue(at + SCRATCH - 8, 'i32') as number;
    const weight = fpdf.FPDFText_GetFontWeight(text, i);
    return {
      font: name,
      size: Math.round(size * 10) / 10,
      bold: weight >= 600 || (flags & FORCE_BOLD) !== 0 || /bold|black|heavy|semibold|demi/iu.test(name),
      italic: /italic|oblique/iu.test(name),
      fixed: (flags & FIXED_PITCH) !== 0 || /mono|courier|consol|typewriter/iu.test(name),
    };
  }

  #tags(page: number): Tag | undefined {
    const fpdf = this.#fpdf;
    if (this.#places > MOST_PLACES) return undefined;
    const tree = fpdf.FPDF_StructTree_GetForPage(page);
    if (tree === 0) return undefined;
    let left = MOST_TAGS;
    const read = (element: number, depth: number): Tag => {
      left -= 1;
      const type = this.#text((at, size) => fpdf.FPDF_StructElement_GetType(element, at, size));
      const children = new Map<number, Tag | number>();
      const count = depth < DEEPEST_TAG ? fpdf.FPDF_StructElement_CountChildren(element) : 0;
      this.#places += count;
      for (let i = 0; i < count; i += 1) {
        if (left <= 0) break;
        const content = fpdf.FPDF_StructElement_GetChildMarkedContentID(element, i);
        const child = content >= 0 ? 0 : fpdf.FPDF_StructElement_GetChildAtIndex(element, i);
        if (content >= 0) children.set(i, content);
        else if (child !== 0) children.set(i, read(child, depth + 1));
      }
      return { type, count, children };
    };
    const children = new Map<number, Tag>();
    const count = fpdf.FPDF_StructTree_CountChildren(tree);
    this.#places += count;
    for (let i = 0; i < count; i += 1) {
      if (left <= 0) break;
      const element = fpdf.FPDF_StructTree_GetChildAtIndex(tree, i);
      if (element !== 0) children.set(i, read(element, 0));
    }
    fpdf.FPDF_StructTree_Close(tree);
    return { type: 'StructTreeRoot', count, children };
  }

  /**
   * The marked-content id of an object, by which the tags refer to its words; `DECORATION` for an object that only
   * decorates the page.
   */
  #contentOf(object: number): number | undefined {
    const fpdf = this.#fpdf;
    const count = fpdf.FPDFPageObj_CountMarks(object);
    const at = this.#scratch;
    for (let i = 0; i < count; i += 1) {
      const mark = fpdf.FPDFPageObj_GetMark(object, i);
      if (!fpdf.FPDFPageObjMark_GetName(mark, at + 8, SCRATCH - 8, at)) continue;
      const length = fpdf.pdfium.getValue(at, 'i32') as number;
      const name = new TextDecoder('utf-16le').decode(
        heapOf(fpdf).HEAPU8.slice(at + 8, at + 8 + Math.max(0, length - 2)),
      );
      if (name === 'Artifact') return DECORATION;
    }
    const content = fpdf.FPDFPageObj_GetMarkedContentID(object);
    return content < 0 ? undefined : content;
  }

  /**
   * The drawing of a page: straight lines (drawn as lines or as thin rectangles), small shapes, and the area that
   * pictures cover.
   */
  #drawing(page: number): { rules: Corners[]; shapes: Corners[]; picture: number } {
    const fpdf = this.#fpdf;
    const rules: Corners[] = [];
    const shapes: Corners[] = [];
    const shape = (box: Corners): void => {
      const [wide, high] = [box[2] - box[0], box[3] - box[1]];
      if (Math.max(wide, high) < LARGEST_SHAPE && wide < 2 * high && high < 2 * wide) shapes.push(box);
    };
    let picture = 0;
    let objects = 0;
    let segments = 0;
    type Matrix = readonly [number, number, number, number, number, number];
    const matrixOf = (object: number): Matrix =>
      fpdf.FPDFPageObj_GetMatrix(object, this.#scratch)
        ? (this.#floats(6) as unknown as Matrix)
        : [1, 0, 0, 1, 0, 0];
    const path = (object: number, to: (x: number, y: number) => [number, number]): void => {
      fpdf.FPDFPath_GetDrawMode(object, this.#scratch, this.#scratch + 4);
      const [filled, stroked] = [
        fpdf.pdfium.getValue(this.#scratch, 'i32') as number,
        fpdf.pdfium.getValue(this.#scratch + 4, 'i32') as number,
      ];
      if (filled === 0 && stroked === 0) return;
      const corners: [number, number][][] = [];
      const count = fpdf.FPDFPath_CountSegments(object);
      for (let i = 0; i < count && segments < MOST_SEGMENTS; i += 1, segments += 1) {
        const segment = fpdf.FPDFPath_GetPathSegment(object, i);
        fpdf.FPDFPathSegment_GetPoint(segment, this.#scratch, this.#scratch + 4);
        const [x, y] = this.#floats(2);
        const type = fpdf.FPDFPathSegment_GetType(segment);
        // A curve ends a straight line.
        if (type === MOVE_TO || type !== LINE_TO || corners.length === 0) corners.push([]);
        corners.at(-1)!.push(to(x!, y!));
        if (fpdf.FPDFPathSegment_GetClose(segment) && corners.at(-1)!.length > 2)
          corners.at(-1)!.push(corners.at(-1)![0]!);
      }
      if (filled !== 0 && count < MOST_CORNERS) shape(boxAround(corners.flat()));
      for (const points of corners) {
        const box = boxAround(points);
        const thin = Math.min(box[2] - box[0], box[3] - box[1]) < THIN;
        if (points.length > 1 && thin) {
          if (Math.max(box[2] - box[0], box[3] - box[1]) > THIN) rules.push(box);
          continue;
        }
        if (stroked === 0) continue;
        for (const [i, [x1, y1]] of points.slice(0, -1).entries()) {
          const [x2, y2] = points[i + 1]!;
          if (Math.min(Math.abs(x1 - x2), Math.abs(y1 - y2)) < 0.5) rules.push([x1, y1, x2, y2]);
        }
      }
    };
    const visit = (object: number, outer: Matrix, depth: number): void => {
      objects += 1;
      if (objects > MOST_OBJECTS || depth > DEEPEST) return;
      const type = fpdf.FPDFPageObj_GetType(object);
      if (type !== PATH && type !== IMAGE && type !== FORM) return;
      const matrix = times(matrixOf(object), outer);
      const to = (x: number, y: number): [number, number] => [
        matrix[0] * x + matrix[2] * y + matrix[4],
        matrix[1] * x + matrix[3] * y + matrix[5],
      ];
      if (type === PATH) path(object, to);
      else if (type === IMAGE) {
        picture += Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]);
        shape(boxAround([to(0, 0), to(1, 1)]));
      } else {
        const count = fpdf.FPDFFormObj_CountObjects(object);
        for (let i = 0; i < count; i += 1) visit(fpdf.FPDFFormObj_GetObject(object, i), matrix, depth + 1);
      }
    };
    const count = fpdf.FPDFPage_CountObjects(page);
    for (let i = 0; i < count; i += 1) visit(fpdf.FPDFPage_GetObject(page, i), [1, 0, 0, 1, 0, 0], 0);
    return { rules, shapes, picture };
  }

  #boxOf(page: number): [left: number, top: number, right: number, bottom: number] {
    this.#fpdf.FPDF_GetPageBoundingBox(page, this.#scratch);
    return this.#floats(4) as [number, number, number, number];
  }

  #floats(count: number): number[] {
    const from = this.#scratch >> 2;
    return Array.from(heapOf(this.#fpdf).HEAPF32.subarray(from, from + count));
  }

  #doubles(count: number): number[] {
    const from = this.#scratch >> 3;
    return Array.from(heapOf(this.#fpdf).HEAPF64.subarray(from, from + count));
  }

  /** Reads a text that PDFium writes as UTF-16 into a buffer of the length that it reports. */
  #text(write: (at: number, size: number) => number): string {
    const size = Math.min(write(0, 0), 2 ** 16);
    if (size <= 2) return '';
    const at = malloc(this.#fpdf, size);
    write(at, size);
    const bytes = heapOf(this.#fpdf).HEAPU8.slice(at, at + size - 2);
    this.#fpdf.pdfium.wasmExports.free(at);
    return new TextDecoder('utf-16le').decode(bytes);
  }
}

/** The page cannot be read, although others can. */
export class BrokenPage extends Error {
  override readonly name = 'BrokenPage';
}

const SCRATCH = 1024;
const GREY = 1;
/** The most dots of a picture: twice a page of A3 at 300 dots an inch. */
const MOST_DOTS = 36_000_000;
/** A letter reaches no further above and below its line than these shares of its size. */
const [HIGHEST, LOWEST] = [1.2, 0.5];

/** The top and the bottom of a letter; fonts of mathematics give all letters boxes of several lines. */
const onLine = (
  { top, bottom }: Pick<Rule, 'top' | 'bottom'>,
  baseline: number,
  size: number,
): Pick<Rule, 'top' | 'bottom'> => ({
  top: Math.max(top, baseline - HIGHEST * size),
  bottom: Math.min(bottom, baseline + LOWEST * size),
});

/** In points: a thinner rectangle is a line. */
const THIN = 3;
const LARGEST_SHAPE = 20;
/** The most corners of a path; a path with more is a drawing. */
const MOST_CORNERS = 50;

/** Left, bottom, right and top, in the coordinates of PDF. */
type Corners = [number, number, number, number];

function boxAround(points: readonly (readonly [number, number])[]): Corners {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

interface Heap {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF32: Float32Array;
  readonly HEAPF64: Float64Array;
}

/** PDFium's memory. It is read each time, because the buffer is replaced when the memory grows. */
const heapOf = (fpdf: WrappedPdfiumModule): Heap => fpdf.pdfium as unknown as Heap;

function malloc(fpdf: WrappedPdfiumModule, size: number): number {
  const at = fpdf.pdfium.wasmExports.malloc(size);
  if (at === 0) throw new Unreadable('needs more memory than there is');
  return at;
}

type Six = readonly [number, number, number, number, number, number];

/** The product of two matrices: first `a`, then `b`. */
const times = (a: Six, b: Six): Six => [
  a[0] * b[0] + a[1] * b[2],
  a[0] * b[1] + a[1] * b[3],
  a[2] * b[0] + a[3] * b[2],
  a[2] * b[1] + a[3] * b[3],
  a[4] * b[0] + a[5] * b[2] + b[4],
  a[4] * b[1] + a[5] * b[3] + b[5],
];

/**
 * A function that rotates points of a page by `angle` quarters clockwise, so that its text runs to the right and `y`
 * grows downwards.
 */
function turning(angle: number): (x: number, y: number) => [number, number] {
  const turns: ((x: number, y: number) => [number, number])[] = [
    (x, y) => [x, -y],
    (x, y) => [-y, -x],
    (x, y) => [-x, y],
    (x, y) => [y, x],
  ];
  return turns[angle]!;
}

function boxOf([x1, y1]: [number, number], [x2, y2]: [number, number]): Rule {
  return { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) };
}
