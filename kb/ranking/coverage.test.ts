import { describe, expect, it } from 'vitest';
import type { AboutBase } from '../base/about.ts';
import { ANSWER_FROM } from '../answer-thresholds.ts';
import { buildIndex } from '../index/build.ts';
import { LexicalIndex } from '../index/lexical-index.ts';
import type { Coverage } from '../knowledge.ts';
import type { Language, Source } from '../source.ts';
import { askedWords } from './asked.ts';
import { coverageOf } from './coverage.ts';
import { CANDIDATES, rankHits } from './rank.ts';
import { atOnce } from '../steps.ts';

function source(id: string, text: string, more: Partial<Source> = {}): Source {
  const base = { title: id, section: '', stand: '2022-03', work: 'Test', lang: 'de' as Language, year: null };
  return { id, text, ...base, ...more };
}

/** A base of invented towns: each source states four facts about one. */
function townBase(): Source[] {
  const towns = [
    'Arnfeld',
    'Birkau',
    'Cronstein',
    'Dornbach',
    'Eschenried',
    'Falkenau',
    'Gernsheim',
    'Horndorf',
  ];
  const trades = [
    'Glasbläser',
    'Korbflechter',
    'Seifensieder',
    'Böttcher',
    'Drechsler',
    'Weber',
    'Gerber',
    'Schmiede',
  ];
  const rivers = ['Aller', 'Bode', 'Cremlitz', 'Dosse', 'Eider', 'Fulde', 'Gande', 'Havel'];
  return towns.map((town, i) =>
    source(
      `T-${i}`,
      `Die Stadt ${town} liegt am Ufer der ${rivers[i]} zwischen sanften Hügeln. Im Mittelalter lebten dort viele ` +
        `${trades[i]} und trieben regen Handel. Die Brücke von ${town} wurde ${1510 + 7 * i} aus Sandstein erbaut. ` +
        `Jeden Herbst feiern die Bewohner ein großes Fest mit ${30 + 11 * i} Kapellen.`,
      { title: town },
    ),
  );
}

const GROUPS = [{ from: ['rauswerfen', 'Rauswurf'], to: ['Kündigung'], line: 1 }];

function ask(
  sources: readonly Source[],
  question: string,
  groups: typeof GROUPS = [],
  about: AboutBase | null = null,
): Coverage {
  const index = new LexicalIndex(buildIndex(sources, groups), about);
  const hits = atOnce(rankHits(index, question, index.search(question, { topK: CANDIDATES })));
  return coverageOf(index, question, hits);
}

const coveredBelow = (title: string): boolean => {
  const fund = source('KASSE', 'Neue Lampen? Das wird vertagt.', { title });
  const sources = [...townBase(), fund].map((each): Source => ({
    ...each,
    units: [{ kind: 'paragraph', start: 0, end: each.text.length, lead: null }],
  }));
  return ask(sources, 'Wie viel Spendengeld ist in der Kasse?').covered;
};

const MARCH_2022: AboutBase = {
  title: 'T',
  language: 'de',
  law: true,
  asOf: '2022-03',
  topics: [],
  questions: [],
};

