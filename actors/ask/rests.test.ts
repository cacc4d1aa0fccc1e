import { expect, it } from 'vitest';
import type { Hit } from '../../kb/hit.ts';
import type { Match } from '../../kb/ranking/fit.ts';
import type { Retriever } from '../../kb/answer/ports.ts';
import type { Source } from '../../kb/source.ts';
import { askQuoting } from '../../testing/ask-quoting.ts';

function steps(id: string, from: number, count: number): Source {
  const lines = Array.from({ length: count }, (_, i) => `${from + i}. Schritt der Anleitung.`);
  const units = lines.map((line, i) => {
    const start = lines.slice(0, i).join('\n').length + Number(i > 0);
    return { kind: 'item' as const, start, end: start + line.length, lead: null };
  });
  return {
    id,
    title: 'Anleitung',
    section: 'Handbuch',
    stand: '2024-01',
    work: 'Handbuch',
    lang: 'de',
    year: null,
    path: 'handbuch.md',
    text: lines.join('\n'),
    units,
  };
}

/** Finds the first of two passages only. */
async function answerOf(first: Source, next: Source): Promise<string> {
  const hit: Hit = {
    source: first,
    score: 1,
    passages: [{ source: first, text: first.text, start: 0 }],
    referenced: false,
    match: { kind: 'document', share: 0.9, words: [], found: [] } as unknown as Match,
  };
  const retriever: Retriever = {
    hash: 'abc',
    search: () => Promise.resolve([hit]),
    coverage: () => ({ value: 1, relevance: 0.9, otherYears: null, covered: true, missing: [] }),
    languages: ['de'],
    about: null,
    source: (id) => [first, next].find((source) => source.id === id),
  };
  const output = await askQuoting(retriever, 'Was sind die Schritte der Anleitung?');
  return output.outcome === 'answer' ? output.answer.answer : '';
}

it('tells the rest of an instruction that only its beginning was found for, or that it goes on', async () => {
  const first = steps('handbuch.anleitung', 1, 4);
  await expect(answerOf(first, steps('handbuch.anleitung_2', 5, 2))).resolves.toContain('6. Schritt');
  const cut = await answerOf(first, steps('handbuch.anleitung_2', 5, 20));
  expect(cut).not.toContain('5. Schritt');
  expect(cut).toContain('Die Quelle nennt noch weitere Punkte.');
});
