import { describe, expect, it } from 'vitest';
import type { AskedWord, Match, Features } from '../../ranking/fit.ts';
import type { Source, UnitSpan } from '../../source.ts';
import type { Hit } from '../../hit.ts';
import { FEATURES } from '../../ranking/features.ts';
import { inTextOrder, passagesFor, toldWhole } from './passages.ts';

function hit(id: string, year: number | null): Hit {
  const source: Source = {
    id,
    title: id,
    section: '§ 3 EStG',
    stand: '2022-03',
    work: 'EStG',
    lang: 'de',
    year,
    text: id,
  };
  return { source, score: 1, passages: [], referenced: true };
}

/** A match of a long question. Its likeness to what the source says it answers is `near` (0 … 1). */
function match(share: number, near: number): Match {
  const word = {
    text: 'wort',
    weight: 0.05,
    noun: false,
    known: true,
    corrected: false,
    unanswered: 0,
  } as AskedWord;
  const found = Array.from({ length: 20 }, () => 1);
  return {
    words: found.map(() => word),
    found,
    anywhere: found,
    kind: 'lined',
    lineFits: { nearer: near, unansweredShare: 0 },
    features: {
      ...(Object.fromEntries(
        Object.values(FEATURES)
          .flat()
          .map((name) => [name, 0]),
      ) as unknown as Features),
      nearest: near,
      letters: near,
    },
    share,
    ofDocument: share,
    score: 1,
    own: false,
    inTitle: 0,
  };
}

const likely = (title: string, text: string, share: number, work = 'EStG', near = 1): Hit => {
  const { source, ...rest } = hit(title, null);
  return { ...rest, source: { ...source, title, text, work }, match: match(share, near) };
};

const unlined = (title: string, share: number): Hit => {
  const { match: lined, ...rest } = likely(title, 'Text.', share);
  return { ...rest, match: { ...lined!, kind: 'unlined' } };
};

const ofDocument = (title: string, share: number): Hit => {
  const { match: lined, ...rest } = likely(title, `Das ist Text ${title}.`, share);
  return { ...rest, match: { ...lined!, kind: 'document' } };
};

const told = (question: string, hits: readonly Hit[]): string[] =>
  passagesFor(question, hits).map(({ source }) => source.id);

it('tells the year asked for, not what holds without one', () => {
  const hits = [hit('PAUSCHALE', null), hit('PAUSCHALE-2020', 2020)];
  expect(told('Wie hoch war die Pauschale 2020?', hits)).toEqual(['PAUSCHALE-2020']);
  expect(told('Wie hoch ist die Pauschale?', hits)).toEqual(['PAUSCHALE']);
});

it('tells those of one section in the order of its text, beside the others in theirs', () => {
  const [later, other, first] = ['AMT.ANTRAG_10', 'SONST', 'AMT.ANTRAG_9'].map((id) => {
    const { source, ...rest } = hit(id, null);
    const title = id.startsWith('AMT') ? 'Antrag' : 'Sonstiges';
    return { ...rest, source: { ...source, title, path: 'a.md' } };
  }) as [Hit, Hit, Hit];
  expect(inTextOrder([later, other, first])).toEqual([first, later, other]);
});

it('tells each year where several were asked for', () => {
  const hits = [hit('PAUSCHALE-2020', 2020), hit('PAUSCHALE-2021', 2021)];
  expect(told('Pauschale 2020 und 2021?', hits)).toEqual(['PAUSCHALE-2020', 'PAUSCHALE-2021']);
});