describe('coverageOf', () => {
  it('judges by the source that is to answer', () => {
    const index = new LexicalIndex(buildIndex(townBase(), []));
    const question = 'Wann wurde die Brücke von Birkau erbaut und welche Kapellen?';
    const hits = atOnce(rankHits(index, question, index.search(question, { topK: CANDIDATES })));
    const [first, second] = hits.map(({ source: by }) => coverageOf(index, question, hits, { by }));
    expect(coverageOf(index, question, hits)).toEqual(first);
    expect(second!.relevance).toBeLessThan(first!.relevance);
  });

  it('demands less of what goes on from something that is answered', () => {
    const index = new LexicalIndex(buildIndex(townBase(), []));
    const question = 'Was kostet der Eintritt für Kinder zum Fest in Birkau?';
    const hits = atOnce(rankHits(index, question, index.search(question, { topK: CANDIDATES })));
    expect(coverageOf(index, question, hits)).toMatchObject({ covered: false });
    expect(coverageOf(index, question, hits, { goesOn: true })).toMatchObject({ covered: true });
  });

  it.each([
    'Wann wurde die Brücke von Birkau erbaut?',
    'Welche Böttcher lebten im Mittelalter in Dornbach?',
    'wie viele kapellen feiern in falkenau das fest?',
    'Wann wurde die Bruecke von Eschenried erbaut?',
  ])('covers %j', (question) => {
    expect(ask(townBase(), question)).toMatchObject({ covered: true });
  });

  it.each<[string, string]>([
    ['Wer gewann den Nobelpreis für Physik?', 'Nobelpreis'],
    ['Wie hoch ist die Grunderwerbsteuer in Niederbayern?', 'Grunderwerbsteuer'],
    ['Wie ist das in Frankreich mit der Brücke von Birkau?', 'Frankreich'],
    ['Wann baute Max Mustermann die Brücke von Birkau?', 'Mustermann'],
    ['Wann kaufte die ABCD die Brücke von Birkau?', 'ABCD'],
  ])('does not cover %j', (question, missing) => {
    const coverage = ask(townBase(), question);
    expect(coverage.covered).toBe(false);
    expect(coverage.missing).toContain(missing);
  });

  it('does not name as missing what another passage has', () => {
    const { covered, missing } = ask(
      townBase(),
      'Welche Korbflechter und Imker arbeiten an der Brücke von Falkenau?',
    );
    expect(covered).toBe(false);
    expect(missing).toEqual(['Imker']);
  });

  it('does not name as missing what people ask about everything with', () => {
    const sources = [...townBase(), source('F', 'Das Bad öffnet jede Woche.')];
    const { missing } = ask(sources, 'Welches Karussell steht an der alten Brücke von Birkau pro Woche?');
    expect(missing).toEqual(['Karussell']);
  });

  it.each<[string, string[]]>([
    ['Wie richte ich einen Skilift in Birkau ein?', ['Skilift']],
    ['wie richte ich skilifte ein', ['skilifte']],
    ['wo kann ich skilifte mieten', ['skilifte']],
    ['can we connect modems', ['modems']],
    ['Wie verbuche ich Birkau?', []],
    ['Verbucht der Skilift Birkau?', ['Skilift']],
    ['can we let modems be scrubbed', ['modems']],
  ])('does not name the verb of a question as missing: %s', (question, missing) => {
    expect(ask(townBase(), question).missing).toEqual(missing);
  });

  it('of documents does not cover a name in capitals that the base does not have', () => {
    const passages = townBase().map((town): Source => ({
      ...town,
      units: [{ kind: 'paragraph', start: 0, end: town.text.length, lead: null }],
    }));
    const covered = (question: string): boolean => ask(passages, question).covered;
    expect(covered('Wann wurde die Brücke von Birkau erbaut?')).toBe(true);
    expect(covered('Wann wurde die Brücke von Birkau laut DATEV erbaut?')).toBe(false);
    // A longer question is less about it.
    const long =
      'Wann wurde die Brücke aus Sandstein von Birkau, einer Stadt am Ufer der Bode zwischen sanften Hügeln, laut DATEV-Liste erbaut?';
    expect(covered(long)).toBe(true);
    expect(covered(long.replace('-Liste', ''))).toBe(false);
    expect(covered(long.replace('-Liste', '').toUpperCase())).toBe(true);
  });

  it('of documents does not cover a thing that stands nowhere in the base, unless the passage has most of the rest', () => {
    const passages = townBase().map((town): Source => ({
      ...town,
      units: [{ kind: 'paragraph', start: 0, end: town.text.length, lead: null }],
    }));
    const asked = (thing: string): Coverage =>
      ask(passages, `Wann wurde in der Stadt Birkau aus Sandstein die ${thing} erbaut?`);
    const [known, unknown] = [asked('Brücke'), asked('Kegelbahn')];
    expect(unknown.relevance).toBeGreaterThan(ANSWER_FROM.document);
    expect([known.covered, unknown.covered]).toEqual([true, false]);
    expect(unknown.missing).toEqual(['Kegelbahn']);
  });

  it('of documents demands less where the question has the heading of the passage word for word', () => {
    const sources = [
      ...townBase(),
      source('KNOPF', 'Er färbt das Blatt blau.', { title: 'Schalter Blaues Blatt' }),
      source('KNOPF-2', 'Er steht neben dem Hebel.', { title: 'Schalter "Blaues Blatt"' }),
      source('KNOPF-3', 'Er wurde spät eingebaut.', { title: 'Schalter Grünes Blatt' }),
    ].map((each): Source => ({
      ...each,
      units: [{ kind: 'paragraph', start: 0, end: each.text.length, lead: null }],
    }));
    const named = ask(sources, 'Was bezweckt und bewirkt eigentlich Schalter Blaues Blatt?');
    const reworded = ask(sources, 'Was bezweckt und bewirkt eigentlich Blatt, Schalter, Blaues?');
    expect(reworded.relevance).toBeCloseTo(named.relevance);
    expect([named.covered, reworded.covered]).toEqual([true, false]);
  });

  it('of documents does not cover a figure that no sentence has of what is asked', () => {
    const sources = [
      ...townBase(),
      source(
        'BAD',
        'Das Bad von Arnfeld hat ein Becken für Schwimmer. Es liegt im Wald. Eine Karte für das Bad kostet 4 Euro. ' +
          'Für die Bücherei gibt es einen Ausweis; er gilt zwei Jahre.',
        { title: 'Bad und Bücherei' },
      ),
    ].map((each): Source => ({
      ...each,
      units: [{ kind: 'paragraph', start: 0, end: each.text.length, lead: null }],
    }));
    const covered = (question: string): boolean => ask(sources, question).covered;
    expect(covered('Was kostet eine Karte für das Bad von Arnfeld?')).toBe(true);
    expect(covered('Was kostet das Becken für Schwimmer von Arnfeld?')).toBe(false);
    expect(covered('Wie lange gilt der Ausweis für die Bücherei?')).toBe(true);
    expect(covered('Wie lange gilt die Karte für Schwimmer von Arnfeld?')).toBe(false);
    // The sentence before the figure says in part what it is a figure of.
    expect(covered('Wie lange gilt der Ausweis der Bücherei in Arnfeld?')).toBe(true);
    // What is told before the question is not asked.
    expect(
      covered('Mein Onkel sammelt Briefmarken aus Übersee und Münzen. Was kostet eine Karte für das Bad?'),
    ).toBe(true);
  });

  it.each([
    ['Ab wann feiern Kapellen in Birkau?', 'Wann feiern Kapellen in Birkau?'],
    ['Was passiert eigentlich mit der Brücke von Birkau?', 'Was ist mit der Brücke von Birkau?'],
  ])('of documents judges %s as %s: words that only ask decide nothing', (question, other) => {
    const passages = townBase().map((town): Source => ({
      ...town,
      units: [{ kind: 'paragraph', start: 0, end: town.text.length, lead: null }],
    }));
    expect(ask(passages, question)).toEqual(ask(passages, other));
    expect(ask(townBase(), question)).not.toEqual(ask(townBase(), other));
  });

  it('of documents covers a figure that stands in a heading', () => {
    expect(coveredBelow('Spendengeld in der Kasse (am 31.03.2024: 120,50 €)')).toBe(true);
    expect(coveredBelow('Spendengeld in der Kasse (am 31.03.2024)')).toBe(false);
  });

  it('knows for which years a rule is kept, and names them where another one is asked for', () => {
    const years = [2020, 2021].map((year) =>
      source(`BBG-${year}`, 'Die Beitragsbemessungsgrenze beträgt monatlich 6.700 Euro.', {
        title: `Beitragsbemessungsgrenze ${year}`,
        year,
        stand: '2019-11',
      }),
    );
    const sources = [...townBase(), ...years];
    expect(ask(sources, 'Wie hoch ist die Beitragsbemessungsgrenze 2021?')).toMatchObject({
      covered: true,
      otherYears: null,
    });
    // The month of a text's last change is no year of validity.
    expect(ask(sources, 'Wie hoch ist die Beitragsbemessungsgrenze 2019?')).toMatchObject({
      covered: false,
      otherYears: { asked: 2019, there: [2020, 2021] },
    });
  });

  it('answers for the year as of which the base stands, and for those that a passage names', () => {
    const sources = [
      ...townBase(),
      source('ML', 'Der Mindestlohn beträgt 9,82 Euro, im Jahr 2021 9,60 Euro.'),
    ];
    const yearOf = (year: number) =>
      ask(sources, `Wie hoch ist der Mindestlohn ${year}?`, [], MARCH_2022).otherYears;
    expect(yearOf(2021)).toBeNull();
    expect(yearOf(2022)).toBeNull();
    expect(yearOf(2025)).toEqual({ asked: 2025, there: [2022] });
  });

  it.each<[string, boolean]>([
    ['Woraus ist ab 2020 die Brücke von Birkau?', true],
    ['Woraus ist ab Juli 2020 die Brücke von Birkau?', true],
    ['Woraus war 2020 die Brücke von Birkau?', false],
    ['Woraus ist ab 2023 die Brücke von Birkau?', false],
  ])('hears in %j whether the law of today is meant too', (question, covered) => {
    expect(ask(townBase(), question, [], MARCH_2022).otherYears === null).toBe(covered);
  });

  it('finds what a text tells of a year that no source is kept for', () => {
    const rates = [2021, 2022].map((year) =>
      source(`ZOLL-${year}`, `Der Brückenzoll beträgt ${year - 2000} Groschen.`, {
        title: `Brückenzoll ${year}`,
        year,
      }),
    );
    const told = source('ZOLL', 'Den Brückenzoll gibt es seit 1950 mit 3 Groschen.', {
      title: 'Brückenzoll',
    });
    const sources = [...townBase(), ...rates, told];
    expect(ask(sources, 'Wie hoch war der Brückenzoll 1950?', [], MARCH_2022).otherYears).toBeNull();
    expect(ask(sources, 'Wie hoch war der Brückenzoll 1960?', [], MARCH_2022).otherYears).not.toBeNull();
  });

  it('takes no year from another source than the best', () => {
    const wage = source('ML', 'Der Mindestlohn beträgt 9,82 Euro.', { title: 'Mindestlohn' });
    const bridge = source('STEG', 'Bis 2025 gilt für den Steg von Arnfeld kein Zoll.', { title: 'Steg' });
    const sources = [...townBase(), wage, bridge];
    expect(
      ask(sources, 'Wie viel Euro beträgt der Mindestlohn 2025, was gilt?', [], MARCH_2022).otherYears,
    ).toEqual({
      asked: 2025,
      there: [2022],
    });
  });

  it('answers for each year of a span that a passage names', () => {
    const text = 'In den Jahren 2017 bis 2019 betrug der Mindestlohn 9 Euro.';
    const sources = [...townBase(), source('ML', text, { title: 'Mindestlohn' })];
    const yearOf = (year: number) =>
      ask(sources, `Wie hoch war der Mindestlohn ${year}?`, [], MARCH_2022).otherYears;
    expect([2017, 2018, 2019].map(yearOf)).toEqual([null, null, null]);
    expect(yearOf(2020)).toEqual({ asked: 2020, there: [2022] });
  });

  it('asks each word once, with what the base knows of it', () => {
    const index = new LexicalIndex(buildIndex(townBase()));
    const [known, unknown, more] = askedWords(index, 'Brücke auf Hawaii, Brücke');
    expect(known).toMatchObject({ text: 'Brücke', known: true });
    expect(unknown).toMatchObject({ text: 'Hawaii', passageFrequency: 0 });
    expect(more).toBeUndefined();
  });

  it("does not ask for figures of the asker's own case, dates and years", () => {
    const index = new LexicalIndex(buildIndex(townBase()));
    const words = askedWords(
      index,
      'Bekam die Brücke von Birkau am 3.4.2019 für 4711 Euro im Jahr 1936 ein Dach?',
    );
    expect(words.map(({ text }) => text).filter((text) => /\d/u.test(text))).toEqual([]);
  });

  it('takes no year of a story for one that is asked about', () => {
    const question = 'Ich wohne seit 2015 hier: Wann wurde die Brücke von Birkau erbaut?';
    expect(ask(townBase(), question).otherYears).toBeNull();
  });

  it.each(['2015 angefangen', 'seit 2015 dabei', 'im Jahr 2015 eingestellt'])(
    'takes no year for asked about in a story: %s',
    (story) => {
      const question = `Wann wurde die Brücke von Birkau erbaut, wenn ich ${story} habe?`;
      expect(ask(townBase(), question, [], MARCH_2022).otherYears).toBeNull();
      expect(
        ask(townBase(), `${story}. Wann wurde die Brücke von Birkau erbaut?`, [], MARCH_2022).otherYears,
      ).toBeNull();
    },
  );

  it('takes one word for what a title has, where it stands out', () => {
    const sources = [...townBase(), source('K', 'Eine Sandbank im Fluss.', { title: 'Kündigung' })];
    expect(ask(sources, 'Kündigung')).toMatchObject({ covered: true });
    expect(ask(sources, 'Sandbank')).toMatchObject({ covered: false });
  });

  it('takes one word for what people ask for by it', () => {
    const attest = source('K', 'Eine Bescheinigung vom Arzt.', { title: 'Attest', asked: ['krankenschein'] });
    expect(ask([...townBase(), attest], 'Krankenschein')).toMatchObject({ covered: true });
  });

  it('takes no compound for its part: it names another subject', () => {
    const relief = source('K', 'Wer allein erzieht, bekommt ihn.', {
      title: 'Entlastungsbetrag',
      asked: ['entlastungsbetrag'],
    });
    expect(ask([...townBase(), relief], 'Entlastungsbetrag')).toMatchObject({ covered: true });
    expect(ask([...townBase(), relief], 'Altersentlastungsbetrag')).toMatchObject({ covered: false });
  });

  it.each(['Woraus ist die Brücke von Birkau in Portugal?', 'Woraus ist in Germany die Brücke von Birkau?'])(
    'of a base of that country hears nothing in %j',
    (question) => {
      const about = { ...MARCH_2022, title: 'Brücken in Portugal und in Deutschland' };
      const plain = ask(townBase(), 'Woraus ist die Brücke von Birkau?', [], about);
      expect(ask(townBase(), question, [], about)).toEqual(plain);
      expect(ask(townBase(), question)).toMatchObject({ covered: false });
    },
  );

  it('hears no town of a country whose law it is, where no text names it', () => {
    const about = { ...MARCH_2022, title: 'Brücken in Deutschland', law: true };
    const plain = ask(townBase(), 'Woraus ist die Brücke von Birkau?', [], about);
    const inTown = 'Woraus ist in Chemnitz die Brücke von Birkau?';
    expect(ask(townBase(), inTown, [], about)).toEqual(plain);
    expect(ask(townBase(), inTown, [], { ...about, law: false }).missing).toContain('Chemnitz');
  });

  it.each(['nach französischem Recht', 'in Frankreich', 'in Austria'])(
    'is no answer for another country: %s',
    (where) => {
      expect(ask(townBase(), `Woraus ist ${where} die Brücke von Birkau?`).covered).toBe(false);
    },
  );

  it('counts a synonym as the word itself', () => {
    const sources = [...townBase(), source('K', 'Die Kündigung bedarf der Schriftform.')];
    const question = 'Braucht der Rauswurf Schriftform?';
    expect(ask(sources, question, GROUPS).value).toBeGreaterThan(ask(sources, question).value);
  });

  it('covers nothing where nothing was found or asked', () => {
    const nothing = { value: 0, relevance: 0, covered: false, otherYears: null };
    expect(ask(townBase(), 'Und?')).toEqual({ ...nothing, missing: [] });
    expect(ask(townBase(), 'Xylophon?')).toEqual({ ...nothing, missing: ['Xylophon'] });
  });

  it('does not change its mind over passages of another world', () => {
    const before = ask(townBase(), 'Wann wurde die Brücke von Birkau erbaut?');
    const others = Array.from({ length: 60 }, (_, i) =>
      source(`X-${i}`, `Eintrag ${i} über Zahnräder, Schrauben und Getriebe der Baureihe ${i}.`),
    );
    const after = ask([...townBase(), ...others], 'Wann wurde die Brücke von Birkau erbaut?');
    expect(after.covered).toBe(before.covered);
    expect(after.relevance).toBeCloseTo(before.relevance, 1);
  });
});

