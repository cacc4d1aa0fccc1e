import { describe, expect, it } from 'vitest';

import { markdown, unitsOfMarkdown } from './markdown.ts';
import type { Document } from './unit.ts';

const parseBytes = (bytes: Buffer): unknown => (markdown.parse(bytes, 'a.md') as Document).units;
const parse = (text: string): Document => markdown.parse(new TextEncoder().encode(text), 'a.md') as Document;

describe('Markdown as units', () => {
  it('reads headings of both kinds, with the place that GitHub gives them or that they name', () => {
    expect(unitsOfMarkdown('Über uns\n===\n\n## Rest `x` {#rest}\n')).toEqual([
      { kind: 'heading', level: 1, text: 'Über uns', anchor: 'über-uns' },
      { kind: 'heading', level: 2, text: 'Rest x', anchor: 'rest' },
    ]);
  });

  it('reads emphasis, links, entities, comments and tags as a reader sees them', () => {
    const text =
      'Ein **fetter** [Link](https://example.org "t") &amp; <b>Tag</b><!-- geheim --> [[Seite|hier]]~~weg~~.';
    expect(unitsOfMarkdown(text)).toEqual([{ kind: 'paragraph', text: 'Ein fetter Link & Tag hier.' }]);
    expect(unitsOfMarkdown('<!-- soll auf 99 Euro steigen -->\n\nSatz [1] und [BV-12].')).toEqual([
      { kind: 'paragraph', text: 'Satz [1] und [BV-12].' },
    ]);
  });

  it('gives a row of a table its heads, and leaves empty cells out', () => {
    expect(unitsOfMarkdown('| Jahr | Satz |\n|---|---|\n| 2021 | 18,6 % |\n| 2022 | |\n')).toEqual([
      {
        kind: 'row',
        cells: [
          { head: 'Jahr', text: '2021' },
          { head: 'Satz', text: '18,6 %' },
        ],
      },
      { kind: 'row', cells: [{ head: 'Jahr', text: '2022' }] },
    ]);
    expect(unitsOfMarkdown('Jahr | Satz\n---|---\n2021 | 18,6 %\n')).toEqual([
      {
        kind: 'row',
        cells: [
          { head: 'Jahr', text: '2021' },
          { head: 'Satz', text: '18,6 %' },
        ],
      },
    ]);
  });

  it('keeps lists with their marks and depth, and what belongs to an item with it', () => {
    const text = 'Nötig sind:\n\n3. eins\n\n   mehr dazu\n   - innen\n4. zwei\n- [x] fertig\n- [ ] offen\n';
    expect(unitsOfMarkdown(text)).toEqual([
      { kind: 'paragraph', text: 'Nötig sind:' },
      { kind: 'item', depth: 0, marker: '3.', text: 'eins mehr dazu' },
      { kind: 'item', depth: 1, text: 'innen' },
      { kind: 'item', depth: 0, marker: '4.', text: 'zwei' },
      { kind: 'item', depth: 0, marker: '☑', text: 'fertig' },
      { kind: 'item', depth: 0, marker: '☐', text: 'offen' },
    ]);
  });

  it('keeps code as it is, with headings and templates in it', () => {
    expect(unitsOfMarkdown('```sh\n# kein Titel\n{% raw %}\n```\n')).toEqual([
      { kind: 'code', language: 'sh', text: '# kein Titel\n{% raw %}' },
    ]);
  });

  it('marks items that are only a link to another page or place of the folder', () => {
    const written = [
      '- [Küche](kueche.md)',
      '- **[Keller](/haus/keller)**',
      '- [[Dach]]',
      '- [Oben](#oben)',
      '- [Formular](formular.pdf)',
      '- [Amt](https://example.org/amt)',
      '- [Garten](garten.md) ist offen',
      '- Zu',
    ].join('\n');
    const points = unitsOfMarkdown(written).map((unit) => unit.kind === 'item' && unit.points === true);
    expect(points).toEqual([true, true, true, true, false, false, false, false]);
  });

  it('reads remarks, footnotes and definitions', () => {
    expect(unitsOfMarkdown('> [!WARNING]\n> Nicht öffnen.\n\nText[^a].\n\n[^a]: Die Note.\n')).toEqual([
      { kind: 'note', label: 'Warning', text: 'Nicht öffnen.' },
      { kind: 'paragraph', text: 'Text.' },
      { kind: 'note', label: '', text: 'Die Note.' },
    ]);
    expect(
      unitsOfMarkdown('Es sind 480 [^a], und 5 [^a] im Lager (höchstens [^a]).\n\n[^a]: Die Note.\n'),
    ).toMatchObject([{ text: 'Es sind 480, und 5 im Lager (höchstens).' }, { text: 'Die Note.' }]);
    expect(unitsOfMarkdown('!!! hinweis "Achtung"\n    Erst sichern.\n\nDann gehen.\n')).toEqual([
      { kind: 'note', label: 'Achtung', text: 'Erst sichern.' },
      { kind: 'paragraph', text: 'Dann gehen.' },
    ]);
    expect(unitsOfMarkdown('> [!NOTE] Ab heute gilt das neue Blatt.\n\nText.\n')).toEqual([
      { kind: 'note', label: 'Note', text: 'Ab heute gilt das neue Blatt.' },
      { kind: 'paragraph', text: 'Text.' },
    ]);
    expect(unitsOfMarkdown('!!!info"Achtung"\n    Erst sichern.\n')).toEqual([
      { kind: 'note', label: 'Achtung', text: 'Erst sichern.' },
    ]);
    expect(
      unitsOfMarkdown(
        '::::tip Rat\n\nKurz.\n\n- eins\n\n:::warning[Achtung!]\nInnen.\n:::\n\n::::\n\n:::columns\nNeben.\n:::\n\nDanach.\n',
      ),
    ).toEqual([
      { kind: 'note', label: 'Rat', text: 'Kurz.' },
      { kind: 'item', depth: 0, text: 'eins' },
      { kind: 'note', label: 'Achtung!', text: 'Innen.' },
      { kind: 'paragraph', text: 'Neben.' },
      { kind: 'paragraph', text: 'Danach.' },
    ]);
    expect(unitsOfMarkdown('> **Note**\n> Alte Form.\n\n:::note\nOhne Ende.\n')).toEqual([
      { kind: 'note', label: 'Note', text: 'Alte Form.' },
      { kind: 'paragraph', text: 'Ohne Ende.' },
    ]);
    expect(unitsOfMarkdown('Frist\n: Zeit, die bleibt.\n')).toEqual([
      { kind: 'definition', term: 'Frist', text: 'Zeit, die bleibt.' },
    ]);
  });

  it('reads tabs, includes and abbreviations of MkDocs, also within each other and in a list', () => {
    const written = [
      '=== "Windows"',
      '    Den Knopf drücken.',
      '    !!! warning',
      '        Nicht zweimal.',
      '',
      '=== "Linux"',
      '',
      '    - eins',
      '',
      '--8<-- "teile/fuss.md"',
      '*[WZ]: Wartezeit',
      '*[BZ]: Betriebszeit',
      '',
      '1. Gerät öffnen',
      '',
      '    !!! note "Zuerst"',
      '        Stecker ziehen.',
      '',
      '2. Danach schließen',
    ];
    expect(unitsOfMarkdown(written.join('\n'))).toEqual([
      { kind: 'paragraph', text: 'Windows' },
      { kind: 'paragraph', text: 'Den Knopf drücken.' },
      { kind: 'note', label: 'Warning', text: 'Nicht zweimal.' },
      { kind: 'paragraph', text: 'Linux' },
      { kind: 'item', depth: 0, text: 'eins' },
      { kind: 'definition', term: 'WZ', text: 'Wartezeit' },
      { kind: 'definition', term: 'BZ', text: 'Betriebszeit' },
      { kind: 'item', depth: 0, marker: '1.', text: 'Gerät öffnen' },
      { kind: 'note', label: 'Zuerst', text: 'Stecker ziehen.' },
      { kind: 'item', depth: 0, marker: '2.', text: 'Danach schließen' },
    ]);
  });

  it('passes over what Logseq notes of a block', () => {
    const written = [
      '- Die Dienstreise wird beantragt.',
      '  id:: 6432a1b2-0000-4000-8000-000000000001',
      '  collapsed:: true',
      '\t- Frist:: zwei Wochen, siehe ((6432a1b2-0000-4000-8000-000000000001))',
      '- {{query (and [[Reise]] (task TODO))}}',
      '- Danach folgt die Abrechnung.',
    ];
    expect(unitsOfMarkdown(written.join('\n'))).toEqual([
      { kind: 'item', depth: 0, text: 'Die Dienstreise wird beantragt.' },
      { kind: 'item', depth: 1, text: 'Frist:: zwei Wochen, siehe' },
      { kind: 'item', depth: 0, text: 'Danach folgt die Abrechnung.' },
    ]);
  });

  it('passes over attributes of images and links, and tags over several lines', () => {
    expect(
      unitsOfMarkdown(
        'Vorher ![](<a.png>){width="500"} und [hier](b.md){ .knopf target=_blank #k }. Im Satz {so} und `](x){a="b"}`.\n\n{% include "x.html"\n  steps: a\n%}\n\nDanach, ab {% if.\n\nEnde %}.\n',
      ),
    ).toEqual([
      { kind: 'paragraph', text: 'Vorher und hier. Im Satz {so} und ](x){a="b"}.' },
      { kind: 'paragraph', text: 'Danach, ab {% if.' },
      { kind: 'paragraph', text: 'Ende %}.' },
    ]);
  });

  it('passes over comments of Jekyll, in a line and over several', () => {
    expect(
      unitsOfMarkdown(
        'Vor{% comment %} weg {% endcomment %}her.\n\n{%- comment -%}\nAlte Fassung.\n\nNoch eine.\n{%- endcomment -%}\n\nDanach.\n\n{% comment %}\n\nOhne Ende.\n',
      ).map((unit) => ('text' in unit ? unit.text : unit)),
    ).toEqual(['Vorher.', 'Danach.', 'Ohne Ende.']);
  });

  it('passes over what is for programs: attributes, modules of MDX, comments, names of blocks', () => {
    expect(
      unitsOfMarkdown(
        "import A from './a';\nimport {\n  B\n} from './b';\nexport const c = {\n  d: 1\n};\n\n## Menü {docsify-ignore}\n\n## Teil {.unnumbered #teil-1}\n{: .no_toc }\n\n<Tabs>\n<Tab label=\"x\">\n\nEin {/* nein */} ==Satz==. %% nein %%\n\n</Tab>\n</Tabs>\n\nText ^abc123\n\n[[Seite#Frist]] [[#Ort]]\n\nimport von Waren\n\n[[toc]]\n",
      ),
    ).toEqual([
      { kind: 'heading', level: 2, text: 'Menü', anchor: 'menü' },
      { kind: 'heading', level: 2, text: 'Teil', anchor: 'teil-1' },
      { kind: 'paragraph', text: 'Ein Satz.' },
      { kind: 'paragraph', text: 'Text' },
      { kind: 'paragraph', text: 'Seite > Frist Ort' },
      { kind: 'paragraph', text: 'import von Waren' },
    ]);
  });

  it('reads HTML in it as HTML', () => {
    expect(
      unitsOfMarkdown(
        '<h2 align="center">Titel</h2>\n\n<table><tr><th>A<th>B<tr><td>1<td>2</table>\n\n<details>\n<summary>Frist?</summary>\n\nDrei **Tage**.\n\n- eins\n\n</details>\n\n<div id="offen\n*Text*\n',
      ),
    ).toEqual([
      { kind: 'heading', level: 2, text: 'Titel' },
      {
        kind: 'row',
        cells: [
          { head: 'A', text: '1' },
          { head: 'B', text: '2' },
        ],
      },
      { kind: 'definition', term: 'Frist?', text: 'Drei Tage.' },
      { kind: 'item', depth: 0, text: 'eins' },
      { kind: 'paragraph', text: '<div id="offen *Text*' },
    ]);
  });

  it.each([
    ['YAML', '---\ntitle: "Urlaub"\ndate: 2024-03-05\ntags: [a, b]\nlang: de-DE\n---\nText.\n'],
    ['TOML', '+++\ntitle = "Urlaub"\ndate = 2024-03-05T10:00:00Z\nlang = "de"\n+++\nText.\n'],
  ])('takes title and date from front matter in %s', (_, text) => {
    expect(parse(text)).toMatchObject({
      title: 'Urlaub',
      stand: '2024-03',
      lang: 'de',
      units: [{ kind: 'paragraph', text: 'Text.' }],
    });
  });

  it('passes over pictures, and headings that a site fills in', () => {
    expect(parse('---\ntitle: Urlaub\n---\n# {{ page.title }}\n\n![Bild](a.png)\n\nText.\n')).toEqual({
      title: 'Urlaub',
      units: [{ kind: 'paragraph', text: 'Text.' }],
    });
  });

  it('takes the first heading for the title where nothing else says one', () => {
    expect(parse('Vorwort.\n\n# Handbuch\n').title).toBe('Handbuch');
    expect(parse('# Zeiten\n\nMo bis Fr.\n\n# Ort\n\nHier.\n\n# Preis\n\nFrei.\n').title).toBeUndefined();
    expect(parse('# Heft\n\n# Ort\n\nHier.\n\n# Preis\n\nFrei.\n').title).toBe('Heft');
    expect(parse('# § 1 Name\n\nEr heißt so.\n\n# § 2 Sitz\n\nHier.\n').title).toBeUndefined();
  });

  it('reads Latin-1, UTF-16 and line ends of Windows', () => {
    const expected = [
      { kind: 'paragraph', text: 'Größe' },
      { kind: 'item', depth: 0, text: 'a' },
    ];
    expect(parseBytes(Buffer.from('Größe\r\n\r\n- a', 'latin1'))).toEqual(expected);
    expect(parseBytes(Buffer.from('\uFEFFGröße\r\n\r\n- a', 'utf16le'))).toEqual(expected);
    expect(() => parseBytes(Buffer.from([0, 1, 2, 0, 255]))).toThrow('is not text');
  });
});
