import { describe, expect, it } from 'vitest';
import { buildIndex } from '../index/build.ts';
import { LexicalIndex } from '../index/lexical-index.ts';
import type { Source, UnitSpan } from '../source.ts';
import { CANDIDATES, rankForPart, rankHits } from './rank.ts';
import { atOnce } from '../steps.ts';

function source(id: string, title: string, text: string, more: Partial<Source> = {}): Source {
  return {
    id,
    title,
    text,
    section: '',
    stand: '2022-03',
    work: 'T',
    lang: 'de',
    year: null,
    ...more,
  };
}

const LIST = ['Arnfeld', 'Birkau', 'Cronstein', 'Dornbach'].map((town) =>
  source(town, town, `Die Brücke von ${town} ist aus Sandstein. Im Herbst wird dort ein Fest gefeiert.`),
);
const RATES = [2020, 2021, 2022].map((year) =>
  source(`SATZ-${year}`, `Umlagesatz ${year}`, `Der Umlagesatz beträgt ${year - 2000} Prozent.`, { year }),
);

/** The ids of the hits for a part of a question, best first, and those that it names. */
function found(sources: readonly Source[], question: string, part: string) {
  const index = new LexicalIndex(buildIndex(sources, []));
  const hits = atOnce(rankHits(index, question, index.search(question, { topK: CANDIDATES })));
  return atOnce(rankForPart(index, part, hits));
}

/** A passage of a document: its items are the lines that begin with `- `, those in brackets only links to other pages. */
function passage(path: string, title: string, lines: readonly string[], id = path): Source {
  const text = lines.map((line) => line.replace(/^\[|\]$/gu, '')).join('\n');
  let start = 0;
  const units = lines.map((line): UnitSpan => {
    const points = line.startsWith('[');
    const end = start + line.length - (points ? 2 : 0);
    const span = { kind: points ? 'item' : 'paragraph', start, end, lead: null } as const;
    start = end + 1;
    return points ? { ...span, points } : span;
  });
  return source(id, title, text, { path, units });
}

function rank(sources: readonly Source[], question: string) {
  const index = new LexicalIndex(buildIndex(sources, []));
  return atOnce(rankHits(index, question, index.search(question, { topK: CANDIDATES })));
}

it('finds first the passage whose own heading is what is asked, also with a verb whose prefix stands apart', () => {
  const own = passage('rechte.md', '2.1. Beet anlegen', ['Im Menü wird ein Name vergeben.']);
  const like = passage('bau.md', 'Hochbeet', ['Wer will, kann auch ein neues Beet anlegen.']);
  expect(rank([own, like], 'Wie lege ich ein neues Beet an?').map(({ source: { id } }) => id)).toEqual([
    'rechte.md',
    'bau.md',
  ]);
});

it('finds first the passage that has all of the question, before one that has most of it in its heading', () => {
  const named = passage('schluessel.md', 'Schlüssel der alten Hütte', [
    'Der Wart gibt ihn aus und führt darüber ein Heft.',
    'Wer ihn verliert, meldet das dem Vorstand sofort.',
  ]);
  const whole = passage('feste.md', 'Aufräumen', [
    'Nach dem Fest wird geputzt.',
    'Jede Bank kommt in die Hütte.',
    'Der Schlüssel hängt am Brett.',
  ]);
  const [first] = rank([named, whole], 'Schlüssel der Hütte nach dem Fest');
  expect(first!.source.id).toBe('feste.md');
});

it('finds no passage below a heading that is the opposite of what is asked', () => {
  const text = 'Belege kommen mit der Begründung an die Kasse, die den Betrag überweist.';
  const sources = [
    passage('belege.md', 'Wenn Sie ein Konto haben', [text], 'konto'),
    passage('belege.md', 'Wenn Sie kein Konto haben', [text.replace('die Kasse', 'den Vorstand')], 'ohne'),
    passage('kasse.md', 'Konto', ['Die Kasse hat ein Konto.'], 'kasse'),
  ];
  const first = (question: string): string => rank(sources, question)[0]!.source.id;
  expect(first('Ich habe kein Konto, wer überweist den Betrag für Belege?')).toBe('ohne');
  expect(first('Ich habe ein Konto. Wer überweist den Betrag, wenn es keine Belege sind?')).toBe('konto');
});

