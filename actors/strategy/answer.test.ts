import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainAnswer, StrategyAnswer } from './answer.ts';

test('a second target of a ticker is named, because it would replace the first one without a word', () => {
  const twice = {
    targets: [
      { ticker: 'AAA', weight: 0.1 },
      { ticker: 'AAA', weight: 0.3 },
    ],
  };
  expect(plainAnswer(twice)).toBeNull();
  expect(StrategyAnswer.safeParse(twice).error!.issues).toMatchObject([
    { path: ['targets', 1, 'ticker'], message: 'AAA has a target already' },
  ]);
});

/** Mostly nothing, at times one of these. */
const rarely = (...more: readonly object[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.constantFrom(...more) });

const target = fc
  .tuple(
    fc.record(
      {
        ticker: fc.constantFrom('AAA', 'BBB'),
        weight: fc.double({ min: -2, max: 2, noNaN: true }),
        time_in_force: fc.constantFrom('day', 'gtc'),
        reason: fc.constant('trend'),
      },
      { requiredKeys: ['ticker', 'weight'] },
    ),
    rarely(
      { weight: Number.NaN },
      { weight: 1e13 },
      { quantity: 5 },
      { stop: 9 },
      { tolerance: 0.1 },
      { reason: 'long '.repeat(41) },
    ),
  )
  .map(([usual, more]) => ({ ...usual, ...more }));
const answer = fc
  .tuple(
    fc.record({ targets: fc.array(target, { maxLength: 3 }), state: fc.jsonValue() }, { requiredKeys: [] }),
    rarely(
      { state: { mean: Number.NaN } },
      { state: new Map() },
      { state: 'x'.repeat(70_000) },
      { orders: [] },
      { plot: { rising: 1 } },
    ),
  )
  .map(([usual, more]) => ({ ...usual, ...more }));

test('a plain answer is what the schema reads of it; a fault is left to the schema', () => {
  let plain = 0;
  fc.assert(
    fc.property(answer, (said) => {
      const read = plainAnswer(said);
      if (read === null) return;
      plain += 1;
      expect(read).toEqual(StrategyAnswer.parse(said));
    }),
    { numRuns: 500, seed: 48 },
  );
  expect(plain).toBeGreaterThan(200);
  expect(plainAnswer(undefined)).toEqual(StrategyAnswer.parse({}));
});
