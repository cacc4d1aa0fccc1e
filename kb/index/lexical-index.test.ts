import { describe, expect, test } from 'vitest';

import type { Source } from '../source.ts';
import { buildIndex } from './build.ts';
import { LexicalIndex } from './lexical-index.ts';

function source(id: string, title: string, text: string, more: Partial<Source> = {}): Source {
  return {
    id,
    title,
    text,
    section: '',
    stand: '2022-01',
    work: id.split('-')[0]!,
    lang: 'de',
    year: null,
    ...more,
  };
}

const SOURCES = [
  source(
    'EFZ-1',
    'Entgeltfortzahlung',
    'Der Arbeitgeber zahlt das Entgelt im Krankheitsfall sechs Wochen weiter.',
  ),
  source('URL-1', 'Dauer des Urlaubs', 'Der Urlaub beträgt jährlich mindestens 24 Werktage.'),
  source(
    'KSCH-1',
    'Kündigungsschutz',
    'Die Kündigung ist unwirksam, wenn sie sozial ungerechtfertigt ist.\n\n(2) Verhältnisse sind zu würdigen.',
  ),
  source('BBG-2020', 'Bemessungsgrenze 2020', 'Die Beitragsbemessungsgrenze beträgt 82.800 Euro.', {
    year: 2020,
  }),
  source('BBG-2021', 'Bemessungsgrenze 2021', 'Die Beitragsbemessungsgrenze beträgt 85.200 Euro.', {
    year: 2021,
  }),
  source('BBG-2022', 'Bemessungsgrenze 2022', 'Die Beitragsbemessungsgrenze beträgt 84.600 Euro.', {
    year: 2022,
  }),
];
const SYNONYMS = [{ from: ['freie Tage', 'Ferien'], to: ['Urlaub'], line: 1 }];
const index = new LexicalIndex(buildIndex(SOURCES, SYNONYMS));
const fillers = (count: number, length: number): Source[] =>
  Array.from({ length: count }, (_, i) => source(`X-${i}`, 'Xylo', 'Xylo '.repeat(length)));
const ids = (question: string, topK = 3): string[] =>
  index.search(question, { topK }).map((hit) => hit.source.id);

test('a verb whose prefix stands apart in a question is found in one word', () => {
  const users = [
    source(
      'RECHT-1',
      'Rechte ändern',
      'Legen Sie fest, wer einen neuen Benutzer sieht, und legen Sie ihm Rechte bei.',
    ),
    source('KONTO-1', 'Konto', 'Einen neuen Benutzer anlegen kann nur der Verwalter.'),
    source('KONTO-2', 'Anderes', 'Der Verwalter legt Wert auf Ruhe.'),
  ];
  const read = new LexicalIndex(buildIndex(users, []));
  const [first] = read.search('Wie lege ich einen neuen Benutzer an?', { topK: 1 });
  expect(first?.source.id).toBe('KONTO-1');
});

const rule = (id: string, title: string, text: string): Source => ({
  ...source(id, title, text),
  path: `${id}.md`,
  units: [{ kind: 'paragraph', start: 0, end: text.length, lead: null }],
});

test('of documents the noun of a verb and of a word of quantity is found', () => {
  const rules = [
    rule('ENDE', 'Ende', 'Der Austritt aus dem Verein geschieht schriftlich.'),
    rule('BUND', 'Bund', 'Der Verein ist in den Bund getreten.'),
    rule('BEITRAG', '§ 1 Höhe der Beiträge', 'Der Beitrag zum Verein beträgt zwölf Euro.'),
    rule('ZAHLUNG', '§ 2 Zahlung der Beiträge', 'Der Beitrag zum Verein wird überwiesen, der Turm ist hoch.'),
  ];
  const read = new LexicalIndex(buildIndex(rules, []));
  const first = (question: string) => read.search(question, { topK: 1 })[0]!.source.id;
  expect(first('Wie trete ich aus dem Verein aus?')).toBe('ENDE');
  expect(first('Wie hoch ist der Beitrag?')).toBe('BEITRAG');
});