describe('the likelihood of a passage', () => {
  const key = passage('schluessel.md', 'Schlüssel', ['Den Schlüssel gibt es beim Pförtner gegen Pfand.']);
  const list = passage('index.md', 'Schlüssel', ['[Schlüssel vom Pförtner]', '[Lampen vom Verwalter]']);
  const lamp = passage('lampe.md', 'Lampe', ['Die Lampe gibt es beim Verwalter.']);

  it('is not shared with the same text in another file', () => {
    const question = 'Wo gibt es den Schlüssel?';
    const once = rank([key, lamp], question);
    const twice = rank([key, lamp, { ...key, id: 'kopie', path: 'kopie.md' }], question);
    expect(once[0]!.source.id).toBe('schluessel.md');
    expect(twice.slice(0, 2).map(({ match }) => match!.share)).toEqual([
      twice[0]!.match!.share,
      twice[0]!.match!.share,
    ]);
    expect(twice[0]!.match!.share).toBeGreaterThan(0.5);
  });

  it('is not shared with the same text in another form, and both documents are one', () => {
    const rule = 'Den Schlüssel für das Haus gibt der Pförtner nur gegen ein Pfand von 20 Euro aus';
    const more = 'und nimmt ihn bis zum Abend wieder an, wenn der Hof geschlossen wird';
    const sources = [
      passage('ordnung.md', 'Schlüssel', [`1. ${rule}, ${more}.`]),
      passage('ordnung.pdf', 'Allgemeines', [
        `2.1. ${rule},`,
        `${more}.`,
        'Die Lampe gibt es beim Verwalter.',
      ]),
    ];
    const [first, second] = rank(sources, 'Wo gibt es den Schlüssel?');
    expect([first!.match!.share, first!.match!.ofDocument]).toEqual([1, 1]);
    expect(second!.match!.share).toBe(1);
    expect(first!.source.id).toBe('ordnung.md');
    // The longer one fits better by its heading, and tells other things too.
    const [page, printed] = sources as [Source, Source];
    const named = rank(
      [
        { ...page, title: 'Pfand' },
        { ...printed, title: 'Schlüssel' },
      ],
      'Wo gibt es den Schlüssel?',
    );
    expect(named.map(({ source: { id } }) => id)).toEqual(['ordnung.md', 'ordnung.pdf']);
  });

  it('is that of the time that is asked about, where headings name one', () => {
    const sources = ['2024-01-18', '2024-02-15', '2024-03-21'].map((date) =>
      passage(`${date}.md`, `Treffen ${date} › Lampen`, [
        `Am Tor fehlen noch ${date.slice(-1)} Lampen, die bestellt werden.`,
      ]),
    );
    const found = (question: string) =>
      rank(sources, question).map(({ source: { id }, match }) => [id, match!.share]);
    expect(found('Was wurde beim Treffen im Februar 2024 zu Lampen gesagt?')[0]).toEqual([
      '2024-02-15.md',
      1,
    ]);
    expect(found('Was wurde beim Treffen im Mai 2024 zu Lampen gesagt?')[0]![1]).toBeLessThan(1);
  });

  it('is that of a rule before the minutes that speak of it, unless a time or a meeting is asked about', () => {
    const sources = [
      {
        ...passage('beitraege.md', '§ 1 Höhe', ['Der Mitgliedsbeitrag beträgt 12 Euro.']),
        section: 'Beitragsordnung',
      },
      {
        ...passage('sitzungen/2016-10-08.md', 'Mitgliedsbeitrag', [
          'Der höchste Mitgliedsbeitrag ist zu hoch, der niedrigste Mitgliedsbeitrag liegt bei 5 Euro.',
        ]),
        section: 'Protokoll vom 8. Oktober 2016',
      },
    ];
    const first = (question: string) => rank(sources, question)[0]!.source.path;
    expect(first('Wie hoch ist der Mitgliedsbeitrag?')).toBe('beitraege.md');
    expect(first('Was wurde 2016 zum Mitgliedsbeitrag gesagt?')).toBe('sitzungen/2016-10-08.md');
    expect(first('Mitgliedsbeitrag im Protokoll')).toBe('sitzungen/2016-10-08.md');
  });

  it('grows where a passage has, under its headings, both parts of a compound that the base writes divided', () => {
    const base = [
      {
        ...passage('reisen.md', 'Abrechnung', ['Spätestens acht Tage nach der Rückkehr.']),
        section: 'Ordnung der Reisekosten',
      },
      passage('kasse.md', 'Abrechnung', ['Die Kasse wird am Abend gezählt.']),
      passage('ziele.md', 'Reisekosten', ['Was das ist, steht in der Ordnung.']),
    ];
    const [first] = rank(base, 'Bis wann ist die Reisekostenabrechnung abzugeben?');
    expect([first!.source.id, first!.match!.found[0]]).toEqual(['reisen.md', 0.8]);
    const [other] = rank(base.slice(1), 'Bis wann ist die Reisekostenabrechnung abzugeben?');
    expect(other!.match!.found[0]).toBeLessThan(0.5);
    expect(first!.match!.score).toBeGreaterThan(other!.match!.score);
  });

  it('is not that of what only leads to other pages, unless nothing else is found', () => {
    const hits = rank([list, key], 'Schlüssel vom Pförtner');
    expect(hits.map(({ source: { id }, match }) => [id, match!.share])).toEqual([
      ['schluessel.md', 1],
      ['index.md', 0],
    ]);
    expect(rank([list], 'Schlüssel vom Pförtner')[0]!.match!.share).toBe(1);
  });

  it('is counted together for a document', () => {
    const second = passage('schluessel.md', 'Pfand', ['Das Pfand für den Schlüssel sind 5 Euro.'], 'pfand');
    const hits = rank([key, second, lamp], 'Wie viel Pfand kostet der Schlüssel beim Pförtner?');
    const [a, b] = hits.filter(({ source: { path } }) => path === 'schluessel.md');
    expect(a!.match!.ofDocument).toBeCloseTo(a!.match!.share + b!.match!.share);
    expect(b!.match!.ofDocument).toBe(a!.match!.ofDocument);
  });
});