describe('a passage beside the likeliest', () => {
  const FIRST = likely('Brückenteilzeit', 'Sie ist zu verlangen.', 0.5, 'TzBfG');
  const LIMIT = likely('Grenze der Brückenteilzeit', 'Mehr als 45.', 0.45, 'TzBfG');
  const FAR = likely('Beitrag', 'Er ist zu zahlen.', 0.02, 'SGB IV', 0);
  const question = 'brückenteilzeit und wie groß der betrieb sein muss';

  it('is told where it is near what is asked, of the same law and hardly less likely', () => {
    expect(told(question, [FIRST, LIMIT])).toEqual(['Brückenteilzeit', 'Grenze der Brückenteilzeit']);
  });

  it('is the likeliest of those that follow', () => {
    expect(told(question, [FIRST, FAR, LIMIT])).toEqual(['Brückenteilzeit', 'Grenze der Brückenteilzeit']);
  });

  it.each<[string, string, Hit[]]>([
    ['it is of another law and hardly likely', question, [FIRST, FAR]],
    ['one word is all that is asked', 'brückenteilzeit', [FIRST, LIMIT]],
    ['more than three stand before it', question, [FIRST, FAR, FAR, FAR, LIMIT]],
  ])('is not told where %s', (_, asked, hits) => {
    expect(told(asked, hits)).toEqual(['Brückenteilzeit']);
  });
});

describe('beside a source that does not say how it is asked for', () => {
  it.each<[string, Hit[], string[]]>([
    ['is in doubt, the second is told', [unlined('A', 0.4), unlined('B', 0.3)], ['A', 'B']],
    ['is in doubt, and the second hardly likely, it is not', [unlined('A', 0.4), unlined('B', 0.1)], ['A']],
  ])('that %s', (_, hits, expected) => {
    expect(told('was ist zu zahlen', hits)).toEqual(expected);
  });
});

describe('a list that goes on in the next passage of its section', () => {
  const part = (id: string, share: number, kinds: readonly UnitSpan['kind'][]): Hit => {
    const { source, ...rest } = ofDocument(id, share);
    const units = kinds.map((kind) => ({ kind, start: 0, end: 1, lead: null }));
    return { ...rest, source: { ...source, title: 'Gebühren', path: 'a.md', units } };
  };
  const first = part('a.gebuehren', 0.9, ['paragraph', 'row']);
  const next = part('a.gebuehren_2', 0.01, ['heading', 'row']);
  const later = part('a.gebuehren_3', 0.01, ['row', 'paragraph']);
  const long = Array.from({ length: 12 }, () => 'row' as const);
  const other = ofDocument('b', 0.02);

  it('is told to its end through all its passages, however likely its beginning is', () => {
    const all = ['a.gebuehren', 'a.gebuehren_2', 'a.gebuehren_3'];
    expect(told('was ist zu zahlen', [first, other, next, later])).toEqual(all);
    expect([...toldWhole([first, other, next], 450)]).toEqual([first, next]);
  });

  it('is told from its beginning where its end is the likeliest', () => {
    const end = part('a.gebuehren_3', 0.9, ['row', 'paragraph']);
    expect(inTextOrder(passagesFor('was ist zu zahlen', [end, other, next, first]))).toEqual([
      first,
      next,
      end,
    ]);
  });

  it('is told alone where it has more rows in all its passages than are told', () => {
    const half = Array.from({ length: 6 }, () => 'row' as const);
    const rest = [part('a.gebuehren_2', 0.01, half), part('a.gebuehren_3', 0.01, half)];
    expect(told('was ist zu zahlen', [first, ...rest])).toEqual(['a.gebuehren']);
  });

  it.each<[string, Hit]>([
    ['other text follows', part('a.gebuehren_2', 0.01, ['paragraph', 'row'])],
    ['it is long', part('a.gebuehren_2', 0.01, long)],
    ['it is not the next passage', later],
    ['it is of another section', { ...next, source: { ...next.source, title: 'Fristen' } }],
  ])('is told alone where %s', (_, after) => {
    expect(told('was ist zu zahlen', [first, after])).toEqual(['a.gebuehren']);
  });
});

const onPage = (id: string, section: string, share: number, path = 'a.md'): Hit => {
  const { source, ...rest } = ofDocument(id, share);
  return { ...rest, source: { ...source, section, path } };
};

