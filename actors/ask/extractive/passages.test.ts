import { expect, it } from 'vitest';
import type { Hit, Source } from '../../../kb/knowledge.ts';
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