describe('search', () => {
  test.each([
    ['Wie lange zahlt der Arbeitgeber im Krankheitsfall?', 'EFZ-1'],
    ['Kündigungen', 'KSCH-1'],
    ['kuendigung', 'KSCH-1'],
    ['KÜNDIGUNG', 'KSCH-1'],
    ['Kündigug', 'KSCH-1'],
    ['Fortzahlung', 'EFZ-1'],
    ['Wie viele freie Tage?', 'URL-1'],
    ['Ferien', 'URL-1'],
  ])('%s → %s', (question, id) => {
    expect(ids(question)[0]).toBe(id);
  });

  test('finds nothing for words that are not there', () => {
    expect(ids('xyzzy')).toEqual([]);
    expect(ids('')).toEqual([]);
    expect(ids('der die das')).toEqual([]);
  });

  test('hands out no more than asked for, best first', () => {
    const hits = index.search('Beitragsbemessungsgrenze Euro', { topK: 2 });
    expect(hits).toHaveLength(2);
    expect(hits[0]!.score).toBeGreaterThanOrEqual(hits[1]!.score);
  });

  test('passages are stretches of their source', () => {
    for (const hit of index.search('Beitragsbemessungsgrenze Urlaub Kündigung', { topK: 10 })) {
      for (const { text, start } of hit.passages)
        expect(hit.source.text.slice(start, start + text.length)).toBe(text);
    }
  });

  test('the same question gives the same hits, also on an index built again', () => {
    const again = new LexicalIndex(buildIndex(SOURCES, SYNONYMS));
    for (const question of ['Urlaub', 'Beitragsbemessungsgrenze', 'Arbeitgeber Kündigung Euro']) {
      expect(again.search(question, { topK: 9 })).toEqual(index.search(question, { topK: 9 }));
    }
  });

  test('a score does not change by others, however many and long, that have nothing of the question', () => {
    const [small, large] = [fillers(600, 3), [...fillers(600, 3), ...fillers(400, 150)]].map((others) => {
      const hits = new LexicalIndex(buildIndex([...SOURCES, ...others])).search(
        'Beitragsbemessungsgrenze der Arbeitgeber',
        { topK: 9 },
      );
      return hits.map(({ source: { id }, score }) => ({ id, score }));
    });
    expect(large).toEqual(small);
  });
});

describe('years', () => {
  test('the newest leads', () => {
    expect(ids('Beitragsbemessungsgrenze')).toEqual(['BBG-2022', 'BBG-2021', 'BBG-2020']);
  });

  test('a year asked for comes first', () => {
    expect(ids('Beitragsbemessungsgrenze 2020')).toEqual(['BBG-2020', 'BBG-2022', 'BBG-2021']);
  });

  test("a year of the asker's story comes first where a rule goes by when something began", () => {
    const pay = [2021, 2022].map((year) =>
      source(
        `PAY-${year}`,
        `Vergütung bei Ausbildungsbeginn ${year}`,
        'Die Vergütung beträgt mindestens so viel.',
        { year },
      ),
    );
    const began = new LexicalIndex(buildIndex([...SOURCES, ...pay], SYNONYMS));
    const first = (question: string) => began.search(question, { topK: 1 })[0]!.source.id;
    expect(first('Vergütung, Lehrling hat 2021 angefangen')).toBe('PAY-2021');
    expect(first('Beitragsbemessungsgrenze, Lehrling hat 2021 angefangen')).toBe('BBG-2022');
  });

  test('what has ended is found by questions of its time alone, also where it is named', () => {
    const ended = source('SOLI-2020', 'Soli bis 2020', 'Der Soli fällt ab 81 Euro an.', { year: 2020 });
    const later = new LexicalIndex(buildIndex([...SOURCES, ended], SYNONYMS), {
      title: 'T',
      language: 'de',
      law: true,
      asOf: '2022-03',
      topics: [],
      questions: [],
    });
    const found = (question: string): boolean =>
      later.search(question, { topK: 9 }).some(({ source: { id } }) => id === 'SOLI-2020');
    expect(['Soli', 'Soli 2021', 'SOLI-2020: was gilt?'].map(found)).toEqual([false, false, true]);
    expect(['Soli 2020', 'Wann fiel 2019 Soli an?'].map(found)).toEqual([true, true]);
  });
});

describe('references', () => {
  test('come first, and say so', () => {
    const [first, second] = index.search('Gilt URL-1 auch bei Kündigung?', { topK: 2 });
    expect(first).toMatchObject({ source: { id: 'URL-1' }, referenced: true });
    expect(second).toMatchObject({ source: { id: 'KSCH-1' }, referenced: false });
  });

  test('are found where no word of theirs is asked for', () => {
    expect(index.search('EFZ-1', { topK: 1 })[0]!.passages).toHaveLength(1);
  });
});

