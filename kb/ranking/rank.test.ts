import { describe, expect, it } from 'vitest';
import { buildIndex } from '../index/build.ts';
import { LexicalIndex } from '../index/lexical-index.ts';
import type { Source } from '../source.ts';
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
