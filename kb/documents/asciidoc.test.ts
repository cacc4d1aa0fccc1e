import { describe, expect, it } from 'vitest';

import { asciidoc } from './asciidoc.ts';

const parse = (text: string) => asciidoc.parse(Buffer.from(text), 'a.adoc');

describe('AsciiDoc as units', () => {
  it('reads blocks as Asciidoctor shows them', async () => {
    const { units } = await parse(`[#sätze]
== Sätze

Mit {betrag} und xref:sätze[Link].footnote:[Ab 2024.]

.Tagessätze
|===
|Ort |Satz

|Ulm |12 €
|===

Frist:: Zeit, die bleibt.

. eins
* innen

[source,sh]
----
# kein Titel
----

// geheim
`);
    expect(units).toEqual([
      { kind: 'heading', level: 2, text: 'Sätze', anchor: 'sätze' },
      { kind: 'paragraph', text: 'Mit {betrag} und Link.' },
      { kind: 'paragraph', text: 'Tagessätze' },
      {
        kind: 'row',
        caption: 'Tagessätze',
        cells: [
          { head: 'Ort', text: 'Ulm' },
          { head: 'Satz', text: '12 €' },
        ],
      },
      { kind: 'definition', term: 'Frist', text: 'Zeit, die bleibt.' },
      { kind: 'item', depth: 0, marker: '1.', text: 'eins' },
      { kind: 'item', depth: 1, text: 'innen' },
      { kind: 'code', language: 'sh', text: '# kein Titel' },
      { kind: 'note', label: '1', text: 'Ab 2024.' },
    ]);
  });

  it('reads remarks with their kind or title', async () => {
    const { units } = await parse(
      'WARNING: Erst sichern.\n\n[NOTE]\n.Achtung\n====\nIm Block.\n\n* eins\n====\n',
    );
    expect(units).toEqual([
      { kind: 'note', label: 'Warning', text: 'Erst sichern.' },
      { kind: 'note', label: 'Achtung', text: 'Im Block.' },
      { kind: 'item', depth: 0, text: 'eins' },
    ]);
  });

  it('says its title, date and language, and counts what it would include', async () => {
    const header = '= Reisekosten\nAnna Amsel\nv1.2, 2024-03-05\n:lang: de\n:toc:\n:betrag: 14 Euro\n';
    expect(await parse(`${header}\n{betrag}.\n\ninclude::/etc/hostname[]\n\n== Teil\n\nText.\n`)).toEqual({
      title: 'Reisekosten',
      stand: '2024-03',
      lang: 'de',
      leftOut: { 'included file': 1 },
      units: [
        { kind: 'heading', level: 1, text: 'Reisekosten' },
        { kind: 'paragraph', text: '14 Euro.' },
        { kind: 'heading', level: 2, text: 'Teil', anchor: '_teil' },
        { kind: 'paragraph', text: 'Text.' },
      ],
    });
    await expect(parse('// nichts\n')).rejects.toThrow('has no text');
  });
});
