import { expect, it } from 'vitest';
import type { Retriever } from '../../kb/answer/ports.ts';
import type { Source } from '../../kb/source.ts';
import { askQuoting } from '../../testing/ask-quoting.ts';

const source: Source = {
  id: 'P',
  title: 'Pausen',
  section: '§ 4 ArbZG',
  stand: '2022-03',
  work: 'Test',
  lang: 'de',
  year: null,
  text: 'Die Pause beträgt bei acht Stunden Arbeit 30 Minuten.',
};
const STORY =
  'Ein Geselle hatte Streit mit dem Meister, weil der meinte, früher habe man sich auch nicht so angestellt, und die Brezn müssten ' +
  'aus dem Ofen, bevor die ersten Kunden kommen. Seitdem reden die beiden kaum noch miteinander, und alle anderen leiden darunter sehr.';
const QUESTION = 'Wie lange muss die Pause bei acht Stunden Arbeit sein?';

const retriever = (isCovered: (query: string) => boolean): Retriever => ({
  hash: 'abc',
  search: () =>
    Promise.resolve([
      { source, score: 1, passages: [{ source, text: source.text, start: 0 }], referenced: false },
    ]),
  coverage: (query) => ({
    value: 1,
    relevance: 0.9,
    otherYears: null,
    covered: isCovered(query),
    missing: isCovered(query) ? [] : [query === QUESTION ? 'Pause' : 'Brezn'],
  }),
  languages: ['de'],
  about: { asOf: '2022-03', law: true },
  source: () => source,
});

it.each([
  ['which nothing answers as a whole', (query: string) => query === QUESTION, [QUESTION]],
  ['which is answered as a whole', () => true, [`${STORY} ${QUESTION}`]],
])('a question behind a long story %s', async (_, isCovered, queries) => {
  const output = await askQuoting(retriever(isCovered), `${STORY} ${QUESTION}`);
  expect(output).toMatchObject({ outcome: 'answer', answer: { status: 'answered' } });
  expect(output.events.find(({ type }) => type === 'PassagesRetrieved')?.data).toMatchObject({ queries });
});

it('a question behind a long story that nothing answers is refused for its own words', async () => {
  const output = await askQuoting(
    retriever(() => false),
    `${STORY} ${QUESTION}`,
  );
  expect(output).toMatchObject({ answer: { status: 'refused' } });
  const { answer } = (output as Extract<typeof output, { outcome: 'answer' }>).answer;
  expect(answer).toContain('„Pause“');
  expect(answer).not.toContain('Brezn');
});
