import { describe, expect, it } from 'vitest';

import { docx } from './docx.ts';
import { officeFile } from './office.suite.ts';
import type { Document } from './unit.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const relationship = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${target}"/>`;
const STYLES = `<w:styles ${W}><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults>
  <w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:pPr><w:outlineLvl w:val="0"/><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
  <w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
  <w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Verzeichnistitel"><w:name w:val="toc heading"/></w:style></w:styles>`;
const NUMBERING = `<w:numbering ${W}><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="§ %1"/></w:lvl>
  <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum>
  <w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum>
  <w:abstractNum w:abstractNumId="9"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="berschrift2"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>
  <w:num w:numId="9"><w:abstractNumId w:val="9"/></w:num><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num></w:numbering>`;
const NOTES = `<w:footnotes ${W}><w:footnote w:id="2"><w:p><w:r><w:t>Die Note.</w:t></w:r></w:p></w:footnote></w:footnotes>`;

const p = (text: string, properties = ''): string =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
const inList = (id: number, level: number): string =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`;
const formula = (text: string): string => `<m:oMath><m:r><m:t>${text}</m:t></m:r></m:oMath>`;
const tr = (...cells: readonly string[]): string =>
  `<w:tr>${cells.map((cell) => `<w:tc>${p(cell)}</w:tc>`).join('')}</w:tr>`;

const bold = (text: string): string => `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r></w:p>`;

const underlined = (text: string, more = ''): string =>
  bold(text).replace('<w:b/>', `${more}<w:u w:val="single"/>`);

const inSize = (size: number, text: string): string =>
  bold(text).replace('<w:b/>', `<w:sz w:val="${size}"/>`);

const field = (instruction: string, shown: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ${instruction} </w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>${shown}</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;

const boldItem = (text: string): string => bold(text).replace('<w:p>', `<w:p><w:pPr>${inList(1, 0)}</w:pPr>`);

const word = (body: string): Uint8Array =>
  officeFile('word/document.xml', {
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationship('rId1', 'officeDocument', 'word/document.xml')}</Relationships>`,
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'word/document.xml': `<w:document ${W} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationship('a', 'styles', 'styles.xml')}${relationship('b', 'numbering', 'numbering.xml')}${relationship('c', 'footnotes', 'footnotes.xml')}</Relationships>`,
    'word/styles.xml': STYLES,
    'word/numbering.xml': NUMBERING,
    'word/footnotes.xml': NOTES,
    'docProps/core.xml':
      '<coreProperties><title>Ordnung</title><modified>2023-11-02T08:00:00Z</modified></coreProperties>',
  });

const parse = async (body: string): Promise<Document> => docx.parse(word(body), 'Ordnung.docx');

/** Its title, in a file with another name. */
const titleOf = async (body: string) => (await docx.parse(word(body), 'Brand.docx')).title;
const twoRows = (name: string): string =>
  `<w:tbl>${tr('Name', name)}${tr('Ziel', 'Es geht.')}</w:tbl>${p('')}`;