describe('what is asked near a source and not answered', () => {
  const [first, ...others] = townBase();
  const question = 'Wie lang ist die Brücke von Arnfeld?';
  const asked = ['Wann wurde die Brücke von Arnfeld erbaut?', 'Baujahr Brücke Arnfeld'];

  it('makes a question like it less likely to be answered, and no other', () => {
    const plain = [{ ...first!, asked }, ...others];
    const taught = [{ ...first!, asked, unanswered: ['Länge der Brücke von Arnfeld in Metern'] }, ...others];
    const gain = (text: string): number => ask(taught, text).relevance - ask(plain, text).relevance;
    expect(gain(question)).toBeLessThan(-0.02);
    expect(gain('Wann wurde die Brücke von Arnfeld erbaut?')).toBeGreaterThan(gain(question));
  });

  it('makes a question in words of it less likely to be answered, whatever passage it is asked near', () => {
    const text = 'Baujahr Brücke Arnfeld als Tabelle';
    const near = (...unanswered: string[]): Coverage =>
      ask([{ ...first!, asked }, ...others, source('X', 'Vom Wetter.', { unanswered })], text);
    const other = near('Wetter als Bild', 'Bild vom Regen');
    expect(near('Wetter als Tabelle', 'Tabelle vom Regen').relevance).toBeLessThan(other.relevance - 0.01);
  });

  it('is told by one sentence of a story, whatever stands beside it', () => {
    const index = new LexicalIndex(buildIndex([{ ...first!, asked }, ...others]));
    const nearer = (text: string): number =>
      atOnce(rankHits(index, text, index.search(text, { topK: CANDIDATES })))[0]!.match!.lineFits.nearer;
    const [story, asks] = ['Meine Tante backt dort gern Kuchen', asked[0]!];
    expect(nearer(`${story}. ${asks}`)).toBeGreaterThan(nearer(`${story}, ${asks}`) + 0.1);
  });

  it('is never searched', () => {
    const index = new LexicalIndex(
      buildIndex([{ ...first!, unanswered: ['Wo ist das Freibad?'] }, ...others]),
    );
    expect(index.search('Freibad', { topK: 3 })).toEqual([]);
  });
});
