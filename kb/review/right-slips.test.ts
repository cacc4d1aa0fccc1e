import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadKnowledgeBase } from '../base/load.ts';
import { review } from './review.ts';
import { randomOf, rightSlip, spoiled, type Slip } from './right-slips.suite.ts';

const { review: base } = await loadKnowledgeBase(fileURLToPath(new URL('../corpus', import.meta.url)));

const warningsOf = ({ facts }: Slip): string[] =>
  review({
    question: 'Stimmt die Abrechnung?',
    context: { facts: facts.map(([key, value]) => ({ key: key.toLowerCase(), value })) },
    base,
    language: 'de',
  })
    .checks.filter(({ status }) => status === 'warn')
    .map(({ aspect, detail }) => `${aspect}: ${detail}`);

test('a right slip is never warned of', () => {
  for (let seed = 1; seed <= 1500; seed += 1) {
    const slip = rightSlip(randomOf(seed));
    expect(warningsOf(slip), `${seed} ${JSON.stringify(slip)}`).toEqual([]);
  }
});

test('one wrong value is warned of', () => {
  let caught = 0;
  for (let seed = 1; seed <= 500; seed += 1) {
    const random = randomOf(seed);
    if (warningsOf(spoiled(rightSlip(random), random)).length > 0) caught += 1;
  }
  expect(caught).toBeGreaterThanOrEqual(490);
});
