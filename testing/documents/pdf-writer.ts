/** PDFs for tests: text in the standard fonts, straight lines, outline, tags and data; `y` grows downwards. */
export interface WrittenPage {
  readonly texts?: readonly WrittenText[];
  readonly lines?: readonly (readonly [x1: number, y1: number, x2: number, y2: number])[];
  /** Small black squares, by their upper left corner. */
  readonly squares?: readonly (readonly [x: number, y: number, side: number])[];
  /** Whether it is wider than high, as a slide is. */
  readonly wide?: boolean;
  /** Whether a grey picture covers the page. */
  readonly picture?: boolean;
  /** The rotation of the page in degrees. */
  readonly rotate?: number;
}

export interface WrittenText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** In points. */
  readonly size?: number;
  readonly font?: 'regular' | 'bold' | 'fixed';
  /** Whether the text runs upwards. */
  readonly upwards?: boolean;
  /** The number under which a tag of its page knows it; numbers of a page begin with 0. */
  readonly mark?: number | 'Artifact';
}

/** An element of a tagged PDF, with other elements or marked text of a page. */
export interface WrittenTag {
  readonly type: string;
  readonly children?: readonly (WrittenTag | { readonly page: number; readonly mark: number })[];
}

export interface WrittenPdf {
  readonly pages: readonly WrittenPage[];
  readonly info?: Readonly<Record<string, string>>;
  readonly outline?: readonly { readonly title: string; readonly page: number }[];
  readonly tags?: readonly WrittenTag[];
}

const [WIDTH, HEIGHT] = [595, 842];
const FONTS = { regular: 'Helvetica', bold: 'Helvetica-Bold', fixed: 'Courier' } as const;

export function writePdf({ pages, info = {}, outline = [], tags = [] }: WrittenPdf): Buffer {
  const objects: string[] = [];
  /** Adds an object; returns its number. */
  const add = (body: string): number => objects.push(body);
  const catalog = add('');
  const tree = add('');
  const fonts = Object.entries(FONTS).map(([name, base]) => {
    const font = add(`<< /Type /Font /Subtype /Type1 /BaseFont /${base} /Encoding /WinAnsiEncoding >>`);
    return `/${name} ${font} 0 R`;
  });
  const image = add(
    stream(
      '\u0080',
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
    ),
  );
  const numbers = pages.map((page, i) => {
    const content = add(stream(contentOf(page)));
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${page.wide === true ? `${HEIGHT} ${WIDTH}` : `${WIDTH} ${HEIGHT}`}] /Rotate ${page.rotate ?? 0} /StructParents ${i} /Contents ${content} 0 R ` +
        `/Resources << /Font << ${fonts.join(' ')} >> /XObject << /picture ${image} 0 R >> >> >>`,
    );
  });
  objects[tree - 1] =
    `<< /Type /Pages /Count ${pages.length} /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] >>`;
  const root = outline.length === 0 ? '' : `/Outlines ${addOutline(outline, numbers, add, objects)} 0 R`;
  const tagged =
    tags.length === 0
      ? ''
      : `/MarkInfo << /Marked true >> /StructTreeRoot ${addTags(tags, numbers, add, objects)} 0 R`;
  objects[catalog - 1] = `<< /Type /Catalog /Pages ${tree} 0 R ${root} ${tagged} >>`;
  const data = add(
    `<< ${Object.entries(info)
      .map(([name, value]) => `/${name} (${escaped(value)})`)
      .join(' ')} >>`,
  );
  return file(objects, catalog, data);
}

function contentOf({
  texts = [],
  lines = [],
  squares = [],
  wide = false,
  picture = false,
}: WrittenPage): string {
  const top = wide ? WIDTH : HEIGHT;
  return [
    ...(picture ? [`q ${WIDTH} 0 0 ${HEIGHT} 0 0 cm /picture Do Q`] : []),
    ...lines.map(([x1, y1, x2, y2]) => `${x1} ${top - y1} m ${x2} ${top - y2} l S`),
    ...squares.map(([x, y, side]) => `${x} ${top - y - side} ${side} ${side} re f`),
    ...texts.map(
      ({ text, x, y, size = 10, font = 'regular', upwards = false, mark }) =>
        `${mark === undefined ? '' : mark === 'Artifact' ? '/Artifact BMC ' : `/P << /MCID ${mark} >> BDC `}BT /${font} ${size} Tf ${upwards ? '0 1 -1 0' : '1 0 0 1'} ${x} ${top - y} Tm (${escaped(text)}) Tj ET${mark === undefined ? '' : ' EMC'}`,
    ),
  ].join('\n');
}

function addOutline(
  outline: NonNullable<WrittenPdf['outline']>,
  pages: readonly number[],
  add: (body: string) => number,
  objects: string[],
): number {
  const root = add('');
  const first = root + 1;
  for (const [i, { title, page }] of outline.entries()) {
    const next = i + 1 < outline.length ? `/Next ${first + i + 1} 0 R` : '';
    add(`<< /Title (${escaped(title)}) /Parent ${root} 0 R /Dest [${pages[page - 1]} 0 R /Fit] ${next} >>`);
  }
  objects[root - 1] =
    `<< /Type /Outlines /First ${first} 0 R /Last ${first + outline.length - 1} 0 R /Count ${outline.length} >>`;
  return root;
}

function addTags(
  tags: readonly WrittenTag[],
  pages: readonly number[],
  add: (body: string) => number,
  objects: string[],
): number {
  const root = add('');
  /** For each page the element of each mark. */
  const parents: string[][] = pages.map(() => []);
  const write = ({ type, children = [] }: WrittenTag, parent: number): string => {
    const element = add('');
    const kids = children.map((child) => {
      if ('type' in child) return write(child, element);
      parents[child.page - 1]![child.mark] = `${element} 0 R`;
      return `<< /Type /MCR /Pg ${pages[child.page - 1]} 0 R /MCID ${child.mark} >>`;
    });
    objects[element - 1] = `<< /Type /StructElem /S /${type} /P ${parent} 0 R /K [${kids.join(' ')}] >>`;
    return `${element} 0 R`;
  };
  const kids = tags.map((tag) => write(tag, root));
  const numbers = parents.map((elements, page) => `${page} [${elements.join(' ')}]`);
  objects[root - 1] =
    `<< /Type /StructTreeRoot /K [${kids.join(' ')}] /ParentTree << /Nums [${numbers.join(' ')}] >> >>`;
  return root;
}

const stream = (data: string, more = ''): string =>
  `<< /Length ${data.length} ${more} >>\nstream\n${data}\nendstream`;

const DASHES: Readonly<Record<string, string>> = {
  '–': '\u0096',
  '—': '\u0097',
  '•': '\u0095',
  '„': '\u0084',
  '“': '\u0093',
};

/** Escapes a text in the encoding WinAnsi. */
const escaped = (text: string): string =>
  text.replaceAll(/[–—•„“]/gu, (sign) => DASHES[sign]!).replaceAll(/[\\()]/gu, String.raw`\$&`);

function file(objects: readonly string[], root: number, info: number): Buffer {
  let body = '%PDF-1.7\n';
  const offsets = objects.map((object, i) => {
    const offset = body.length;
    body += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `<< /Size ${objects.length + 1} /Root ${root} 0 R /Info ${info} 0 R >>`;
  const text = `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n${trailer}\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
