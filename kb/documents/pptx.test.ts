import { describe, expect, it } from 'vitest';

import { officeFile } from './office.suite.ts';
import { passagesOf } from './passages.ts';
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
  return withParts(all, {});
}

function withParts(
  all: readonly (readonly [attributes: string, shapes: string])[],
  parts: Readonly<Record<string, string>>,
): Uint8Array {
  return officeFile('ppt/presentation.xml', {
    'ppt/presentation.xml': `<p:presentation><p:sldSz cx="10" cy="10"/><p:sldIdLst>${all.map((_, i) => `<p:sldId id="${256 + i}" r:id="s${i}"/>`).join('')}</p:sldIdLst></p:presentation>`,
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
    ...parts,
  });
}

/** A text box at a place, all in tenths of the slide. */
const box = (
  [left, top, width, height]: readonly [number, number, number, number],
  paragraphs: string,
  type = '',
): string =>
  shape(type, paragraphs).replace(
    '<p:txBody>',
    `<p:spPr><a:xfrm><a:off x="${left}" y="${top}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm></p:spPr><p:txBody>`,
  );
const textsOf = ({ units }: Document): string[] =>
  units.flatMap((unit) => (unit.kind === 'note' ? [] : 'text' in unit ? [unit.text] : []));

const parse = (bytes: Uint8Array): Document => pptx.parse(bytes, 'a.pptx') as Document;

const headings = (...shapes: readonly string[]): string[] =>
  parse(slides(...shapes.map((each) => ['', each] as const))).units.flatMap((unit) =>
    unit.kind === 'heading' ? [unit.text] : [],
  );

const point = (id: string, text: string): string =>
  `<d:pt modelId="${id}"${id === 'd' ? ' type="doc"' : ''}>${text === '' ? '' : `<d:t>${para(text)}</d:t>`}</d:pt>`;
