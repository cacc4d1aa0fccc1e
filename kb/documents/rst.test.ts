import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { rst } from './rst.ts';
import type { Document, Unit } from './unit.ts';

const parse = (text: string): Document => rst.parse(Buffer.from(text), 'a.rst') as Document;
const unitsOf = (text: string): readonly Unit[] => parse(text).units;

describe('reStructuredText as units', () => {
  it('reads headings by the order of their signs, with labels for their places', () => {
    expect(
      unitsOf('====\nBuch\n====\n\n.. _frist:\n\nFristen\n=======\n\nUnter\n-----\n\nRest\n====\n\nText\n'),
    ).toEqual([
      { kind: 'heading', level: 1, text: 'Buch', anchor: 'buch' },
      { kind: 'heading', level: 2, text: 'Fristen', anchor: 'frist' },
      { kind: 'heading', level: 3, text: 'Unter', anchor: 'unter' },
      { kind: 'heading', level: 2, text: 'Rest', anchor: 'rest' },
      { kind: 'paragraph', text: 'Text' },
    ]);
  });

  it('reads running text as a reader sees it', () => {
    expect(
      unitsOf(
        '.. _ziel:\n\nDas Ziel\n########\n\nEin **fetter** `Link <https://example.org>`_ und *mehr*\\s, ``a *b*``, :ref:`ziel`, :ref:`hier <ziel>`, ' +
          ':meth:`~os.path.join`, |amt| [1]_, siehe_ 3*4*5 und 2 * 3.\n\n.. |amt| replace:: das *Amt*\n.. Kommentar\n.. [1] Die Note.\n.. [#a] Noch eine.\n',
      ),
    ).toEqual([
      { kind: 'heading', level: 1, text: 'Das Ziel', anchor: 'ziel' },
      {
        kind: 'paragraph',
        text: 'Ein fetter Link und mehrs, a *b*, Das Ziel, hier, join, das Amt, siehe 3*4*5 und 2 * 3.',
      },
      { kind: 'note', label: '1', text: 'Die Note.' },
      { kind: 'note', label: '', text: 'Noch eine.' },
    ]);
  });

  it('reads lists, definitions, fields and options', () => {
    expect(
      unitsOf(
        'Nötig:\n\n#. eins\n   weiter\n\n   mehr\n\n   * innen\n#. zwei\n\nFrist\n  Zeit, die bleibt.\n\n:Ort: Ulm\n\n-a, --all  Alles.\n\nA. Amsel hat\nrecht.\n',
      ),
    ).toEqual([
      { kind: 'paragraph', text: 'Nötig:' },
      { kind: 'item', depth: 0, marker: '1.', text: 'eins weiter mehr' },
      { kind: 'item', depth: 1, text: 'innen' },
      { kind: 'item', depth: 0, marker: '2.', text: 'zwei' },
      { kind: 'definition', term: 'Frist', text: 'Zeit, die bleibt.' },
      { kind: 'definition', term: 'Ort', text: 'Ulm' },
      { kind: 'definition', term: '-a, --all', text: 'Alles.' },
      { kind: 'paragraph', text: 'A. Amsel hat recht.' },
    ]);
  });

  const ROWS = [
    {
      kind: 'row',
      cells: [
        { head: 'Jahr', text: '2021' },
        { head: 'Satz', text: '18,6 % und mehr' },
      ],
    },
    { kind: 'row', cells: [{ head: 'Jahr', text: '2022' }] },
  ];
  it.each([
    [
      'simple',
      '====  =========\nJahr  Satz\n====  =========\n2021  18,6 %\n      und mehr\n2022\n====  =========\n',
    ],
    [
      'grid',
      '+------+----------+\n| Jahr | Satz     |\n+======+==========+\n| 2021 | 18,6 %   |\n|      | und mehr |\n+------+----------+\n| 2022 |          |\n+------+----------+\n',
    ],
    [
      'list',
      '.. list-table::\n   :header-rows: 1\n\n   * - Jahr\n     - Satz\n   * - 2021\n     - 18,6 %\n       und mehr\n   * - 2022\n     -\n',
    ],
    ['csv', '.. csv-table::\n   :header: "Jahr", "Satz"\n\n   2021, "18,6 % und mehr"\n   2022,\n'],
  ])('gives the rows of a %s table their heads', (_, text) => {
    expect(unitsOf(text)).toEqual(ROWS);
  });

  it.each([
    '.. table:: Sätze *im Jahr*\n\n   ==== ====\n   Jahr Satz\n   ==== ====\n   2021 18 %\n   ==== ====\n',
    '.. list-table:: Sätze *im Jahr*\n   :header-rows: 1\n\n   * - Jahr\n     - Satz\n   * - 2021\n     - 18 %\n',
    '.. csv-table:: Sätze *im Jahr*\n   :header: "Jahr", "Satz"\n\n   2021, "18 %"\n',
  ])('tells the caption of a table before its rows', (text) => {
    expect(unitsOf(text)).toEqual([
      { kind: 'paragraph', text: 'Sätze im Jahr' },
      {
        kind: 'row',
        cells: [
          { head: 'Jahr', text: '2021' },
          { head: 'Satz', text: '18 %' },
        ],
      },
    ]);
  });

  it('puts the characters in place that a substitution has by number', () => {
    expect(
      unitsOf(
        '.. |copy| unicode:: U+000A9 .. COPYRIGHT SIGN\n.. |tm| unicode:: Beleg 0x2122\n\n|copy| 2010, |tm|\n',
      ),
    ).toEqual([{ kind: 'paragraph', text: '© 2010, Beleg ™' }]);
  });

  it('reads code, remarks and what other directives hold', () => {
    expect(
      unitsOf(
        'So::\n\n  # kein Titel\n    x\n\n.. code-block:: sh\n   :linenos:\n\n   ls\n\n.. warning:: Erst\n   sichern.\n\n.. versionadded:: 3.1\n   Neu.\n\n.. image:: a.png\n   :alt: Bild\n\n.. figure:: b.png\n\n   Der Plan\n\n.. unbekannt:: x\n   :a: b\n\n   Der Inhalt.\n\n.. py:function:: open(file)\n\n   Öffnet.\n\n.. toctree::\n\n   a\n',
      ),
    ).toEqual([
      { kind: 'paragraph', text: 'So:' },
      { kind: 'code', text: '# kein Titel\n  x' },
      { kind: 'code', language: 'sh', text: 'ls' },
      { kind: 'note', label: 'Warning', text: 'Erst sichern.' },
      { kind: 'note', label: 'Added in version 3.1', text: 'Neu.' },
      { kind: 'paragraph', text: 'Der Plan' },
      { kind: 'paragraph', text: 'Der Inhalt.' },
      { kind: 'definition', term: 'open(file)', text: 'Öffnet.' },
    ]);
  });

  it('says its title and date, and counts what it leaves to others', () => {
    expect(parse(':date: 2024-03-05\n\nReise\n=====\n\n.. include:: /etc/hostname\n\nText.\n')).toEqual({
      title: 'Reise',
      stand: '2024-03',
      leftOut: { 'included file': 1 },
      units: [
        { kind: 'heading', level: 1, text: 'Reise', anchor: 'reise' },
        { kind: 'paragraph', text: 'Text.' },
      ],
    });
  });

  it('takes for no option of a remark what stands below an empty line in a field', () => {
    const text = 'w\n\n:Feld: .. note:: w1\n\n        :Frist: w2\n\n    * w3';
    expect(JSON.stringify(unitsOf(text))).toContain('"text":"w2"');
  });

  it('loses no word of running text, lists and remarks, and tells none twice', () => {
    const words = fc.integer({ min: 1, max: 6 }).map((n) => 'w '.repeat(n).trim());
    const { block } = fc.letrec<{ block: string }>((tie) => ({
      block: fc.oneof(
        { maxDepth: 4 },
        words,
        words.map((text) => `${text}\n${'='.repeat(text.length)}`),
        fc
          .tuple(
            fc.constantFrom(
              '* ',
              '#. ',
              '.. note:: ',
              '.. [1] ',
              ':Feld: ',
              '   ',
              '.. other::\n\n   ',
              'w::\n\n   ',
              '| ',
            ),
            fc.array(tie('block'), { minLength: 1, maxLength: 3 }),
          )
          .map(([opening, inside]) => opening + inside.join('\n\n').replaceAll('\n', '\n    ')),
      ),
    }));
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), (blocks) => {
        const expected: string[] = [];
        const number = (): string => expected[expected.push(`w${expected.length}`) - 1]!;
        const text = `w\n\n${blocks.join('\n\n')}`.replaceAll(/\bw\b/gu, number);
        const told = unitsOf(text).map((unit) =>
          unit.kind === 'row' ? '' : unit.kind === 'definition' ? `${unit.term} ${unit.text}` : unit.text,
        );
        expect(told.join(' ').match(/w\d+/gu)!.sort()).toEqual(expected.sort());
      }),
      { numRuns: 300 },
    );
  });

  it('is read in time that grows with it', () => {
    const deep = Array.from({ length: 200 }, (_, i) => `${'  '.repeat(i)}* w${i}`).join('\n\n');
    expect(JSON.stringify(unitsOf(deep))).toContain('w199');
    const long = `${'*'.repeat(20_000)}a ${'`'.repeat(20_000)} ${'|a'.repeat(10_000)} ${'_'.repeat(20_000)}`;
    const begin = process.threadCpuUsage();
    unitsOf(long);
    const { user, system } = process.threadCpuUsage(begin);
    expect((user + system) / 1_000).toBeLessThan(2000);
  });
});
