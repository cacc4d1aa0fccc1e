import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../events/temporary-folder.suite.ts';
import { holdsOneOf, measure } from './eval-measure.ts';
import { openPipeline, type Response } from './eval-pipeline.ts';
import { HELD_OUT_SETS, readQuestions, SETS, type Question } from './eval-sets.ts';
import { VARIANTS } from './eval-variants.ts';

const xquad = SETS.find(({ name }) => name === 'xquad')!;

// A guard against answers getting worse unnoticed: far below what `npm run eval` reports.
describe.skipIf(!xquad.here)('answers to 100 questions of XQuAD (needs ../shared/eval)', () => {
  it('finds, quotes and refuses', async () => {
    const work = temporaryFolder();
    const pipeline = await openPipeline(await xquad.base(work), work);
    try {
      const questions = (await readQuestions(xquad)).filter((_, i) => i % 5 === 0).slice(0, 100);
      const responses = new Map<string, Response>();
      for (const { id, question } of questions) responses.set(id, await pipeline.ask(id, question));
      const shares = measure(questions, responses);
      expect(shares.hitAt1).toBeGreaterThan(0.9);
      expect(shares.answered).toBeGreaterThan(0.75);
      expect(shares.refused).toBeGreaterThan(0.85);
      expect(shares.goldCited).toBeGreaterThan(0.93);
      expect(shares.goldInAnswer).toBeGreaterThan(0.88);
      expect(shares.sentences).toBeLessThan(6);
      for (const { status, verified } of responses.values()) expect(verified).toBe(status === 'answered');
    } finally {
      await pipeline.close();
    }
  });
});

const question = (id: string, expect: Question['expect']): Question => ({
  id,
  question: id,
  expect,
  gold: ['A'],
  answers: ['24 Werktage'],
  withheld: null,
  article: id,
});

const response = (status: 'answered' | 'refused', citations: string[] = []) => ({
  status,
  citations,
  answer: 'Es sind 24 Werktage. [A]',
  hits: ['A', 'B'],
  foundFirst: 'A',
});

describe('measure', () => {
  it('counts shares of what they are shares of', () => {
    const questions = [question('1', 'answered'), question('2', 'answered'), question('3', 'refused')];
    const responses = new Map([
      ['1', response('answered', ['A'])],
      ['2', { ...response('refused'), hits: ['B', 'A'] }],
      ['3', response('refused')],
    ]);
    expect(measure(questions, responses)).toEqual({
      answered: 0.5,
      refused: 1,
      goldCited: 1,
      goldInAnswer: 1,
      sentences: 1,
      hitAt1: 0.5,
      hitAt10: 1,
    });
  });

  it('reads answers without citations, case and punctuation', () => {
    expect(holdsOneOf('Er zahlt „450 Euro“ [MJ-1], mehr nicht.', ['450 euro mehr'])).toBe(true);
    expect(holdsOneOf('Er zahlt 450 Euro.', ['', '540'])).toBe(false);
  });
});

describe('sets', () => {
  it('hold out paragraphs that the everyday questions for development do not ask for', async () => {
    const everyday = [...SETS, ...HELD_OUT_SETS].filter(({ name }) => name.startsWith('statutes-everyday'));
    const golds = await Promise.all(
      everyday.map(async (set) => new Set((await readQuestions(set)).flatMap(({ gold }) => gold))),
    );
    expect(golds).toHaveLength(2);
    for (const { size } of golds) expect(size).toBeGreaterThan(60);
    expect([...golds[0]!.intersection(golds[1]!)]).toEqual([]);
  });
});

describe('variants', () => {
  it.each([
    ['umlauts as ae, oe, ue', 'Wie groß ist die Übung?', 'Wie gross ist die Uebung?'],
    ['lower case', 'Wie groß ist die Übung?', 'wie groß ist die übung?'],
  ])('rewords by %s', (name, question, expected) => {
    expect(VARIANTS.find((variant) => variant.name === name)!.apply(question)).toBe(expected);
  });

  it('swaps two letters in each long word, always the same', () => {
    const { apply } = VARIANTS.find(({ name }) => name === 'a typo in each long word')!;
    const typed = apply('Urlaub und Arbeitszeit');
    expect(typed).toMatch(/^Urlaub und \p{L}{11}$/u);
    expect(typed.split('').sort()).toEqual('Urlaub und Arbeitszeit'.split('').sort());
    expect(apply('Urlaub und Arbeitszeit')).toBe(typed);
  });
});
