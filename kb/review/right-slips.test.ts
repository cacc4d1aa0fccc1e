import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadKnowledgeBase } from '../base/load.ts';
import { review, type Review } from './review.ts';
import { NO_CLOCK, randomOf, rightSlip, seedsFrom, spoiled, type Slip } from './right-slips.suite.ts';

const { review: base } = await loadKnowledgeBase(fileURLToPath(new URL('../corpus', import.meta.url)));

const reviewOf = ({ facts }: Slip): Review =>
  review({
    question: 'Stimmt die Abrechnung?',
    context: { facts: facts.map(([key, value]) => ({ key: key.toLowerCase(), value })) },
    base,
    language: 'de',
  });

const warningsOf = (slip: Slip): string[] =>
  reviewOf(slip)
    .checks.filter(({ status }) => status === 'warn')
    .map(({ aspect, detail }) => `${aspect}: ${detail}`);

/** Many others are in the full tests. */
const SLIPS = 150;

test('a right slip is never warned of', NO_CLOCK, async () => {
  for await (const seed of seedsFrom(1, SLIPS)) {
    const slip = rightSlip(randomOf(seed));
    expect(warningsOf(slip), `${seed} ${JSON.stringify(slip)}`).toEqual([]);
  }
});

test('the order of facts changes nothing, although what they share is worked out once', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const random = randomOf(seed);
    const slip = spoiled(rightSlip(random), random);
    const saidOf = (facts: Slip['facts']): unknown =>
      Object.fromEntries(reviewOf({ ...slip, facts }).checks.map(({ aspect, detail }) => [aspect, detail]));
    expect(saidOf(slip.facts.toReversed()), `${seed}`).toEqual(saidOf(slip.facts));
  }
});

test('one wrong value is warned of', NO_CLOCK, async () => {
  let caught = 0;
  for await (const seed of seedsFrom(1, SLIPS)) {
    const random = randomOf(seed);
    if (warningsOf(spoiled(rightSlip(random), random)).length > 0) caught += 1;
  }
  expect(caught / SLIPS).toBeGreaterThanOrEqual(0.98);
});

test(
  'of two wrong values both are found, and what is right is neither warned of nor left unsaid',
  NO_CLOCK,
  async () => {
    let [wrong, caught, derived, judged] = [0, 0, 0, 0];
    for await (const seed of seedsFrom(1, SLIPS)) {
      const random = randomOf(seed);
      const one = spoiled(rightSlip(random), random);
      const { facts, at, derived: followed } = spoiled(one, random);
      const keys = facts.map(([key]) => key.toLowerCase());
      const spoiledKeys = new Set([keys[one.at]!, keys[at]!]);
      const { checks } = reviewOf({ kind: one.kind, facts, derived: followed });
      const warned = checks.filter(({ status }) => status === 'warn').map(({ aspect }) => aspect);
      expect([...spoiledKeys], `${seed} ${JSON.stringify(facts)}`).toEqual(expect.arrayContaining(warned));
      const checked = new Set(checks.map(({ aspect }) => aspect));
      wrong += spoiledKeys.size;
      caught += warned.length;
      derived += followed.length;
      judged += followed.filter((place) => checked.has(keys[place]!)).length;
    }
    expect(caught / wrong).toBeGreaterThanOrEqual(0.97);
    expect(judged / derived).toBeGreaterThanOrEqual(0.98);
  },
);
