import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parse as parseTree } from 'parse5';

import { unitsOfHtml, unitsOfTree } from './html-units.ts';
import { html } from './html.ts';
import { mainContentOf } from './main-content.ts';
import { passagesOf } from './passages.ts';
import type { Document, Unit } from './unit.ts';

const parse = (text: string | Buffer): Document =>
  html.parse(Buffer.from(text as string), 'a.html') as Document;

const LONG =
  'Wer vor dem fünfzehnten Tag des Monats kündigt, hat den Laptop bis zu dessen Ende zurückzugeben.';

const wordsOf = (text: string): string[] => (text.match(/w[0-9a-z]+/gu) ?? []).sort();
const told = (unit: Unit): string =>
  unit.kind === 'row'
    ? unit.cells.map(({ text }) => text).join(' ')
    : unit.kind === 'definition'
      ? `${unit.term} ${unit.text}`
      : unit.text;

const firstText = (bytes: Buffer): unknown => (parse(bytes).units[0] as { text: string }).text;

const rowsOf = (table: string) =>
  unitsOfHtml(table).map((unit) =>
    unit.kind === 'row'
      ? [unit.caption, ...unit.cells.map(({ head, text }) => `${head}: ${text}`)]
      : told(unit),
  );

describe('HTML as units', () => {
  it('reads headings with their anchors, and what only links to them as nothing', () => {
    expect(
      unitsOfHtml(
        '<h1>Über uns<a class="headerlink" href="#x">¶</a></h1><section id="rest"><h2>Rest &amp; <em>mehr</em></h2></section>',
      ),
    ).toEqual([
      { kind: 'heading', level: 1, text: 'Über uns' },
      { kind: 'heading', level: 2, text: 'Rest & mehr', anchor: 'rest' },
    ]);
  });

  it('has no heads in a table that is bold as a whole', () => {
    const rows = [
      ['1.', 'Nummer:'],
      ['2.', 'Stand:'],
    ].map((texts) => `<tr>${texts.map((text) => `<td><b>${text}</b></td>`).join('')}</tr>`);
    const [first] = unitsOfHtml(`<table>${rows.join('')}</table>`);
    expect(first).toEqual({
      kind: 'row',
      cells: [
        { head: '', text: '1.' },
        { head: '', text: 'Nummer:' },
      ],
    });
  });

  it('reads running text as a reader sees it', () => {
    expect(
      unitsOfHtml(
        'Lose.<p>Ein <b>fetter</b> <a href="/x">Link</a>,<br>5&nbsp;m<sup>2</sup>, CO<sub>2</sub>, Donau&shy;dampf<sup><a href="#fn1">1</a></sup><!-- geheim --><script>x()</script>.</p>',
      ),
    ).toEqual([
      { kind: 'paragraph', text: 'Lose.' },
      { kind: 'paragraph', text: 'Ein fetter Link, 5 m², CO2, Donaudampf.' },
    ]);
    expect(unitsOfHtml('<div>Eins.<br><br>Zwei.</div>')).toEqual([
      { kind: 'paragraph', text: 'Eins.' },
      { kind: 'paragraph', text: 'Zwei.' },
    ]);
  });

  it('keeps lists with their markers and depth', () => {
    expect(
      unitsOfHtml(
        '<p>Nötig:</p><ol start="3" type="a"><li><p>eins</p><p>mehr</p><ul><li>innen</ul><li value="7">zwei</ol>',
      ),
    ).toEqual([
      { kind: 'paragraph', text: 'Nötig:' },
      { kind: 'item', depth: 0, marker: 'c.', text: 'eins mehr' },
      { kind: 'item', depth: 1, text: 'innen' },
      { kind: 'item', depth: 0, marker: 'g.', text: 'zwei' },
    ]);
    expect(unitsOfHtml('<ul><li><input type="checkbox" checked> fertig</ul>')).toEqual([
      { kind: 'item', depth: 0, marker: '☑', text: 'fertig' },
    ]);
  });

  it('gives the rows of a table their heads, through cells that span', () => {
    const table = `<table><caption>Sätze</caption><thead><tr><th rowspan=2>Zweig<th colspan=2>Satz</tr><tr><th>2024<th>2025</tr></thead>
      <tr><th>Rente<td>18,6 %<td>18,6 %<tr><td>Pflege<td colspan=2>3,6 %<tr><td>leer<td><td></table>`;
    expect(unitsOfHtml(table)).toEqual([
      { kind: 'paragraph', text: 'Sätze' },
      {
        kind: 'row',
        caption: 'Sätze',
        cells: [
          { head: 'Zweig', text: 'Rente' },
          { head: 'Satz 2024', text: '18,6 %' },
          { head: 'Satz 2025', text: '18,6 %' },
        ],
      },
      {
        kind: 'row',
        caption: 'Sätze',
        cells: [
          { head: 'Zweig', text: 'Pflege' },
          { head: 'Satz 2024', text: '3,6 %' },
        ],
      },
      { kind: 'row', caption: 'Sätze', cells: [{ head: 'Zweig', text: 'leer' }] },
    ]);
    expect(unitsOfHtml('<table><tr><td>Ort<td>Preis<tr><td>Ulm<td>12 €</table>')).toEqual([
      {
        kind: 'row',
        cells: [
          { head: 'Ort', text: 'Ulm' },
          { head: 'Preis', text: '12 €' },
        ],
      },
    ]);
    expect(unitsOfHtml('<table><tr><td><h2>Titel</h2><p>Text.</p><td>Rand</table>')).toEqual([
      { kind: 'heading', level: 2, text: 'Titel' },
      { kind: 'paragraph', text: 'Text.' },
      { kind: 'paragraph', text: 'Rand' },
    ]);
  });

  it('knows a row of heads of which one cell is marked as data, and tells heads of empty columns', () => {
    const table =
      '<table><tr><th>Nr<td>Name<th>Ort<th>Unterschrift<tr><td>1<td>Anna<td>Ulm<td><tr><th>2<td>Bert<td>Bonn<td></table>';
    expect(unitsOfHtml(table)).toEqual([
      { kind: 'row', cells: ['Nr', 'Name', 'Ort', 'Unterschrift'].map((text) => ({ head: '', text })) },
      {
        kind: 'row',
        cells: [
          { head: 'Nr', text: '1' },
          { head: 'Name', text: 'Anna' },
          { head: 'Ort', text: 'Ulm' },
        ],
      },
      {
        kind: 'row',
        cells: [
          { head: 'Nr', text: '2' },
          { head: 'Name', text: 'Bert' },
          { head: 'Ort', text: 'Bonn' },
        ],
      },
    ]);
  });

  it('takes a cell across all columns above the heads for the title of the table, and below them for a row', () => {
    for (const cell of ['td', 'th'])
      expect(
        rowsOf(
          `<table><tr><${cell} colspan=2>Sätze 2024<tr><${cell}>Ort<${cell}>Preis<tr><td>Ulm<td>12 €<tr><td colspan=2>Norden<tr><td>Kiel<td>9 €</table>`,
        ),
      ).toEqual([
        'Sätze 2024',
        ['Sätze 2024', 'Ort: Ulm', 'Preis: 12 €'],
        ['Sätze 2024', ': Norden'],
        ['Sätze 2024', 'Ort: Kiel', 'Preis: 9 €'],
      ]);
    expect(rowsOf('<table><tr><td colspan=2>Norden<tr><td>Kiel<td>9 €<tr><td>Bremen<td>8 €</table>')).toEqual(
      [
        [undefined, ': Norden'],
        [undefined, ': Kiel', ': 9 €'],
        [undefined, ': Bremen', ': 8 €'],
      ],
    );
  });

  it('reads definitions, details, code, remarks, captions and footnotes', () => {
    expect(
      unitsOfHtml(
        `<dl><dt>Frist<dd>Zeit, die bleibt.</dl><details><summary>Wie lange?</summary><p>Drei Tage.</p></details>
        <pre><code class="language-sh"># kein Titel
  x</code></pre><div class="admonition warning"><p class="admonition-title">Achtung</p><p>Erst sichern.</p></div>
        <figure><img src="x"><figcaption>Der Plan</figcaption></figure>
        <section class="footnotes"><ol><li id="fn1">Die Note. <a href="#r">↩</a></ol></section>`,
      ),
    ).toEqual([
      { kind: 'definition', term: 'Frist', text: 'Zeit, die bleibt.' },
      { kind: 'definition', term: 'Wie lange?', text: 'Drei Tage.' },
      { kind: 'code', language: 'sh', text: '# kein Titel\n  x' },
      { kind: 'note', label: 'Achtung', text: 'Erst sichern.' },
      { kind: 'paragraph', text: 'Der Plan' },
      { kind: 'note', label: '1', text: 'Die Note.' },
    ]);
  });

  it('loses no text and tells none twice', () => {
    const word = fc.integer({ min: 0, max: 1e9 }).map((n) => ` w${n.toString(36)} `);
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        word,
        fc
          .tuple(
            fc.constantFrom(
              'p',
              'div',
              'b',
              'a',
              'ul',
              'ol',
              'li',
              'table',
              'tr',
              'td',
              'th',
              'caption',
              'dl',
              'dt',
              'dd',
              'h2',
              'pre',
              'blockquote',
              'details',
              'summary',
              'section',
              'sub',
            ),
            fc.array(tie('tree'), { maxLength: 4 }),
          )
          .map(([tag, inside]) => `<${tag}>${inside.join(' ')}</${tag}>`),
      ),
    }));
    fc.assert(
      fc.property(tree, (written) => {
        const units = unitsOfHtml(written);
        // Heads are repeated with each cell below them; a table that has only heads becomes a row.
        const heads = units.flatMap((unit) =>
          unit.kind === 'row' ? unit.cells.map(({ head }) => head) : [],
        );
        const termsAndTexts = new Set(wordsOf([...units.map(told), ...heads].join(' ')));
        expect([...termsAndTexts].sort()).toEqual(
          [...new Set(wordsOf(written.replaceAll(/<[^>]*>/gu, ' ')))].sort(),
        );
        expect(wordsOf(units.map(told).join(' ')).length).toBeLessThanOrEqual(
          wordsOf(written.replaceAll(/<[^>]*>/gu, ' ')).length + units.length * 4,
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe('a page', () => {
  it('counts what stands around its content and leaves it out', () => {
    const { units, leftOut } = parse(`<body><header><a href=/>Firma</a></header><nav><a href=/a>A</a></nav>
      <div class="cookie-banner">Wir verwenden Cookies.</div><div hidden>Versteckt</div>
      <main><div class="breadcrumbs">Start / Hilfe</div><h1>Rückgabe</h1><p>${LONG}</p><p>${LONG}</p>
      <section id="comments"><h2>Comments</h2><p>${LONG}</p></section>
      <ul><li><a href=/1>Eins</a><li><a href=/2>Zwei</a></ul></main><aside>Rand</aside><footer>© Firma</footer>`);
    expect(units.map((unit) => (unit.kind === 'row' ? '' : unit.text))).toEqual([
      'Rückgabe',
      LONG,
      LONG,
      'Comments',
      LONG,
    ]);
    expect(leftOut).toEqual({ header: 1, navigation: 3, banner: 1, hidden: 1, aside: 1, footer: 1 });
  });

  it('keeps one of several wordings that are all hidden until a script shows one', () => {
    const wordings = '<span hidden id="MAC1">Einstellungen</span><span hidden id="default1">Optionen</span>';
    const { units, leftOut } = parse(`<p>Wählen Sie <span>${wordings}</span> und dann Laden. ${LONG}</p>`);
    expect(units).toEqual([{ kind: 'paragraph', text: `Wählen Sie Optionen und dann Laden. ${LONG}` }]);
    expect(leftOut).toEqual({ hidden: 1 });
  });

  it('heads no row by a cell across all columns, which names a group of rows', () => {
    const rows = [
      '<td colspan="3"><strong>Arguments</strong></td>',
      `<td></td><td>PATH</td><td>${LONG}</td>`,
      '<td colspan="3"><strong>Options</strong></td>',
      `<td></td><td>--list</td><td>${LONG}</td>`,
    ];
    const { units } = parse(`<table>${rows.map((cells) => `<tr>${cells}</tr>`).join('')}</table>`);
    expect(units).toEqual([
      { kind: 'row', cells: [{ head: '', text: 'Arguments' }] },
      { kind: 'row', cells: ['PATH', LONG].map((text) => ({ head: '', text })) },
      { kind: 'row', cells: [{ head: '', text: 'Options' }] },
      { kind: 'row', cells: ['--list', LONG].map((text) => ({ head: '', text })) },
    ]);
  });

  it('keeps sections that stand beside each other, though one of them holds nearly all', () => {
    const text = `<div class="text"><p>${LONG}</p></div>`;
    const { units, leftOut } =
      parse(`<div id="content"><div class="sect1"><h2>Name</h2><div><p>var</p></div></div>
      <div class="sect1"><h2>Werte</h2><div><div class="dlist"><dl><dt>A<dd>${LONG.repeat(5)}</dl></div></div></div>
      <div class="sect1" id="recommended-storage-settings"><h2>Siehe auch</h2>${text}</div></div><p><a href=/>Stand: heute</a></p>`);
    expect(units.map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'heading',
      'definition',
      'heading',
      'paragraph',
    ]);
    expect(leftOut).toEqual({ outside: 1 });
  });

  it('has each text in one passage, or among what was left out', () => {
    const sentence = fc.integer({ min: 1, max: 12 }).map((words) => 'w '.repeat(words));
    const heading = sentence.map((text) => `<h2>${text}</h2>`);
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        sentence,
        fc
          .tuple(
            fc.constantFrom(
              'div',
              'section',
              'article',
              'main',
              'p',
              'ul',
              'li',
              'dl',
              'dd',
              'a',
              'pre',
              'nav',
            ),
            fc.constantFrom('', 'nav', 'footer', 'related', 'sect1', 'row', 'comments', 'hidden'),
            fc.constantFrom('', ' href="/x"', ' hidden'),
            fc.array(fc.oneof(tie('tree'), heading), { maxLength: 5 }),
          )
          .map(([tag, name, more, inside]) => `<${tag} class="${name}"${more}>${inside.join('')}</${tag}>`),
      ),
    }));
    fc.assert(
      fc.property(fc.array(tree, { minLength: 1, maxLength: 6 }), (parts) => {
        const words: string[] = [];
        const number = (): string => words[words.push(`w${words.length}`) - 1]!;
        const written = parts.join('').replaceAll(/\bw\b/gu, number);
        const { root, leftOut } = mainContentOf(parseTree(written));
        const units = unitsOfTree(root);
        // A heading with nothing below it is among the texts.
        const headings = units
          .filter(({ kind }, i) => kind === 'heading' && (units[i + 1]?.kind ?? kind) !== 'heading')
          .map(told);
        const texts = passagesOf({ units }, 'a.html').flatMap(({ text, units: spans }) =>
          spans.filter(({ kind }) => kind !== 'heading').map(({ start, end }) => text.slice(start, end)),
        );
        const out = leftOut.map(({ text }) => text);
        expect(wordsOf([...texts, ...headings, ...out].join(' '))).toEqual(words.sort());
      }),
      { numRuns: 500 },
    );
  });

  it('leaves out the notice of copyright at its end and the question whether it helped, but no sentence', () => {
    const { units, leftOut } = parse(
      `<p>Copyright 2024 is on each page.</p><p>${LONG}</p><p>Was this page helpful? Yes No</p><h3>Legal</h3><p>© 2018-2022 Firma. All rights reserved.<br>Nothing may be copied.</p>`,
    );
    expect(units.map(told)).toEqual(['Copyright 2024 is on each page.', LONG]);
    expect(leftOut).toEqual({ footer: 3 });
  });

  it('leaves out a heading with what stood below it, but not one that had nothing below it', () => {
    const links = '<ul><li><a href=/1>Eins</a><li><a href=/2>Zwei</a></ul>';
    const { units, leftOut } = parse(
      `<h1>Rückgabe</h1><p>${LONG}</p><h2>Siehe auch</h2>${links}<h2>Pause</h2><h2>Fristen</h2><p>${LONG}</p>${links}`,
    );
    expect(units.map(told)).toEqual(['Rückgabe', LONG, 'Pause', 'Fristen', LONG]);
    expect(leftOut).toEqual({ navigation: 3 });
  });

  it('keeps a part whose name says where it stands, and not that it is a menu', () => {
    const { units, leftOut } = parse(
      `<div class="container top-padding-cause-nav"><h1>Förderverein</h1><p>Er fördert die Feuerwehr.</p></div><div class="main-nav"><a href="/a">Start</a> <a href="/b">Kontakt</a></div><h2>Beitrag</h2><p>${LONG}</p><p>${LONG}</p>`,
    );
    expect(units.map(told)).toEqual(['Förderverein', 'Er fördert die Feuerwehr.', 'Beitrag', LONG, LONG]);
    expect(leftOut).toEqual({ navigation: 1 });
  });

  it('keeps a page that consists of links, and names that say what a section is about', () => {
    const links = '<ul><li><a href=/1>Urlaub beantragen</a><li><a href=/2>Reisekosten</a></ul>';
    expect(parse(`<h1>Inhalt</h1>${links}`).units).toHaveLength(3);
    expect(
      parse(`<h1>Stufen</h1><p>${LONG}</p><div id="promotion"><h2>Promotion</h2><p>${LONG}</p></div>`).units,
    ).toHaveLength(4);
    expect(parse(`<p>${LONG}<pre><span class="comment"># so</span></pre>`).units[1]).toEqual({
      kind: 'code',
      text: '# so',
    });
  });

  it('keeps addresses that are written out, and sentences that only begin like a reference', () => {
    const address = 'https://example.org/scripts/authenticator.py';
    const list = `<ol><li>curl -O <a href="${address}">${address}</a><li>wget <a href="${address}">${address}</a></ol>`;
    expect(parse(`<h1>A</h1><p>${LONG}</p>${list}`).units).toHaveLength(4);
    expect(
      parse(`<h1>A</h1><p>${LONG}</p><p>Read more at the page of the project.</p>`).units.at(-1),
    ).toEqual({ kind: 'paragraph', text: 'Read more at the page of the project.' });
    expect(parse(`<h1>A</h1><p>${LONG}</p><p>Read more: <a href=/b>Reisen</a></p>`).units).toHaveLength(2);
  });

  it('says its title, date, language and address', () => {
    expect(
      parse(`<html lang="de-AT"><head><title>Hilfe | Firma</title><link rel="canonical" href="https://example.org/hilfe">
      <meta property="article:published_time" content="2023-01-05"><meta property="article:modified_time" content="2024-03-05T10:00:00Z"></head>
      <p>${LONG}`),
    ).toMatchObject({
      title: 'Hilfe | Firma',
      stand: '2024-03',
      lang: 'de',
      url: 'https://example.org/hilfe',
    });
    expect(parse(`<title>Hilfe | Firma</title><h1>Hilfe</h1><p>${LONG}`).title).toBe('Hilfe');
  });

  it('is read in its encoding', () => {
    expect(firstText(Buffer.from('<p>Größe €'))).toBe('Größe €');
    expect(firstText(Buffer.from('<meta charset="iso-8859-1"><p>Größe', 'latin1'))).toBe('Größe');
    expect(firstText(Buffer.from('<p>Größe', 'latin1'))).toBe('Größe');
    expect(firstText(Buffer.from('\uFEFF<p>Größe', 'utf16le'))).toBe('Größe');
    expect(firstText(Buffer.from([...Buffer.from('<meta charset="iso-8859-2"><p>'), 0xb9]))).toBe('š');
  });

  it('is named where it has no text, and does not overflow where it is deep', () => {
    expect(() => parse('<nav>Menü</nav>')).toThrow('has no text');
    expect(() => parse(Buffer.from([0, 1, 2, 0, 255]))).toThrow('is not text');
    const deep = parse(`${'<div>'.repeat(10_000)}<p>${LONG}</p><table>${'<table><tr><td>'.repeat(5_000)}x`);
    expect(JSON.stringify(deep.units)).toContain(LONG);
    expect(JSON.stringify(parse(`${'<ul><li>'.repeat(10_000)}x`).units)).toContain('x');
  });

  it('is all of a saved mail, which has no links around its text', () => {
    const long = 'Ab Mai gilt der neue Plan für alle Abteilungen, der im Lager und im Büro aushängt. '.repeat(
      4,
    );
    const { units, leftOut } = parse(
      `<html><body><div><p>Liebe Anna,</p></div><div><div><p>${long}</p><p>${long}</p></div></div><div>Raum: 4.12</div></body></html>`,
    );
    expect(units.map((unit) => unit.kind === 'paragraph' && unit.text.slice(0, 11))).toEqual([
      'Liebe Anna,',
      'Ab Mai gilt',
      'Ab Mai gilt',
      'Raum: 4.12',
    ]);
    expect(leftOut).toBeUndefined();
  });
});
