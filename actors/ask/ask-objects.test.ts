import { describe, expect, it } from 'vitest';
import type { Retriever } from '../../kb/answer/ports.ts';
import { buildIndex } from '../../kb/index/build.ts';
import { LexicalIndex } from '../../kb/index/lexical-index.ts';
import { coverageOf } from '../../kb/ranking/coverage.ts';
import { rankHits } from '../../kb/ranking/rank.ts';
import { atOnce } from '../../kb/steps.ts';
import type { Source } from '../../kb/source.ts';
import { askQuoting } from '../../testing/ask-quoting.ts';

const sourceOf = (id: string, title: string, text: string): Source => ({
  id,
  title,
  section: 'Umlagen',
  stand: '2022-03',
  work: 'Test',
  lang: 'de',
  year: null,
  text,
  asked: [`Wie hoch ist die ${title}?`, `Was beträgt die ${title}?`],
});
const U1 = sourceOf('U1', 'Umlage U1', 'Die Umlage U1 beträgt 1,6 Prozent des Entgelts.');
const U2 = sourceOf('U2', 'Umlage U2', 'Die Umlage U2 beträgt 0,65 Prozent des Entgelts.');
const BOTH = 'Wie hoch ist die Umlage U1 und U2?';

async function ask(question: string, sources: readonly Source[]) {
  const index = new LexicalIndex(buildIndex(sources));
  const retriever: Retriever = {
    hash: 'abc',
    languages: ['de'],
    about: null,
    search: (query, { topK }) =>
      Promise.resolve(atOnce(rankHits(index, query, index.search(query, { topK })))),
    coverage: (query, hits, options) => ({
      ...coverageOf(index, query, hits, options),
      covered: hits.length > 0,
    }),
    source: (id) => index.source(id),
  };
  const output = await askQuoting(retriever, question);
  if (output.outcome === 'failed') throw output.error;
  return output.answer;
}

describe('a question that asks the same of several things', () => {
  it('is answered for each, from the source that speaks of it', async () => {
    const { parts, citations, answer } = await ask(BOTH, [U1, U2]);
    expect(citations.toSorted()).toEqual(['U1', 'U2']);
    expect(answer).not.toContain('keine Antwort');
    expect(parts.every(({ covered }) => covered)).toBe(true);
  });

  it('says of which of them nothing is known', async () => {
    const { parts, answer } = await ask(BOTH, [U1]);
    expect(parts).toEqual([
      { text: 'Wie hoch ist die Umlage U1?', covered: true, source_ids: ['U1'] },
      { text: 'Wie hoch ist die Umlage U2?', covered: false, source_ids: [] },
    ]);
    expect(answer).toContain('keine Antwort gefunden: „Wie hoch ist die Umlage U2“.');
  });

  it('is answered for each from a passage that speaks of all of them', async () => {
    const both = sourceOf(
      'U',
      'Umlagen',
      'Die Umlage U1 beträgt 1,6 Prozent. Die Umlage U2 beträgt 0,65 Prozent.',
    );
    const { parts, answer } = await ask(BOTH, [both]);
    expect(parts.map(({ covered, source_ids }) => [covered, source_ids])).toEqual([
      [true, ['U']],
      [true, ['U']],
    ]);
    expect(answer.match(/1,6 Prozent/gu)).toHaveLength(1);
  });

  it('has no parts where the base names them together, as one thing', async () => {
    const both = sourceOf('U', 'Umlagen', 'Zu zahlen sind die Umlage U1 und U2.');
    await expect(ask(BOTH, [both])).resolves.toMatchObject({ parts: [], citations: ['U'] });
  });

  it('is not answered for one that a passage on another only mentions', async () => {
    const mentions = sourceOf('U1', 'Umlage U1', 'Die Umlage U1 beträgt 1,6 Prozent, anders als bei U2.');
    const { parts, answer } = await ask(BOTH, [mentions, U2]);
    expect(parts.map(({ source_ids }) => source_ids)).toEqual([['U1'], ['U2']]);
    expect(answer).toContain('0,65 Prozent');
  });

  it('is answered for some where all of it is asked of nothing that the base has', async () => {
    const { parts, status } = await ask('Wie hoch ist die Umlage U2 und die Kurtaxe?', [U2]);
    expect(status).toBe('answered');
    expect(parts.map(({ covered }) => covered)).toEqual([true, false]);
  });

  it('may be one of several questions', async () => {
    const { parts } = await ask(`${BOTH} Wie hoch ist denn die Umlage U1 im Jahr?`, [U1, U2]);
    expect(parts.map(({ text }) => text)).toEqual([
      'Wie hoch ist die Umlage U1?',
      'Wie hoch ist die Umlage U2?',
      'Wie hoch ist denn die Umlage U1 im Jahr?',
    ]);
  });
});

describe('a question that leans on what nobody has said', () => {
  const trainees = ['Urlaub', 'Probezeit'].map((of) => ({
    ...sourceOf(of, `${of} der Azubis`, `Für Azubis gelten beim Thema ${of} eigene Regeln.`),
    asked: [`${of} der Azubis`],
  }));

  it('is asked back, with what the base answers on all that it names', async () => {
    await expect(ask('Gilt das auch für Azubis?', [U1, ...trainees])).resolves.toMatchObject({
      status: 'refused',
      citations: [],
      clarification_question: 'Was ist gemeint: „Urlaub der Azubis“ oder „Probezeit der Azubis“?',
    });
    const { citations } = await ask('Urlaub der Azubis', trainees);
    expect(citations[0]).toBe('Urlaub');
  });

  it('is answered where the base knows one thing only that it may mean', async () => {
    await expect(ask('Gilt das auch für Azubis?', [U1, trainees[0]!])).resolves.toMatchObject({
      status: 'answered',
      citations: ['Urlaub'],
    });
  });
});
