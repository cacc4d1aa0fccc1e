import { describe, expect, it } from 'vitest';
import type { Hit, Match, Source } from '../../../kb/knowledge.ts';
import { FEATURES, type Features } from '../../../kb/ranking/features.ts';
import { passagesFor } from './passages.ts';

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

/** Of a long question that is `near` what the source says it answers, 0 … 1. */
function match(share: number, near: number): Match {
  const word = { text: 'wort', weight: 0.05, noun: false, known: true, corrected: false, unanswered: 0 };
  const found = Array.from({ length: 20 }, () => 1);
  return {
    words: found.map(() => word),
    found,
    anywhere: found,
    lined: true,
    lineFits: { nearer: near, unansweredShare: 0 },
    features: { ...(Object.fromEntries(FEATURES.map((name) => [name, 0])) as Features), nearest: near },
    share,
    score: 1,
    own: false,
  };
}

const likely = (title: string, text: string, share: number, work = 'EStG', near = 1): Hit => {
  const { source, ...rest } = hit(title, null);
  return { ...rest, source: { ...source, title, text, work }, match: match(share, near) };
};

const told = (question: string, hits: readonly Hit[]): string[] =>
  passagesFor(question, hits).map(({ source }) => source.id);

it('tells the year asked for, not what holds without one', () => {
  const hits = [hit('PAUSCHALE', null), hit('PAUSCHALE-2020', 2020)];
  expect(told('Wie hoch war die Pauschale 2020?', hits)).toEqual(['PAUSCHALE-2020']);
  expect(told('Wie hoch ist die Pauschale?', hits)).toEqual(['PAUSCHALE']);
});

it('tells each year where several were asked for', () => {
  const hits = [hit('PAUSCHALE-2020', 2020), hit('PAUSCHALE-2021', 2021)];
  expect(told('Pauschale 2020 und 2021?', hits)).toEqual(['PAUSCHALE-2020', 'PAUSCHALE-2021']);
});

describe('a passage that may be meant as well', () => {
  const SURE = likely('Steuer', 'Sie ist zu zahlen.', 0.7);
  const IN_DOUBT = likely('Steuer', 'Sie ist zu zahlen.', 0.7, 'EStG', 0);
  const other = (share: number): Hit => likely('Beitrag', 'Er ist zu zahlen.', share, 'SGB IV');

  it('is told beside the likeliest where that is in doubt', () => {
    expect(told('was ist zu zahlen', [IN_DOUBT, other(0.25)])).toEqual(['Steuer', 'Beitrag']);
  });

  it.each<[string, string, Hit, Hit]>([
    ['the likeliest is not in doubt', 'was ist zu zahlen', SURE, other(0.25)],
    ['it is hardly likely', 'was ist zu zahlen', IN_DOUBT, other(0.15)],
    ['one word is all that is asked', 'steuer', IN_DOUBT, other(0.25)],
  ])('is not told where %s', (_, question, first, second) => {
    expect(passagesFor(question, [first, second])).toEqual([first]);
  });
});

describe('the other of two things that are asked for', () => {
  const BEFORE = likely('Schutzfrist vor der Geburt', 'Sechs Wochen.', 0.9);
  const AFTER = likely('Schutzfrist nach der Geburt', 'Acht Wochen.', 0.02);
  const TAX = likely('Wage tax return: due date', 'By the tenth.', 0.02);

  it.each<[string, Hit, Hit]>([
    ['Schutzfrist vor und nach der Geburt?', BEFORE, AFTER],
    ['When are contributions and the wage tax due?', likely('Due date of contributions', 'Then.', 0.9), TAX],
  ])('is told where its title has it: %s', (question, first, other) => {
    expect(passagesFor(question, [first, other])).toEqual([first, other]);
  });

  it.each<[string, string, Hit, Hit]>([
    ['only one is asked for', 'Schutzfrist nach der Geburt?', AFTER, BEFORE],
    [
      'the first has both',
      'Schutzfrist vor und nach der Geburt?',
      likely('Schutzfrist vor und nach der Geburt', 'Ja.', 0.9),
      AFTER,
    ],
    [
      'the other has both',
      'Schutzfrist vor und nach der Geburt?',
      BEFORE,
      likely('Geld vor und nach der Geburt', 'Ja.', 0.02),
    ],
    [
      'it is another question about the one',
      'Was ist der Mindestlohn und wann steigt er?',
      likely('Mindestlohn 2022', 'Er ist hoch.', 0.9),
      likely('Wann der Lohn fällig ist', 'Bald.', 0.02),
    ],
  ])('is not told where %s', (_, question, first, other) => {
    expect(passagesFor(question, [first, other])).toEqual([first]);
  });
});

describe('the side of a question that the likeliest passage leaves out', () => {
  const FIRST = likely('Lohnsteuer anmelden', 'Angemeldet wird jeden Monat.', 0.9);
  const DUE = 'Fälligkeit der Lohnsteuer';
  const TEXT = 'Spätestens am zehnten Tag ist sie zu zahlen.';
  const question = 'lohnsteuer anmeldung fälligkeit';

  it('is told by another of the same work whose title announces it', () => {
    const between = likely('Lohnsteuerkarte', 'Sie wird gedruckt.', 0.05);
    expect(told(question, [FIRST, between, likely(DUE, TEXT, 0.02)])).toEqual(['Lohnsteuer anmelden', DUE]);
  });

  it.each<[string, string, Hit, Hit]>([
    ['it is not asked for', 'lohnsteuer anmeldung', FIRST, likely(DUE, TEXT, 0.02)],
    ['the first tells it', question, likely('Lohnsteuer anmelden', TEXT, 0.9), likely(DUE, TEXT, 0.02)],
    [
      'the first announces it',
      question,
      likely('Lohnsteuer: Termine', 'Am 10.', 0.9),
      likely(DUE, TEXT, 0.02),
    ],
    ['another does not tell it', question, FIRST, likely(DUE, 'Siehe dort.', 0.02)],
    ['another does not announce it', question, FIRST, likely('Lohnsteuer zahlen', TEXT, 0.02)],
    ['another is of another work', question, FIRST, likely(DUE, TEXT, 0.02, 'SGB IV')],
    ['another is hardly likely', question, FIRST, likely(DUE, TEXT, 0.001)],
    [
      'it is asked in passing',
      'Darf ich lohnsteuer anmelden?',
      FIRST,
      likely('Verbot der Anmeldung', 'Sie ist verboten.', 0.02),
    ],
  ])('is not told where %s', (_, asked, first, other) => {
    expect(passagesFor(asked, [first, other])).toEqual([first]);
  });
});
