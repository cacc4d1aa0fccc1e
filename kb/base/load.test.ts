import { mkdir, mkdtemp, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

import { formatFault, KnowledgeBaseInvalid } from './faults.ts';
import {
  countLeftOut,
  loadKnowledgeBase,
  parseBase,
  parseKnowledgeBase,
  tellFiles,
  whyLeftOut,
  type KnowledgeBase,
} from './load.ts';

const HEAD = 'id: A-1\ntitle: "Titel"\nsection: "Abschnitt"\nstand: "2021-03"\nwork: "Werk"';

function passage(head = HEAD, text = 'Der Urlaub beträgt 24 Werktage.'): string {
  return `---\n${head}\n---\n\n${text}\n`;
}

function parse(files: Record<string, string | Buffer>): KnowledgeBase {
  return parseKnowledgeBase({
    files: Object.entries(files).map(([path, content]) => ({
      path,
      bytes: Buffer.from(content),
      changed: '2024-01',
    })),
    unread: [],
    others: new Map(),
  });
}

function faultsOf(files: Record<string, string | Buffer>): string[] {
  try {
    return parse(files).files.leftOut.map(formatFault);
  } catch (error) {
    if (error instanceof KnowledgeBaseInvalid) return error.faults.map(formatFault);
    throw error;
  }
}

function yearOf(id: string, title: string): number | null | undefined {
  return parse({ 'a.md': passage(HEAD.replace('A-1', id).replace('Titel', title)) }).sources[0]?.year;
}

const yearsIn = (files: Record<string, string>) => parse(files).sources.map(({ year }) => year);

function ofYear(year: number): string {
  return passage(HEAD.replace('A-1', `SVBezGrV${year}-1`));
}

describe('a base without faults', () => {
  test('gives its sources, sorted by id', () => {
    const { sources, warnings } = parse({ 'b.md': passage(HEAD.replace('A-1', 'B-1')), 'a.md': passage() });
    expect(sources.map(({ id }) => id)).toEqual(['A-1', 'B-1']);
    expect(sources[0]).toEqual({
      id: 'A-1',
      title: 'Titel',
      section: 'Abschnitt',
      stand: '2021-03',
      work: 'Werk',
      lang: 'de',
      year: null,
      text: 'Der Urlaub beträgt 24 Werktage.',
    });
    expect(warnings).toEqual([]);
  });

  test.each([
    ['stated', `${HEAD}\nlang: en`, 'Der Urlaub', 'en'],
    ['of its words', HEAD, 'The leave is four weeks and it is paid by the employer.', 'en'],
    ['by default', HEAD, '12345', 'de'],
  ])('the language is the one %s', (_, head, text, lang) => {
    expect(parse({ 'a.md': passage(head, text) }).sources[0]?.lang).toBe(lang);
  });

  test('YAML as people write it: unquoted dates, folded titles, single quotes, CRLF, a byte-order mark', () => {
    const head =
      'id: \'A-1\'\ntitle: >-\n  Ein langer\n  Titel\nsection: \'\'\nstand: 2021-03\nwork: "W \\"1\\""';
    const { sources } = parse({ 'a.md': `\uFEFF${passage(head).replaceAll('\n', '\r\n')}` });
    expect(sources[0]).toMatchObject({
      id: 'A-1',
      title: 'Ein langer Titel',
      section: '',
      stand: '2021-03',
      work: 'W "1"',
    });
  });

  test('control characters and halves of surrogates become spaces, with a warning', () => {
    const { sources, warnings } = parse({
      'a.md': passage(HEAD.replace('Titel', 'Ti\\ud800tel'), 'erste Zeile\nein\u0007Wort\u0096hier'),
    });
    expect(sources[0]).toMatchObject({ title: 'Ti tel', text: 'erste Zeile\nein Wort hier' });
    expect(warnings.map(formatFault)).toEqual([
      'a.md:3: control characters were replaced by spaces',
      'a.md:10: control characters were replaced by spaces',
    ]);
  });

  test('a passage in Windows-1252 keeps its id and its section, with a warning', () => {
    const latin = Buffer.from(passage(HEAD.replace('Titel', 'Säumnis'), 'Der Zuschlag für März.'), 'latin1');
    const { sources, warnings, files } = parse({ 'a.md': latin });
    expect(sources[0]).toMatchObject({
      id: 'A-1',
      title: 'Säumnis',
      section: 'Abschnitt',
      text: 'Der Zuschlag für März.',
    });
    expect(files.leftOut).toEqual([]);
    expect(warnings.map(formatFault)).toEqual([
      'a.md:3: is not valid UTF-8: it is read in the code page that its signs speak for',
    ]);
  });

  test('a document in Windows-1252 is read with the same warning, and one that is UTF-8 without', async () => {
    const files = [
      ['a.md', Buffer.from('# Zuschläge\n\nDer Zuschlag für März.', 'latin1')],
      ['b.txt', Buffer.from('Der Zuschlag\n\nfür März.', 'latin1')],
      ['c.csv', Buffer.from('Monat;Höhe\nMärz;12', 'latin1')],
      ['d.txt', Buffer.from('Der Zuschlag für April.')],
      // Encodings of western text that a page names itself are no guess.
      ['e.html', Buffer.from('<meta charset="windows-1252"><p>Der Zuschlag für Mai.', 'latin1')],
    ] as const;
    const found = {
      files: files.map(([path, bytes]) => ({ path, bytes, changed: '2024-01' })),
      unread: [],
      others: new Map(),
    };
    const { sources, warnings } = await parseBase(found, { cacheDir: null });
    expect(sources.map(({ path }) => path)).toEqual(['a.md', 'b.txt', 'c.csv', 'd.txt', 'e.html']);
    const guessed = 'is not valid UTF-8: it is read in the code page that its signs speak for';
    expect(warnings.map(formatFault)).toEqual([
      `a.md:1: ${guessed}`,
      `b.txt:3: ${guessed}`,
      `c.csv:1: ${guessed}`,
    ]);
  });

  test('fields that nobody knows are ignored, whatever they hold, with one note for all', () => {
    const more = 'tags: [a, b]\naliases:\n  - x\ndraft: false\nmenu:\n  main: {weight: 1}\ncategories: []';
    const { sources, warnings, files } = parse({
      'a.md': passage(`${HEAD}\n${more}`),
      'b.md': passage(`${HEAD.replace('A-1', 'B-1')}\ndate: 2021-01-01T00:00:00Z\ntags:\n- a`),
    });
    expect(sources.map(({ id }) => id)).toEqual(['A-1', 'B-1']);
    expect(files.leftOut).toEqual([]);
    expect(warnings.map(formatFault)).toEqual([
      expect.stringMatching(
        /^a\.md:\d+: fields that are not known are ignored: (?=.*tags)(?=.*menu)(?=.*date)[a-z, ]+ \(in 2 files\)$/u,
      ),
    ]);
  });

  test.each([
    ['title', 'title: "Titel"', 'title: Urlaub: wie viel?', 'Urlaub: wie viel?'],
    ['title', 'title: "Titel"', 'title: [Ost] Bezugsgröße', '[Ost] Bezugsgröße'],
    ['title', 'title: "Titel"', 'title: @ Arbeit: "heute"', '@ Arbeit: "heute"'],
    ['section', 'section: "Abschnitt"', 'section: § 7: Abs. 3', '§ 7: Abs. 3'],
  ])('a text is read as a person means it: %s', (name, quoted, written, text) => {
    const { sources, warnings } = parse({ 'a.md': passage(HEAD.replace(quoted, written)) });
    expect(sources[0]).toMatchObject({ [name]: text, stand: '2021-03', work: 'Werk' });
    expect(warnings).toEqual([]);
  });

  test('lines of how people ask may have a colon', () => {
    const { sources } = parse({ 'a.md': passage(`${HEAD}\nasked:\n  - Urlaub: wie viel\n  - wann`) });
    expect(sources[0]?.asked).toEqual(['Urlaub: wie viel', 'wann']);
  });

  test('what is no YAML at all is one fault, which says what to do', () => {
    const files = { 'a.md': passage(HEAD.replace('"Titel"', '"Titel" und mehr')), 'b.md': passage() };
    expect(faultsOf(files)).toEqual([
      expect.stringMatching(/^a\.md:3: front matter: .+ needs quotation marks$/u),
    ]);
  });

  test('the address of the original is kept where it is one of the web', () => {
    const url = 'https://example.org/urlaub?a=1#b';
    expect(parse({ 'a.md': passage(`${HEAD}\nurl: ${url}`) }).sources[0]?.url).toBe(url);
    for (const other of ['javascript:alert(1)', '/posts/a', 'ftp://x.org', 'https://']) {
      const { sources, warnings } = parse({ 'a.md': passage(`${HEAD}\nurl: "${other}"`) });
      expect(sources[0]).not.toHaveProperty('url');
      expect(warnings.map(formatFault)).toEqual([
        'a.md:7: url is not shown: it must begin with http:// or https://',
      ]);
    }
  });
});

describe.each(['asked', 'unanswered'])('lines of %s', (name) => {
  test.each([
    ['plain lines', '\n  - Wie viel Urlaub habe ich?\n  - "Urlaub: wie viel"'],
    ['YAML of other shapes', ' [Wie viel Urlaub habe ich?, "Urlaub: wie viel"]'],
    ['lines with comments', '\n  - Wie viel Urlaub habe ich? # oft\n  - "Urlaub: wie viel"'],
  ])('are kept as they stand: %s', (_, lines) => {
    const { sources, warnings } = parse({ 'a.md': passage(`${HEAD}\n${name}:${lines}\nlang: de`) });
    expect(sources[0]).toMatchObject({
      [name]: ['Wie viel Urlaub habe ich?', 'Urlaub: wie viel'],
      lang: 'de',
      text: 'Der Urlaub beträgt 24 Werktage.',
    });
    expect(warnings).toEqual([]);
  });

  test('are a list of up to 100 texts of up to 200 characters', () => {
    const lines = (...items: string[]): string =>
      passage(`${HEAD}\n${name}:${items.map((item) => `\n  - ${item}`).join('')}`);
    const files = {
      'empty.md': lines('Urlaub', '""'),
      'full.md': lines(...Array.from({ length: 100 }, (_, number) => `Frage ${number}`)),
      'long.md': lines('x'.repeat(200), 'x'.repeat(201)),
      'many.md': lines(...Array.from({ length: 101 }, (_, number) => `Frage ${number}`)),
      'text.md': passage(`${HEAD}\n${name}: Urlaub`),
      'title.md': passage(HEAD.replace('"Titel"', '\n  - Titel')),
    };
    expect(faultsOf(files)).toEqual([
      `empty.md:9: ${name} has an empty line`,
      `long.md:9: ${name} has a line of more than 200 characters`,
      `many.md:8: ${name} has more than 100 lines`,
      `text.md:7: ${name} must be a list of texts`,
      'title.md:1: title is missing',
      'title.md:4: title must be one piece of text',
    ]);
  });
});

describe('faults', () => {
  test('all of them are named, with file and line', () => {
    expect(
      faultsOf({
        'empty.md': passage(HEAD, '   '),
        'id.md': passage(HEAD.replace('A-1', '-x y')),
        'lang.md': passage(`${HEAD}\nlang: fr`),
        'missing.md': passage('id: M-1\ntitle: "T"'),
        'only.md': passage(`${HEAD}\nonly_for: answers`),
        'plain.md': 'no front matter here',
        'stand.md': passage(HEAD.replace('2021-03', '2021-13')),
        'twice.md': passage(`${HEAD}\nid: A-2`),
      }),
    ).toEqual([
      'empty.md:8: has no text',
      'id.md:2: id must be 1 to 64 characters of A-Z a-z 0-9 . _ - and start with a letter or digit',
      'lang.md:7: lang must be de or en',
      'missing.md:1: section is missing',
      'missing.md:1: stand is missing',
      'missing.md:1: work is missing',
      'only.md:7: only_for must be reviews, or left out',
      'plain.md:1: has no front matter (--- lines around id, title, section, stand, work)',
      'stand.md:5: stand must be a year and month, YYYY-MM',
      'twice.md:7: front matter: Map keys must be unique; a text that has signs of YAML needs quotation marks',
    ]);
  });

  test('an id twice', () => {
    expect(faultsOf({ 'a.md': passage(), 'b.md': passage() })).toEqual(['b.md:2: id A-1 is also in a.md']);
  });

  test('bytes that are no UTF-8, by their line', () => {
    const bytes = Buffer.concat([Buffer.from('# ok\n'), Buffer.from([0x61, 0xff, 0x0a])]);
    expect(faultsOf({ 'a.md': passage(), 'synonyms.txt': bytes })).toEqual([
      'synonyms.txt:2: is not valid UTF-8',
    ]);
  });

  test('synonyms that are none', () => {
    const files = {
      'a.md': passage(),
      'synonyms.txt': '# ok\nKur | Reha => Vorsorge\nohne Pfeil\nleer | => x\n',
    };
    expect(faultsOf(files)).toEqual([
      'synonyms.txt:3: must contain exactly one =>',
      'synonyms.txt:4: has an empty term',
    ]);
  });

  test('a base without any passage', () => {
    expect(faultsOf({})).toEqual(['the folder of the knowledge base has no document that can be read']);
  });
});

const fault = (file: string, message: string, line = 0) => ({ file, line, message });

describe('what is told of the files', () => {
  test('is their number where all are read', () => {
    expect(tellFiles({ read: 3, leftOut: [] })).toBe('3 files');
    expect(tellFiles({ read: 1, leftOut: [] })).toBe('1 file');
  });

  test('is how many are left out and why, each file once, and no name', () => {
    const files = {
      read: 312,
      leftOut: [
        fault('a.doc', 'is an old Word file: save it as .docx'),
        fault('b.pdf', 'is encrypted'),
        fault('c.pdf', 'is encrypted'),
        fault('d.md', 'id A-1 is also in secret.md', 2),
        fault('d.md', 'stand is missing', 1),
        fault('review-rules.yaml', 'rests on a source that was left out', 9),
      ],
    };
    expect(tellFiles(files)).toBe(
      '312 of 316 files, 4 left out: is encrypted (2); has faults in it (1); is an old Word file: save it as .docx (1)',
    );
    expect(whyLeftOut(files)[0]).toEqual({ reason: 'is encrypted', files: 2 });
  });
});

describe('years', () => {
  test.each([
    ['BBG-2021', 'Titel', 2021],
    ['A-1', 'Beitragsbemessungsgrenze 2020', 2020],
    ['A-1', '§ 1 SVBezGrV 2019: Bezugsgröße', 2019],
    ['A-1', 'Werte für das Jahr 2018 im Überblick', 2018],
    ['A-1', '1973 oil crisis', null],
    ['MuSchG2018-17', '§ 17 MuSchG: Kündigungsverbot', null],
  ])('%s, %s: %s', (id, title, year) => {
    expect(yearOf(id, title)).toBe(year);
  });

  test.each([
    ['BGB-1922', '§ 1922 BGB: Gesamtrechtsnachfolge', null],
    ['BGB-1896-1908', '§§ 1896 bis 1908 BGB', null],
    ['SVBezGrV-2021', '§ 1 SVBezGrV 2021: Bezugsgröße', 2021],
  ])('the number of a § is none: %s', (id, title, year) => {
    expect(yearOf(id, title)).toBe(year);
  });

  test('what is no law is of no year', () => {
    const file = passage(HEAD.replace('A-1', 'BBG-2021'));
    expect(yearsIn({ 'a.md': file })).toEqual([2021]);
    expect(yearsIn({ 'a.md': file, 'base.yaml': 'title: T\nlaw: false\n' })).toEqual([null]);
    expect(yearsIn({ 'a.md': file, 'base.yaml': 'title: T\n' })).toEqual([2021]);
    const ferien = { path: 'b.md', bytes: Buffer.from(''), changed: '2024-01' };
    const document = {
      units: [
        { kind: 'heading', level: 1, text: 'Ferien 2021' },
        { kind: 'paragraph', text: 'Das Büro ist zu.' },
      ],
    } as const;
    const found = { files: [ferien], unread: [], others: new Map() };
    const { sources } = parseKnowledgeBase(found, [{ path: 'b.md', document }]);
    expect(sources.map(({ title, year }) => [title, year])).toEqual([['Ferien 2021', null]]);
  });

  test('a year grown onto an abbreviation counts where the base holds the same § for another year', () => {
    const { sources } = parse({ 'a.md': ofYear(2021), 'b.md': ofYear(2022) });
    expect(sources.map(({ year }) => year)).toEqual([2021, 2022]);
  });
});

describe('a folder', () => {
  const made: string[] = [];
  afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true }))));

  test('is read whole, apart from hidden files and those of documents that are open', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'beleg-kb-'));
    made.push(folder);
    const files = {
      'README.md': 'Read me.',
      '.git/x.md': 'x',
      '~$Plan.docx': 'x',
      'deep/er/a.md': passage(),
      'notes.txt': 'x',
      'synonyms.txt': 'a => b',
    };
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    const { sources, synonyms, files: read } = await loadKnowledgeBase(folder);
    expect(sources.map(({ id }) => id)).toEqual(['A-1', 'notes', 'readme']);
    expect(read.leftOut).toEqual([]);
    expect(synonyms).toEqual([{ from: ['a'], to: ['b'], line: 1 }]);
  });

  test('of which something cannot be read is loaded without it, and each is named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'beleg-kb-'));
    made.push(folder);
    const base = join(folder, 'base');
    await mkdir(join(base, 'deep'), { recursive: true });
    await writeFile(join(folder, 'outside.md'), passage(HEAD.replace('A-1', 'O-1')));
    await writeFile(join(base, 'a.md'), passage());
    await writeFile(join(base, 'broken.md'), Buffer.from([0x2d, 0x00]));
    await writeFile(join(base, 'head.md'), 'Ohne Kopf ist es ein Dokument.');
    await writeFile(join(base, 'mark.md'), `\uFEFF${passage(HEAD.replace('A-1', 'B-1'))}`);
    await writeFile(join(base, 'wide.md'), `\uFEFF${passage(HEAD.replace('A-1', 'W-1'))}`, 'utf16le');
    await writeFile(join(base, 'large.md'), '');
    await truncate(join(base, 'large.md'), 3 * 1024 ** 3);
    await symlink('nowhere', join(base, 'dangling.md'));
    await symlink('loop.md', join(base, 'loop.md'));
    await symlink('../../outside.md', join(base, 'deep', 'out.md'));
    await symlink('a.md', join(base, 'again.md'));
    const { sources, files } = await loadKnowledgeBase(base);
    expect(sources.map(({ id }) => id)).toEqual(['A-1', 'B-1', 'W-1', 'head']);
    expect(files.leftOut.map(formatFault)).toEqual([
      'again.md:2: id A-1 is also in a.md',
      'broken.md: is not text',
      'dangling.md: is a link to nothing',
      'deep/out.md: is a link out of the knowledge base and is not followed',
      'large.md: is larger than 32 MiB',
      'loop.md: is a link that leads back to itself',
    ]);
    expect({ read: files.read, leftOut: countLeftOut(files) }).toEqual({ read: 4, leftOut: 6 });
  });

  test('names a file and a folder whose names are not in UTF-8, and reads one that has the sign of such a name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'beleg-kb-'));
    made.push(folder);
    const latin = (name: string): Buffer => Buffer.from(`${folder}/${name}`, 'latin1');
    await writeFile(latin('Größe.md'), 'Größe S');
    await mkdir(latin('Pläne'));
    await writeFile(join(folder, 'Gr\uFFFD\uFFFDe.txt'), 'Größe M');
    const { sources, files } = await loadKnowledgeBase(folder);
    expect(sources.map(({ text }) => text)).toEqual(['Größe M']);
    const why = 'has a name that is not in UTF-8, under which it cannot be opened: rename it';
    expect(files.leftOut.map(formatFault)).toEqual([`Gr\uFFFD\uFFFDe.md: ${why}`, `Pl\uFFFDne: ${why}`]);
  });

  test('takes the month in which a file came for one whose time is the beginning of a clock', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'beleg-kb-'));
    made.push(folder);
    for (const [name, seconds] of [
      ['a.md', 0],
      ['b.md', Date.UTC(1980, 0) / 1000],
      ['c.md', Date.UTC(2019, 4) / 1000],
    ] as const) {
      await writeFile(join(folder, name), 'Ein Satz.');
      await utimes(join(folder, name), seconds, seconds);
    }
    const { sources } = await loadKnowledgeBase(folder);
    const now = new Date().getUTCFullYear();
    expect(sources.map(({ stand }) => Number(stand.slice(0, 4)))).toEqual([now, now, 2019]);
  });

  test.each(['base.yaml', 'synonyms.txt', 'review.yaml', 'review-rules.yaml'])(
    'whose %s cannot be read cannot be used',
    async (name) => {
      const folder = await mkdtemp(join(tmpdir(), 'beleg-kb-'));
      made.push(folder);
      await writeFile(join(folder, 'a.md'), passage());
      await symlink('nowhere', join(folder, name));
      await expect(loadKnowledgeBase(folder)).rejects.toMatchObject({
        faults: [{ file: name, line: 0, message: 'is a link to nothing' }],
      });
      await rm(join(folder, name));
      await mkdir(join(folder, name));
      await expect(loadKnowledgeBase(folder)).rejects.toMatchObject({
        faults: [{ file: name, line: 0, message: 'is a folder, where a file belongs' }],
      });
    },
  );

  test('that is not there is a fault', async () => {
    await expect(loadKnowledgeBase(join(tmpdir(), 'beleg-no-such-folder'))).rejects.toMatchObject({
      name: 'KnowledgeBaseInvalid',
      faults: [
        {
          file: '.',
          line: 0,
          message: `the folder ${join(tmpdir(), 'beleg-no-such-folder')} cannot be read (ENOENT)`,
        },
      ],
    });
  });
});