const link = (from: string, to: string, at: number): string =>
  `<d:cxn srcId="${from}" destId="${to}" srcOrd="${at}"/>`;

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
      slides: true,
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
        { kind: 'note', label: 'Sprechernotiz', text: 'Langsam sprechen.', page: 1 },
      ],
    });
  });

  it('is read from top to bottom and column by column, however it was drawn', () => {
    const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="6" y="3"/><a:ext cx="4" cy="6"/><a:chOff x="0" y="0"/><a:chExt cx="40" cy="60"/></a:xfrm></p:grpSpPr>${box([0, 40, 40, 10], para('rechts unten'))}${box([0, 0, 40, 10], para('rechts oben'))}</p:grpSp>`;
    const document = parse(
      slides(
        ['', box([0, 9, 9, 1], para('unten')) + box([0, 0, 9, 2], para('Umzug'), 'title')],
        [
          '',
          group +
            box([0, 7, 4, 1], para('links unten')) +
            box([0, 3, 4, 1], para('links oben')) +
            box([0, 0, 9, 1], para('Zwei Spalten')),
        ],
      ),
    );
    expect(textsOf(document)).toEqual([
      'Umzug',
      'unten',
      'Zwei Spalten',
      'links oben',
      'links unten',
      'rechts oben',
      'rechts unten',
    ]);
  });

  it('tells a heading over each of two columns with its own column', () => {
    const column = (left: number, name: string): string =>
      box([left, 20, 46, 10], para(`${name}:`)) + box([left, 30, 46, 200], para(`Text von ${name}`));
    expect(textsOf(parse(slides(['', column(0, 'links') + column(50, 'rechts')])))).toEqual([
      'links:',
      'Text von links',
      'rechts:',
      'Text von rechts',
    ]);
    // As in the layout `Comparison`: both headings, then both texts, in the order in which they are drawn.
    const comparison =
      box([0, 0, 96, 10], para('Ein Titel in ganzer Breite.')) +
      box([0, 20, 46, 10], para('A:')) +
      box([0, 30, 46, 60], para('B')) +
      box([50, 20, 46, 10], para('C:')) +
      box([50, 30, 46, 60], para('D'));
    expect(textsOf(parse(slides(['', comparison]))).slice(1)).toEqual(['A:', 'B', 'C:', 'D']);
    const drawn = box([50, 30, 46, 200], para('D')) + box([0, 30, 46, 200], para('B'));
    expect(
      textsOf(
        parse(slides(['', drawn + box([0, 20, 46, 10], para('A:')) + box([50, 20, 46, 10], para('C:'))])),
      ),
    ).toEqual(['A:', 'B', 'C:', 'D']);
  });

  it('takes the line above all others as the title of a slide that has no placeholder for it', () => {
    const body = box([0, 4, 9, 4], para('Wir ziehen um.'));
    const large = '<a:p><a:r><a:rPr sz="4000"/><a:t>Nach Ulm</a:t></a:r></a:p>';
    expect(headings(body + box([0, 0, 9, 2], para('Der Umzug')))).toEqual(['Der Umzug']);
    expect(headings(body + box([0, 0, 9, 2], para('Ein ganzer Satz.')))).toEqual([]);
    expect(headings(box([0, 4, 9, 4], large) + box([0, 0, 9, 2], para('1. Mai im Rathaus')))).toEqual([
      'Nach Ulm',
    ]);
    expect(headings(body, box([0, 4, 9, 4], large) + box([0, 0, 9, 2], para('1. Mai im Rathaus')))).toEqual(
      [],
    );
  });

  it('leaves out what stands at the edge of most slides, and the number of a slide', () => {
    const running = box([0, 9, 9, 1], para('Firma Muster'));
    const number = box([9, 9, 1, 1], '<a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p>');
    const document = parse(
      slides(
        ...['Eins', 'Zwei', 'Drei'].map(
          (text) => ['', running + number + box([0, 3, 9, 1], para(text))] as const,
        ),
      ),
    );
    expect(textsOf(document)).toEqual(['Eins', 'Zwei', 'Drei']);
    expect(document.leftOut).toEqual({ 'running heads': 3 });
  });

  it('gives each slide passages of its own, named by its title or by that of the presentation', () => {
    const document = parse(
      slides(
        ['', shape('title', para('Der Umzug')) + shape('', para('Nach Ulm.'))],
        ['', shape('', para('Ohne Titel gesagt.'))],
      ),
    );
    expect(
      passagesOf(document, 'a.pptx').map(({ title, page, text }) => [title, page, text.split('\n')[0]]),
    ).toEqual([
      ['Der Umzug', 1, 'Nach Ulm.'],
      ['Der Umzug', 2, 'Ohne Titel gesagt.'],
    ]);
  });

  it('is named by its file where its first slide is one like the others', () => {
    const list = shape('body', para('Erst') + para('dann'));
    const document = parse(
      slides(
        ['', shape('title', para('Aufgabe in Ulm')) + list],
        ['', shape('title', para('Aufgabe in Köln')) + list],
      ),
    );
    expect(passagesOf(document, 'Aufgaben.pptx').map(({ title, section }) => [section, title])).toEqual([
      ['Aufgaben', 'Aufgabe in Ulm'],
      ['Aufgaben', 'Aufgabe in Köln'],
    ]);
  });

  it('tells a diagram in the order of its connections', () => {
    const frame =
      '<p:graphicFrame><a:graphic><a:graphicData><d:relIds r:dm="x1"/></a:graphicData></a:graphic></p:graphicFrame>';
    const document = parse(
      withParts([['', frame]], {
        'ppt/slides/_rels/slide0.xml.rels': references(reference('x1', 'diagramData', '../data.xml')),
        'ppt/data.xml': `<d:dataModel><d:ptLst>${point('c', 'dann')}${point('b', 'genauer')}${point('a', 'erst')}${point('d', '')}</d:ptLst><d:cxnLst>${link('d', 'c', 1)}${link('d', 'a', 0)}${link('a', 'b', 0)}</d:cxnLst></d:dataModel>`,
      }),
    );
    expect(document.units).toEqual([
      { kind: 'item', depth: 0, text: 'erst', page: 1 },
      { kind: 'item', depth: 1, text: 'genauer', page: 1 },
      { kind: 'item', depth: 0, text: 'dann', page: 1 },
    ]);
  });

  it('is named where it is none or broken', () => {
    expect(() => parse(officeFile('a.xml', { 'a.xml': '<x/>' }))).toThrow(
      'is not a presentation of PowerPoint',
    );
    expect(() => parse(officeFile('a.xml', { 'a.xml': '<x>' }))).toThrow('is broken: a part of it is no XML');
    expect(() => parse(slides())).toThrow('has no text');
  });
});