describe('a document of Word', () => {
  it('has headings where a paragraph is numbered as those by style are', async () => {
    const clause =
      'Jeder Antrag wird schriftlich gestellt, von einer zweiten Person geprüft und danach drei Jahre lang aufbewahrt.';
    const { units } = await parse(
      p('Zweck', inList(9, 0)) +
        p('Das Folgende gilt für alle.') +
        p(clause, inList(9, 0)) +
        p('Fristen', '<w:pStyle w:val="berschrift2"/>' + inList(9, 0)),
    );
    expect(units).toMatchObject([
      { kind: 'heading', level: 2, text: '1. Zweck' },
      { kind: 'paragraph' },
      { kind: 'item', marker: '2.', text: clause },
      { kind: 'heading', level: 2, text: '3. Fristen' },
    ]);
  });

  it('has lists of what was set off by typed bullets and dashes', async () => {
    const { units } = await parse(
      p('Mitzubringen sind:') + p('•\tein Ausweis') + p('- ein Foto') + p('– ein Antrag') + p('- 5 Grad.'),
    );
    expect(units).toMatchObject([
      { kind: 'paragraph' },
      ...['ein Ausweis', 'ein Foto', 'ein Antrag', '5 Grad.'].map((text) => ({
        kind: 'item',
        depth: 0,
        text,
      })),
    ]);
    expect((await parse(p('Es war kalt.') + p('- 5 Grad.'))).units[1]).toMatchObject({ text: '- 5 Grad.' });
  });

  it('is not named by the first of several headings in the style of titles', async () => {
    const titled = (text: string): string => p(text, '<w:pStyle w:val="Titel"/>');
    const chapters =
      titled('Einleitung') + p('Es brennt oft. '.repeat(12)) + titled('Zweck') + p('Das hilft.');
    expect(await titleOf(chapters)).toBeUndefined();
    expect(await titleOf(titled('Brandschutz') + p('Es brennt oft.'))).toBe('Brandschutz');
  });

  it('has the only item that a text leads to as an item', async () => {
    const { units } = await parse(
      p('Der Auftraggeber beauftragt den Auftragnehmer mit:') +
        boldItem('Gestaltung der Seiten') +
        p('Der Preis beträgt 400 Euro.'),
    );
    expect(units[1]).toMatchObject({ kind: 'item', text: 'Gestaltung der Seiten' });
  });

  it('keeps tables directly below each other apart', async () => {
    const { units } = await parse(twoRows('Anmelden') + twoRows('Abmelden'));
    expect(units.map((unit) => unit.kind === 'row' && unit.begins)).toEqual([
      undefined,
      undefined,
      true,
      undefined,
    ]);
  });

  it('numbers an item in a cell once', async () => {
    const cell = `<w:tc>${p('erstens', inList(1, 0))}${p('zweitens', inList(1, 0))}</w:tc>`;
    const { units } = await parse(
      `<w:tbl>${tr('Schritte', 'Wer')}<w:tr>${cell}<w:tc>${p('alle')}</w:tc></w:tr>${tr('drei', 'Ben')}</w:tbl>`,
    );
    expect(JSON.stringify(units)).toContain('"§ 1 erstens § 2 zweitens"');
  });

  it('ranks headings by hand by their looks, where these are many more than those by style', async () => {
    const chapters = ['1. ZWECK', '2. REGELN', '3. FRISTEN'].flatMap((text) => [
      underlined(text, '<w:b/>'),
      p('Das Folgende gilt für alle.'),
      underlined(`Ausnahmen zu ${text.slice(3)}`),
      p('Es gibt keine Ausnahmen.'),
    ]);
    const { units } = await parse(
      p('Geltung', '<w:pStyle w:val="berschrift2"/>') + p('Ab Mai.') + chapters.join(''),
    );
    expect(units.flatMap((unit) => (unit.kind === 'heading' ? [`${unit.level} ${unit.text}`] : []))).toEqual([
      '2 Geltung',
      '2 1. ZWECK',
      '3 Ausnahmen zu ZWECK',
      '2 2. REGELN',
      '3 Ausnahmen zu REGELN',
      '2 3. FRISTEN',
      '3 Ausnahmen zu FRISTEN',
    ]);
  });

  it('has a bold line above text as a heading below the last one by style', async () => {
    const { units } = await parse(
      bold('Musterverein') +
        p('Ordnung', '<w:pStyle w:val="berschrift2"/>') +
        p('Sie gilt ab Mai.') +
        bold('Fahrten') +
        p('Fahrten zahlt der Verein.') +
        p('Beiträge', '<w:pStyle w:val="berschrift2"/>') +
        p('Sie sind im Mai fällig.') +
        bold('Der Vorstand') +
        bold('Anna Beispiel'),
    );
    expect(units.map((unit) => unit.kind === 'heading' && `${unit.level} ${unit.text}`)).toEqual([
      false,
      '2 Ordnung',
      false,
      '3 Fahrten',
      false,
      '2 Beiträge',
      false,
      false,
      false,
    ]);
  });

  it('has no heading where a bold line is only a link', async () => {
    const link = `<w:p><w:hyperlink w:anchor="x"><w:r><w:rPr><w:b/></w:rPr><w:t>Reisen</w:t></w:r></w:hyperlink></w:p>`;
    const { units } = await parse(p('Siehe auch.') + link + p('Danach.'));
    expect(units.map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph', 'paragraph']);
  });

  it('tells what a link says, and its address only where that is what it says', async () => {
    const { units } = await parse(
      p('Siehe auch:') +
        `<w:p><w:hyperlink w:anchor="x"><w:r><w:t>Reisen</w:t></w:r></w:hyperlink></w:p>` +
        `<w:p>${field('HYPERLINK "https://example.org/spesen"', 'Spesen')}</w:p>` +
        `<w:p>${field('HYPERLINK "https://example.org/a"', 'https://example.org/a')}</w:p>`,
    );
    expect(units.map((unit) => unit.kind !== 'row' && unit.text)).toEqual([
      'Siehe auch:',
      'Reisen',
      'Spesen',
      'https://example.org/a',
    ]);
  });

  it('takes the last item of a bold list for an item, as those before it', async () => {
    const { units } = await parse(
      p('Zu melden sind:') + boldItem('Ausfälle') + boldItem('Verluste') + p('Die Meldung geht an die IT.'),
    );
    expect(units.map(({ kind }) => kind)).toEqual(['paragraph', 'item', 'item', 'paragraph']);
  });

  it('leaves out the title of a table of contents that is text', async () => {
    const { units } = await parse(
      p('Inhalt') +
        p('Reisen 3', '<w:pStyle w:val="Verzeichnis1"/>') +
        p('Inhalt') +
        p('Reisen zahlt der Verein.'),
    );
    expect(units.map((unit) => unit.kind !== 'row' && unit.text)).toEqual([
      'Inhalt',
      'Reisen zahlt der Verein.',
    ]);
  });

  it('leaves out the title of a table of contents, and no other text with its style', async () => {
    const style = '<w:pStyle w:val="Verzeichnistitel"/>';
    const { units } = await parse(
      p('Inhalt', style) +
        p('1 Geltung 3', '<w:pStyle w:val="Verzeichnis1"/>') +
        p('Lenkung', style) +
        p('Text.'),
    );
    expect(units.map((unit) => unit.kind !== 'row' && unit.text)).toEqual(['Lenkung', 'Text.']);
  });

  it('reads headings by style and outline level, with the numbers that Word shows', async () => {
    const document = await parse(
      p('Geltung', '<w:pStyle w:val="Kapitel"/>') +
        p('Für alle.', inList(1, 1)) +
        p('Für jeden.', inList(1, 1)) +
        p('Näheres', '<w:pStyle w:val="berschrift2"/>') +
        p('Ende', '<w:pStyle w:val="Kapitel"/>'),
    );
    expect(document).toEqual({
      title: 'Ordnung',
      stand: '2023-11',
      lang: 'de',
      units: [
        { kind: 'heading', level: 1, text: '§ 1 Geltung' },
        { kind: 'item', depth: 0, marker: '1.a)', text: 'Für alle.' },
        { kind: 'item', depth: 0, marker: '1.b)', text: 'Für jeden.' },
        { kind: 'heading', level: 2, text: 'Näheres' },
        { kind: 'heading', level: 1, text: '§ 2 Ende' },
      ],
    });
  });

  it('takes bold words with a colon for headings, and no sentence that leads to a list', async () => {
    const { units } = await parse(
      [bold('Muss:'), p('Es läuft.'), bold('Kann auch:'), p('Es singt.')].join('') +
        [bold('Die Mitglieder haben folgende Pflichten:'), p('Sie zahlen.')].join(''),
    );
    expect(units.map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'heading',
      'paragraph',
      'paragraph',
      'paragraph',
    ]);
  });

  it('has a footnote at the end of the section that names it', async () => {
    const { units } = await parse(
      `<w:p><w:r><w:t>Nötig</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p><w:p><w:r><w:t>Immer.</w:t></w:r></w:p>` +
        p('Ende', '<w:pStyle w:val="berschrift2"/>') +
        p('Schluss.'),
    );
    expect(units.map((unit) => unit.kind !== 'row' && [unit.kind, unit.text])).toEqual([
      ['paragraph', 'Nötig'],
      ['paragraph', 'Immer.'],
      ['note', 'Die Note.'],
      ['heading', 'Ende'],
      ['paragraph', 'Schluss.'],
    ]);
  });

  it('reads bullets, footnotes and tables', async () => {
    const { units } = await parse(
      `<w:p><w:r><w:t>Nötig sind</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t xml:space="preserve"> immer:</w:t></w:r></w:p>` +
        p('Helm', inList(2, 0)) +
        `<w:tbl><w:tblPr><w:tblStyle w:val="Listentabelle"/><w:tblLook w:val="04A0"/></w:tblPr>${tr('Gerät', 'Farbe')}${tr('Säge', 'rot')}</w:tbl>`,
    );
    expect(units).toEqual([
      { kind: 'paragraph', text: 'Nötig sind immer:' },
      { kind: 'item', depth: 0, text: 'Helm' },
      {
        kind: 'row',
        cells: [
          { head: 'Gerät', text: 'Säge' },
          { head: 'Farbe', text: 'rot' },
        ],
      },
      { kind: 'note', label: '1', text: 'Die Note.' },
    ]);
  });

  it('leaves out what nobody sees and what stands there twice, and counts it', async () => {
    const { units, leftOut } = await parse(
      p('Inhalt ... 3', '<w:pStyle w:val="Verzeichnis1"/>') +
        '<w:p><w:r><w:t>Neu</w:t></w:r><w:del><w:r><w:delText>Alt</w:delText></w:r></w:del><w:ins><w:r><w:t xml:space="preserve"> dazu</w:t></w:r></w:ins>' +
        '<w:r><w:rPr><w:vanish/></w:rPr><w:t>Versteckt</w:t></w:r></w:p>',
    );
    expect(units).toEqual([{ kind: 'paragraph', text: 'Neu dazu' }]);
    expect(leftOut).toEqual({ 'table of contents': 1, 'deleted text': 1, 'hidden text': 1 });
  });

  it('tells formulas, in a line and on a line of their own', async () => {
    const body = `<w:p xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:r><w:t>Es gilt </w:t></w:r>${formula('m=1')}</w:p><w:p xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:oMathPara>${formula('a=m/b')}</m:oMathPara></w:p>`;
    expect((await docx.parse(word(body), 'Ordnung.docx')).units).toMatchObject([
      { text: 'Es gilt m=1' },
      { text: 'a=m/b' },
    ]);
  });

  it('takes short bold lines for headings where there are no others', async () => {
    const { units } = await parse(
      bold('Pausen') + p('Eine halbe Stunde.') + bold('Das ist nur fett gedruckt.'),
    );
    expect(units.map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'paragraph']);
  });

  it('takes short lines in larger type for headings, and ranks them by their size', async () => {
    const text = 'Der Verein zahlt Fahrten zu Spielen, und er zahlt das Essen danach.';
    const { units } = await parse(
      inSize(36, 'Reisen') +
        inSize(28, 'Fahrten') +
        p(text) +
        inSize(28, 'Essen') +
        p(text) +
        inSize(28, 'Das ist nur größer gedruckt.') +
        inSize(21, 'Kaum größer'),
    );
    expect(units.map((unit) => (unit.kind === 'heading' ? `${unit.level} ${unit.text}` : unit.kind))).toEqual(
      ['2 Reisen', '3 Fahrten', 'paragraph', '3 Essen', 'paragraph', 'paragraph', 'paragraph'],
    );
  });

  it('has the line in the largest type as its title, in one line, and not its first chapter', async () => {
    const large = inSize(44, 'Umzug').replace('</w:t>', '</w:t><w:br/><w:t>im Mai</w:t>');
    const [chapter, end] = ['Geltung', 'Ende'].map((each) => p(each, '<w:pStyle w:val="Kapitel"/>'));
    const text = p('Für alle gilt dieser Text.');
    const { title } = await docx.parse(word(inSize(28, 'Adorf') + large + chapter + text + end), 'b.docx');
    expect(title).toBe('Umzug im Mai');
    // A heading alone is the title, and a remark above it is none.
    const remark = inSize(72, 'Entwurf');
    expect((await docx.parse(word(remark + chapter + text), 'b.docx')).title).toBeUndefined();
    expect((await docx.parse(word(chapter + text), 'Ordnung.docx')).title).toBe('Ordnung');
  });

  it('has nothing in its title that is not seen', async () => {
    const field = '<w:r><w:instrText>DOCPROPERTY Title</w:instrText></w:r>';
    const picture = '<w:r><w:drawing><wp:posOffset>-123825</wp:posOffset></w:drawing></w:r>';
    const large = inSize(44, 'Umzug').replace('<w:r>', `${field}${picture}<w:r>`);
    const { title } = await docx.parse(word(large + p('Für alle gilt dieser Text.')), 'b.docx');
    expect(title).toBe('Umzug');
  });

  it('counts the title of a list of pictures that is left out', async () => {
    const chapter = '<w:pStyle w:val="Kapitel"/>';
    const { units } = await parse(
      p('Abbildungsverzeichnis', chapter) +
        p('Plan 3', '<w:pStyle w:val="Verzeichnis1"/>') +
        p('Anhang', chapter) +
        p('Der Plan gilt.'),
    );
    expect(units.map((unit) => 'text' in unit && unit.text)).toContain('§ 2 Anhang');
  });

  it('takes a long bold question for a heading', async () => {
    const question = `Welche ${'Programme, Werkzeuge und '.repeat(4)}Dienste braucht die Abteilung?`;
    expect((await parse(bold(question) + p('Keine.'))).units[0]).toMatchObject({
      kind: 'heading',
      text: question,
    });
  });

  it('takes numbered ones for headings too, but not the items of a bold list', async () => {
    const { units } = await parse(
      boldItem('Anmeldung') +
        p('Wer wohnen will.') +
        boldItem('Miete') +
        p('Im Voraus.') +
        boldItem('a') +
        boldItem('b'),
    );
    expect(units.map((unit) => [unit.kind, 'text' in unit ? unit.text : ''])).toEqual([
      ['heading', '§ 1 Anmeldung'],
      ['paragraph', 'Wer wohnen will.'],
      ['heading', '§ 2 Miete'],
      ['paragraph', 'Im Voraus.'],
      ['item', 'a'],
      ['item', 'b'],
    ]);
  });

  it('has numbered titles with a colon as headings, and no list of lines that look alike', async () => {
    const { units } = await parse(
      p('Der Plan.', '<w:pStyle w:val="berschrift2"/>') +
        bold('1.Art des Systems:') +
        p('Eine Art.') +
        bold('2. Zuordnung der Verantwortung:') +
        p('Eine Person.') +
        bold('Silas Reimann') +
        bold('Anna Bauer') +
        bold('Bo Cors') +
        bold('Cem Dogan') +
        p('Alle sind da.') +
        bold('Sitzung 2') +
        bold('Tag: 3. Mai') +
        bold('Ort: Saal') +
        p('Alle sind da.'),
    );
    expect(units.flatMap((unit) => (unit.kind === 'heading' ? unit.text : []))).toEqual([
      'Der Plan.',
      '1.Art des Systems:',
      '2. Zuordnung der Verantwortung:',
      'Sitzung 2',
    ]);
  });

  it('reads a table of two columns without marks, and one with names in the style of headings', async () => {
    const long = 'Ein Laden im Netz, in dem alle Waren zu finden sind, die es gibt.';
    const { units } = await parse(`<w:tbl>${tr('Projekt', 'Neuer Shop')}${tr('Aufgabe', long)}</w:tbl>`);
    expect(units).toMatchObject([
      { cells: [{ head: '', text: 'Projekt' }, { text: 'Neuer Shop' }] },
      { cells: [{ head: '', text: 'Aufgabe' }, { text: long }] },
    ]);
    const named = await parse(`<w:tbl>${tr('Rolle', 'Aufgabe')}${tr('Leitung', long)}</w:tbl>`);
    expect(named.units).toMatchObject([{ cells: [{ head: 'Rolle' }, { head: 'Aufgabe' }] }]);
    const style = '<w:pStyle w:val="berschrift2"/>';
    const heads = `<w:tr><w:tc>${bold('Jahr')}</w:tc><w:tc>${bold('Ort')}</w:tc><w:tc>${p('Note', style)}</w:tc></w:tr>`;
    const caption = `<w:tr><w:tc><w:tcPr><w:gridSpan w:val="3"/></w:tcPr>${p('Ausbildung')}</w:tc></w:tr>`;
    const table = await parse(
      `<w:tbl>${caption}${heads}${tr('2015', 'Ulm', '1,3')}${tr('2012', 'Kiel', '2,0')}</w:tbl>`,
    );
    expect(table.units[1]).toMatchObject({
      kind: 'row',
      cells: [
        { head: 'Jahr', text: '2015' },
        { head: 'Ort', text: 'Ulm' },
        { head: 'Note', text: '1,3' },
      ],
    });
  });

  it('reads a table with a list in a cell as one, the items of the list apart', async () => {
    const item = (text: string) => p(text, inList(2, 0));
    const cell = `<w:tc>${item('Laden.')}${item('Prüfen.')}${p('Danach')}${p('ruht')}${p('das')}${p('Gerät.')}</w:tc>`;
    const row = `<w:tr><w:tc>${p('Ablauf')}</w:tc>${cell}</w:tr>`;
    const { units } = await parse(
      `<w:tbl>${tr('Fall', 'Neuer Akku')}${row}${tr('Ergebnis', 'Voll')}</w:tbl>`,
    );
    expect(units.map((unit) => (unit.kind === 'row' ? unit.cells.map(({ text }) => text) : unit))).toEqual([
      ['Fall', 'Neuer Akku'],
      ['Ablauf', 'Laden. | Prüfen. | Danach ruht das Gerät.'],
      ['Ergebnis', 'Voll'],
    ]);
  });

  it('is named where it is none, empty or nested too deeply', async () => {
    await expect(parse('')).rejects.toThrow('has no text');
    await expect(parse('<w:sdt>'.repeat(10_000))).rejects.toThrow('is nested too deeply');
    await expect(async () => docx.parse(Buffer.from('x'), 'a.docx')).rejects.toThrow('is broken');
    const sheet = officeFile('xl/workbook.xml', { 'xl/workbook.xml': '<workbook/>' });
    await expect(async () => docx.parse(sheet, 'a.docx')).rejects.toThrow('is not a document of Word');
  });

  it('has a table in a cell as the text of the cell, each of its rows apart', async () => {
    const inner = `<w:tbl>${tr('Ulm', '12')}${tr('Kiel', '9')}</w:tbl>`;
    const cell = `<w:tc>${p('Orte:')}${inner}${p('Ende.')}</w:tc>`;
    const heads = `<w:tr>${['Land', 'Ware'].map((text) => `<w:tc>${bold(text)}</w:tc>`).join('')}</w:tr>`;
    const rows = `${heads}<w:tr><w:tc>${p('Nord')}</w:tc>${cell}</w:tr>`;
    const last = tr('Süd', 'Keine weiteren Angaben, denn dort wird nichts verkauft.');
    const { units } = await parse(`<w:tbl>${rows}${last}</w:tbl>`);
    expect(units).toEqual([
      {
        kind: 'row',
        cells: [
          { head: 'Land', text: 'Nord' },
          { head: 'Ware', text: 'Orte: | Ulm; 12 | Kiel; 9 | Ende.' },
        ],
      },
      {
        kind: 'row',
        cells: [
          { head: 'Land', text: 'Süd' },
          {
            head: 'Ware',
            text: 'Keine weiteren Angaben, denn dort wird nichts verkauft.',
          },
        ],
      },
    ]);
  });
});