describe('a short passage that opens its page', () => {
  const opening = onPage('Rundbrief', '', 0.8);
  const elsewhere = onPage('Abmelden', 'Rundbrief', 0.1, 'b.md');
  const beside = onPage('Verein', '', 0.05);
  const hardly = onPage('Anmelden', 'Rundbrief', 0.01);
  const below = onPage('Abmelden', 'Rundbrief', 0.02);

  it('is told with the likeliest of those below it, and that whole', () => {
    const passages = passagesFor('was ist zu tun', [opening, elsewhere, beside, hardly, below]);
    expect(passages).toEqual([opening, below]);
    expect([...toldWhole(passages, 450)]).toEqual([opening, below]);
  });

  it('is told alone where it is long, for then it says something itself', () => {
    const long = { ...opening, source: { ...opening.source, text: 'Wort '.repeat(80) } };
    expect(passagesFor('was ist zu tun', [long, below])).toEqual([long]);
  });
});

const changing = (path: string, stand: string, share: number): Hit => {
  const { source, ...rest } = ofDocument(path, share);
  return { ...rest, source: { ...source, path, stand } };
};

describe('a later amendment of what is told', () => {
  const fee = changing('marktordnung.pdf', '2019-01', 0.9);
  const other = changing('friedhofsordnung.pdf', '2019-01', 0.05);
  const change = changing('marktordnung-1.-aenderung.pdf', '2022-01', 0.01);

  it('is told with it, and whole', () => {
    expect(told('was ist zu zahlen', [fee, other, change])).toEqual([fee.source.id, change.source.id]);
    expect([...toldWhole([fee, change], 1)]).toEqual([fee, change]);
  });

  it('is not told where it does not have the word that says most of what was found', () => {
    const without = { ...change, match: { ...change.match!, found: change.match!.found.map(() => 0) } };
    expect(told('was ist zu zahlen', [fee, without])).toEqual([fee.source.id]);
  });
});

it('tells the likeliest passage whole, and others that may as well be meant as long as the answer is not too long', () => {
  const [first, likely, hardly] = [0.45, 0.2, 0.1].map((share, i) => ofDocument(String(i), share)) as [
    Hit,
    Hit,
    Hit,
  ];
  expect([...toldWhole([first, likely, hardly], 450)]).toEqual([first, likely]);

  const long = { ...likely, source: { ...likely.source, text: 'Wort '.repeat(500) } };
  expect([...toldWhole([first, long], 450)]).toEqual([first]);
  expect([...toldWhole([long, { ...first, match: likely.match! }], 450)]).toEqual([long]);
});

describe('beside a passage of a document', () => {
  it.each<[string, number[], string[]]>([
    ['two are told that are not much less likely', [0.4, 0.2, 0.1, 0.1], ['0', '1', '2']],
    ['one is told that is', [0.5, 0.3, 0.01], ['0', '1']],
    ['none is told where the likeliest is surely meant', [0.7, 0.3], ['0']],
  ])('%s', (_, shares, expected) => {
    const hits = shares.map((share, i) => ofDocument(String(i), share));
    expect(told('was ist zu zahlen', hits)).toEqual(expected);
  });

  it('is told neither what stands there twice nor what is in another language', () => {
    const [first, again, english, other] = ['A', 'B', 'C', 'D'].map((title) => ofDocument(title, 0.25));
    const hits: Hit[] = [
      { ...first!, source: { ...first!.source, text: 'Es ist zu zahlen.' } },
      { ...again!, source: { ...again!.source, text: 'Es ist zu zahlen.' } },
      { ...english!, source: { ...english!.source, text: 'It is due.', lang: 'en' } },
      { ...other!, source: { ...other!.source, text: 'Es ist binnen einer Woche zu zahlen.' } },
    ];
    expect(told('was ist zu zahlen', hits)).toEqual(['A', 'D']);
  });
});