describe('a part of a question', () => {
  it('that leans on the rest is about what all of it is about', () => {
    const question = 'Woraus ist die Brücke von Dornbach und wann ist dort das Fest?';
    const hits = found(LIST, question, 'wann ist dort das Fest?');
    expect(hits[0]?.source.id).toBe('Dornbach');
  });

  it('that asks for something else finds that first', () => {
    const question = 'Wie hoch ist der Umlagesatz und woraus ist die Brücke von Cronstein?';
    const hits = found([...LIST, RATES[2]!], question, 'woraus ist die Brücke von Cronstein?');
    expect(hits[0]?.source.id).toBe('Cronstein');
  });

  it('that asks for another year finds that first, at the best score', () => {
    const hits = found(
      RATES,
      'Wie hoch ist der Umlagesatz 2022 und wie hoch war er 2020?',
      'wie hoch war er 2020?',
    );
    expect(hits[0]?.source.id).toBe('SATZ-2020');
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
  });

  it('names what it names itself, not what another part does', () => {
    const laws = [3, 4].map((number) =>
      source(`EntgFG-${number}`, `Lohn ${number}`, 'Der Lohn wird fortgezahlt.', {
        section: `§ ${number} EntgFG`,
      }),
    );
    const hits = found(laws, 'Was regeln § 3 EntgFG und § 4 EntgFG?', 'Was regelt § 4 EntgFG?');
    expect(hits.map(({ source: { id }, referenced }) => [id, referenced])).toEqual([
      ['EntgFG-4', true],
      ['EntgFG-3', false],
    ]);
  });
});
