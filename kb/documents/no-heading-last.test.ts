import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { writePdf, type WrittenText } from '../../testing/documents/pdf-writer.ts';
import { kindOf } from './kinds.ts';
import { officeFile } from './office.suite.ts';
import { passagesOf } from './passages.ts';

interface Section {
  readonly level: 1 | 2;
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

const words = ['Reisen', 'Kosten', 'der', 'Antrag', 'Frist', 'und', 'Leitung', 'gilt', 'jeder', 'Monat'];
const sentence = fc
  .array(fc.constantFrom(...words), { minLength: 4, maxLength: 45 })
  .map((each) => `Die ${each.join(' ')} bleibt.`);
const document = fc
  .array(
    fc.record({
      level: fc.constantFrom(1, 2),
      paragraphs: fc.array(sentence, { minLength: 1, maxLength: 6 }),
    }),
    {
      minLength: 2,
      maxLength: 7,
    },
  )
  .map((all): Section[] =>
    all.map(({ level, paragraphs }, i) => ({
      level: i === 0 ? 1 : level,
      heading: `Thema ${'ABCDEFG'[i]} im Betrieb`,
      paragraphs,
    })),
  );

const blocks = (all: readonly Section[], heading: (section: Section) => string, joint: string): Uint8Array =>
  Buffer.from(all.flatMap((each) => [heading(each), ...each.paragraphs]).join(joint));

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const run = (text: string, look: string): string =>
  `<w:p><w:r><w:rPr>${look}</w:rPr><w:t>${text}</w:t></w:r></w:p>`;
const word = (all: readonly Section[], look: string): Uint8Array =>
  officeFile('word/document.xml', {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'word/document.xml': `<w:document ${W}><w:body>${all
      .map(({ heading, paragraphs }) => run(heading, look) + paragraphs.map((each) => run(each, '')).join(''))
      .join('')}</w:body></w:document>`,
  });

/** Lines of some 80 characters on as many pages as needed. */
function printed(all: readonly Section[]): Uint8Array {
  const pages: WrittenText[][] = [[]];
  let y = 80;
  const add = (text: string, more: Partial<WrittenText>): void => {
    if (y > 760) {
      pages.push([]);
      y = 80;
    }
    pages.at(-1)!.push({ text, x: 60, y, size: 10, ...more });
    y += 12;
  };
  for (const { level, heading, paragraphs } of all) {
    y += 12;
    add(heading, { size: level === 1 ? 16 : 13, font: 'bold' });
    for (const each of paragraphs) {
      y += 8;
      for (const [line] of each.matchAll(/.{1,80}(?:\s|$)/gu)) add(line.trim(), {});
    }
  }
  return writePdf({ pages: pages.map((texts) => ({ texts })) });
}

const shape = (type: string, texts: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}" idx="1"/></p:nvPr></p:nvSpPr><p:txBody>${texts
    .map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`;
const reference = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="x/${kind}" Target="${target}"/>`;
const slides = (all: readonly Section[]): Uint8Array =>
  officeFile('ppt/presentation.xml', {
    'ppt/presentation.xml': `<p:presentation><p:sldSz cx="10" cy="10"/><p:sldIdLst>${all.map((_, i) => `<p:sldId id="${256 + i}" r:id="s${i}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${all.map((_, i) => reference(`s${i}`, 'slide', `slides/slide${i}.xml`)).join('')}</Relationships>`,
    ...Object.fromEntries(
      all.map(({ heading, paragraphs }, i) => [
        `ppt/slides/slide${i}.xml`,
        `<p:sld><p:cSld><p:spTree>${shape('title', [heading])}${shape('body', paragraphs)}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
  });

const cell = (text: string, row: number, column: number): string =>
  `<c r="${'ABC'[column]}${row + 1}" t="inlineStr"><is><t>${text}</t></is></c>`;
/** A sheet with a table below each title. */
const sheet = (all: readonly Section[]): Uint8Array => {
  const rows = all.flatMap(({ heading, paragraphs }) => [
    [heading],
    ['Nummer', 'Regel', 'Betrag'],
    ...paragraphs.map((text, i) => [String(i + 1), text, `${10 * i},00`]),
    [],
  ]);
  return officeFile('xl/workbook.xml', {
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Regeln" r:id="r0"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${reference('r0', 'worksheet', 's0.xml')}</Relationships>`,
    'xl/s0.xml': `<worksheet><sheetData>${rows.map((cells, i) => `<row r="${i + 1}">${cells.map((text, at) => cell(text, i, at)).join('')}</row>`).join('')}</sheetData></worksheet>`,
  });
};

const html = (all: readonly Section[], heading: (section: Section) => string): Uint8Array =>
  blocks(
    all.map((each) => ({ ...each, paragraphs: each.paragraphs.map((text) => `<p>${text}</p>`) })),
    heading,
    '\n',
  );
const mail = (type: string, body: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.from(`From: a@example.org\r\nSubject: Regeln\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n`),
    body,
  ]);

const WRITERS: Readonly<
  Record<string, readonly [file: string, write: (all: readonly Section[]) => Uint8Array]>
> = {
  Markdown: ['a.md', (all) => blocks(all, ({ level, heading }) => `${'#'.repeat(level)} ${heading}`, '\n\n')],
  AsciiDoc: [
    'a.adoc',
    (all) => blocks(all, ({ level, heading }) => `${'='.repeat(level + 1)} ${heading}`, '\n\n'),
  ],
  reStructuredText: [
    'a.rst',
    (all) =>
      blocks(all, ({ level, heading }) => `${heading}\n${'=-'[level - 1]!.repeat(heading.length)}`, '\n\n'),
  ],
  text: ['a.txt', (all) => blocks(all, ({ heading }) => `${heading}\n${'-'.repeat(heading.length)}`, '\n\n')],
  'text without marks': ['a.txt', (all) => blocks(all, ({ heading }) => heading, '\n\n')],
  'a page': ['a.html', (all) => html(all, ({ level, heading }) => `<h${level}>${heading}</h${level}>`)],
  'a page with bold lines': ['a.html', (all) => html(all, ({ heading }) => `<p><b>${heading}</b></p>`)],
  'a mail in HTML': [
    'a.eml',
    (all) =>
      mail(
        'text/html',
        html(all, ({ heading }) => `<div><b>${heading}</b></div>`),
      ),
  ],
  'a mail': [
    'a.eml',
    (all) =>
      mail(
        'text/plain',
        blocks(all, ({ heading }) => heading, '\n\n'),
      ),
  ],
  'Word, bold': ['a.docx', (all) => word(all, '<w:b/>')],
  'Word, underlined': ['a.docx', (all) => word(all, '<w:u w:val="single"/>')],
  'Word, unmarked': ['a.docx', (all) => word(all, '')],
  PDF: ['a.pdf', printed],
  slides: ['a.pptx', slides],
  'a sheet': ['a.xlsx', sheet],
};

describe('no passage ends in the heading of what follows', () => {
  it.each(Object.entries(WRITERS))('%s', async (_, [file, write]) => {
    const kind = await kindOf(file)!.load();
    await fc.assert(
      fc.asyncProperty(document, async (all) => {
        const passages = passagesOf(await kind.parse(write(all), file), file);
        for (const { text, units } of passages) {
          const last = units.at(-1)!;
          const shown = text.slice(last.start, last.end);
          expect(all.map(({ heading }) => heading)).not.toContain(shown);
        }
      }),
      { numRuns: 5 },
    );
  });
});