describe('terms', () => {
  test('a noun in lower case is no form of a verb that the base hardly has', () => {
    const base = new LexicalIndex(
      buildIndex([source('M-1', 'Meldung', 'Die Meldung steht in jedem Monat an.')], []),
    );
    expect(base.read('wird das jeden monat gemeldet').words).toMatchObject([
      { term: 'jed' },
      { term: 'monat', parts: [] },
      { term: 'gemeldet', parts: ['meld'] },
    ]);
  });

  test('a mistyped word is read as the known one, and stays where it stands', () => {
    const [mistyped] = index.read('Wie ist der Urlabu?').words;
    expect(mistyped).toMatchObject({ term: 'urlaub', text: 'Urlabu', start: 12, end: 18 });
  });

  test('a word that is mistyped in a line that tells how people ask is read as it is meant, too', () => {
    const more = [1, 2, 3].map((n) => source(`URL-1${n}`, `Urlaub ${n}`, 'Urlaub wird gewährt.'));
    const [first, ...others] = SOURCES;
    const asked = { ...first!, asked: ['krank im urlabu', 'rauswurf'] };
    const lined = new LexicalIndex(buildIndex([asked, ...others, ...more]));
    expect(lined.read('Wie ist der Urlabu?').words).toMatchObject([{ term: 'urlaub' }]);
    expect(lined.read('Rauswurf').words).toMatchObject([{ term: 'rauswurf' }]);
  });

  test('a word that people ask with what is not answered is read as it stands', () => {
    const [first, ...others] = SOURCES;
    const near = { ...first!, asked: ['krank'], unanswered: ['was kostet die app urlabu'] };
    const lined = new LexicalIndex(buildIndex([near, ...others]));
    expect(lined.read('Urlabu').words).toMatchObject([{ folded: 'urlabu' }]);
  });

  test('occur in a source or do not', () => {
    const sorted = new LexicalIndex(buildIndex(SOURCES.toSorted((a, b) => (a.id < b.id ? -1 : 1))));
    expect(['URL-1', 'EFZ-1', 'nowhere'].map((id) => sorted.occurs('urlaub', id))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test('a base of two languages is asked in that of the question', () => {
  const both = new LexicalIndex(
    buildIndex([
      source('DE-1', 'Kündigung', 'Die Kündigung bedarf der Schriftform.'),
      source('EN-1', 'Dismissal', 'Dismissals must be given in writing.', { lang: 'en' }),
    ]),
  );
  expect(both.search('Must a dismissal be in writing?', { topK: 1 })[0]?.source.id).toBe('EN-1');
  expect(both.search('Muss eine Kündigung schriftlich sein?', { topK: 1 })[0]?.source.id).toBe('DE-1');
});

/** A passage of a document with these headings. */
const ofDocument = (id: string, title: string, section: string): Source => {
  const text = 'Sie ist nach zwei Tagen zu beenden.';
  return source(id, title, text, {
    section,
    units: [{ kind: 'paragraph', start: 0, end: text.length, lead: null }],
  });
};

test('headings above a passage of a document count as much as its own', () => {
  const sources = [ofDocument('A', 'Tollwut', 'Merkblatt'), ofDocument('B', 'Merkblatt', 'Tollwut')];
  const [one, other] = new LexicalIndex(buildIndex(sources)).search('Tollwut', { topK: 2 });
  expect(one!.score).toBeGreaterThan(0);
  expect(other!.score).toBeCloseTo(one!.score, 1);
});

const scores = (of: LexicalIndex, question: string): unknown =>
  of.search(question, { topK: 5 }).map(({ source: { id }, score }) => [id, score]);

describe('a source for reviews alone', () => {
  const later = source(
    'BBG-AB-2023',
    'Beitragsbemessungsgrenze 2023',
    'Die Beitragsbemessungsgrenze beträgt 87.600 Euro.',
    { year: 2023, section: '§ 4 SVBezGrV', asked: ['Wie hoch ist die Bemessungsgrenze?'], forReviews: true },
  );
  // Before the others, so that its place is also that of the first passage of another one.
  const withLater = new LexicalIndex(buildIndex([later, ...SOURCES], SYNONYMS));

  test('is there by its id', () => {
    expect(withLater.source(later.id)).toBe(later);
    expect(withLater.passageCount).toBe(index.passageCount);
  });
  test.each([
    'Wie hoch ist die Beitragsbemessungsgrenze?',
    'Bemessungsgrenze 2023',
    '87.600 Euro',
    'BBG-AB-2023',
    '§ 4 SVBezGrV',
    'Wie viele Tage Ferien gibt es?',
  ])('changes nothing of what is found: %s', (question) => {
    expect(scores(withLater, question)).toEqual(scores(index, question));
  });
});
