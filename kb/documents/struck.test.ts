import { describe, expect, it } from 'vitest';

import { docx } from './docx.ts';
import { html } from './html.ts';
import { markdown } from './markdown.ts';
import { officeFile } from './office.suite.ts';
import { pptx } from './pptx.ts';
import { xlsx } from './xlsx.ts';
import type { Document } from './unit.ts';

const textsOf = (document: Document): string[] =>
  document.units.map((unit) =>
    unit.kind === 'row' ? unit.cells.map(({ text }) => text).join(' ') : unit.text,
  );
const ofHtml = (text: string) => textsOf(html.parse(Buffer.from(text), 'a.html') as Document);
const ofMarkdown = (text: string) => textsOf(markdown.parse(Buffer.from(text), 'a.md') as Document);

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const part = (text: string, strike = 'noStrike') =>
  `<a:r><a:rPr strike="${strike}"/><a:t>${text}</a:t></a:r>`;
const rich = (text: string, properties = '') => `<r><rPr>${properties}</rPr><t>${text}</t></r>`;

const NOW = 'Im Jahr sind es 30 Tage.';

describe('what is struck out no longer holds, and is not told', () => {
  it.each([
    '<p>Im Jahr sind es <del>28</del> <ins>30</ins> Tage.</p>',
    '<p>Im Jahr sind es <s>28</s> 30 Tage.</p><p><strike>Es sind 24 Tage.</strike></p>',
    '<p>Im Jahr sind es <span style="color:red; text-decoration: line-through">28</span> 30 Tage.</p>',
    '<p>Im Jahr sind es <span class="line-through">28</span> 30 Tage.</p><ul><li><del>Alt.</del></li></ul>',
  ])('in HTML: %s', (text) => {
    expect(ofHtml(text)).toEqual([NOW]);
    expect(html.parse(Buffer.from(text), 'a.html')).toMatchObject({
      leftOut: { 'struck text': expect.any(Number) as number },
    });
  });

  it.each([
    'Im Jahr sind es ~~28~~ 30 Tage.',
    'Im Jahr sind es <del>28 **und mehr**</del> 30 Tage.',
    '- ~~Es sind 24 Tage.~~\n- Im Jahr sind es 30 Tage.',
    'Im Jahr sind es {--28--}{++30++} Tage.{>>Stimmt das? EB<<}',
    'Im Jahr sind es {~~28~>30~~} {==Tage==}.',
  ])('in Markdown: %s', (text) => {
    expect(ofMarkdown(text)).toEqual([NOW]);
  });

  it.each([
    ['H~2~O und `{--x--}`', 'H2O und {--x--}'],
    ['Von ~5 bis ~10 {Tagen}', 'Von ~5 bis ~10 {Tagen}'],
  ])('and nothing else in Markdown: %s', (text, told) => {
    expect(ofMarkdown(text)).toEqual([told]);
  });

  it('in Word, PowerPoint and Excel', async () => {
    const word = officeFile('word/document.xml', {
      'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>
        <w:p>${run('Im Jahr sind es ')}${run('28 ', '<w:strike/>')}${run('30 Tage.', '<w:strike w:val="0"/>')}</w:p>
        <w:p>${run('Es sind 24 Tage.', '<w:dstrike/>')}</w:p></w:body></w:document>`,
    });
    expect(textsOf(await docx.parse(word, 'a.docx'))).toEqual([NOW]);
    const slides = officeFile('ppt/presentation.xml', {
      'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="s"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels':
        '<Relationships><Relationship Id="s" Type="x/slide" Target="s.xml"/></Relationships>',
      'ppt/s.xml': `<p:sld><p:cSld><p:spTree><p:sp><p:txBody><a:p>${part('Im Jahr sind es ')}${part('28 ', 'sngStrike')}${part('30 Tage.')}</a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
    });
    expect(textsOf(pptx.parse(slides, 'a.pptx') as Document)).toContain(NOW);
    const book = officeFile('xl/workbook.xml', {
      'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r" Type="x/worksheet" Target="s.xml"/></Relationships>',
      'xl/s.xml': `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is>${rich('Im Jahr sind es ')}${rich('28 ', '<strike/>')}${rich('30 Tage.', '<strike val="0"/>')}</is></c></row></sheetData></worksheet>`,
    });
    expect(textsOf(xlsx.parse(book, 'a.xlsx') as Document)).toContain(NOW);
  });

  it('in a whole cell of Excel', () => {
    const book = officeFile('xl/workbook.xml', {
      'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r" Type="x/worksheet" Target="s.xml"/><Relationship Id="f" Type="x/styles" Target="f.xml"/></Relationships>',
      'xl/f.xml':
        '<styleSheet><fonts><font/><font><strike/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs></styleSheet>',
      'xl/s.xml':
        '<worksheet><sheetData><row r="1"><c r="A1" s="1"><v>28</v></c><c r="B1"><v>30</v></c></row></sheetData></worksheet>',
    });
    const document = xlsx.parse(book, 'a.xlsx') as Document;
    expect(textsOf(document)).toEqual(['A', '30']);
    expect(document.leftOut).toEqual({ 'struck cell': 1 });
  });
});
