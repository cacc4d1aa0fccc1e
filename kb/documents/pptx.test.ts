import { describe, expect, it } from 'vitest';

import { officeFile } from './office.suite.ts';
import { pptx } from './pptx.ts';
import type { Document } from './unit.ts';

const reference = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="x/${kind}" Target="${target}"/>`;
const references = (...each: readonly string[]): string => `<Relationships>${each.join('')}</Relationships>`;

const shape = (type: string, paragraphs: string): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${type === '' ? '' : `<p:ph type="${type}" idx="1"/>`}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
const para = (text: string, properties = ''): string =>
  `<a:p>${properties}<a:r><a:rPr lang="de-DE"/><a:t>${text}</a:t></a:r></a:p>`;

function slides(...all: readonly (readonly [attributes: string, shapes: string])[]): Uint8Array {
  return officeFile('ppt/presentation.xml', {
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${all.map((_, i) => `<p:sldId id="${256 + i}" r:id="s${i}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': references(
      ...all.map((_, i) => reference(`s${i}`, 'slide', `slides/slide${i}.xml`)),
    ),
    ...Object.fromEntries(
      all.flatMap(([attributes, shapes], i) => [
        [
          `ppt/slides/slide${i}.xml`,
          `<p:sld ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
        ],
        [`ppt/slides/_rels/slide${i}.xml.rels`, references(reference('n', 'notesSlide', '../notes.xml'))],
      ]),
    ),
    'ppt/notes.xml': `<p:notes><p:cSld><p:spTree>${shape('body', para('Langsam sprechen.'))}${shape('sldNum', para('1'))}</p:spTree></p:cSld></p:notes>`,
  });
}

const parse = (bytes: Uint8Array): Document => pptx.parse(bytes, 'a.pptx') as Document;

describe('a presentation', () => {
  it('gives slides with titles, bullets, numbers, tables and notes', () => {
    const cell = (text: string): string => `<a:tc><a:txBody>${para(text)}</a:txBody></a:tc>`;
    const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>${cell('Ort')}${cell('Etage')}</a:tr><a:tr>${cell('Ulm')}${cell('zwei')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const document = parse(
      slides(
        [
          '',
          shape('body', para('Erst') + para('dann', '<a:pPr lvl="1"/>')) +
            shape('title', para('Der Umzug')) +
            shape('', para('Frei') + para('eins', '<a:pPr><a:buAutoNum type="alphaLcParenR"/></a:pPr>')) +
            `<p:grpSp>${table}</p:grpSp>${shape('ftr', para('Firma'))}`,
        ],
        ['show="0"', shape('title', para('Versteckt'))],
      ),
    );
    expect(document).toEqual({
      title: 'Der Umzug',
      lang: 'de',
      leftOut: { 'hidden slide': 1 },
      units: [
        { kind: 'heading', level: 1, text: 'Der Umzug', page: 1 },
        { kind: 'item', depth: 0, text: 'Erst', page: 1 },
        { kind: 'item', depth: 1, text: 'dann', page: 1 },
        { kind: 'paragraph', text: 'Frei', page: 1 },
        { kind: 'item', depth: 0, marker: 'a)', text: 'eins', page: 1 },
        {
          kind: 'row',
          page: 1,
          cells: [
            { head: 'Ort', text: 'Ulm' },
            { head: 'Etage', text: 'zwei' },
          ],
        },
        { kind: 'note', label: '', text: 'Langsam sprechen.', page: 1 },
      ],
    });
  });

  it('is named where it is none or broken', () => {
    expect(() => parse(officeFile('a.xml', { 'a.xml': '<x/>' }))).toThrow(
      'is not a presentation of PowerPoint',
    );
    expect(() => parse(officeFile('a.xml', { 'a.xml': '<x>' }))).toThrow('is broken: a part of it is no XML');
    expect(() => parse(slides())).toThrow('has no text');
  });
});
