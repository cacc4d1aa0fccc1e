import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadKnowledgeBase } from '../base/load.ts';
import { review } from './review.ts';
import { NO_CLOCK, randomOf, rightSlip, seedsFrom, spoiled, type Slip } from './right-slips.suite.ts';

const { review: base } = await loadKnowledgeBase(fileURLToPath(new URL('../corpus', import.meta.url)));
const FROM = 1_000_000;
const SLIPS = 1000;

const isWarned = ({ facts }: Slip): boolean =>
  review({
    question: 'Stimmt die Abrechnung?',
    context: { facts: facts.map(([key, value]) => ({ key: key.toLowerCase(), value })) },
    base,
    language: 'de',
  }).checks.some(({ status }) => status === 'warn');

test(
  'of many right slips none is warned of, and of many with one wrong value all but two in a hundred',
  NO_CLOCK,
  async () => {
    const warned: number[] = [];
    let caught = 0;
    for await (const seed of seedsFrom(FROM, SLIPS)) {
      const random = randomOf(seed);
      const slip = rightSlip(random);
      if (isWarned(slip)) warned.push(seed);
      if (isWarned(spoiled(slip, random))) caught += 1;
    }
    expect(warned).toEqual([]);
    expect(caught / SLIPS).toBeGreaterThanOrEqual(0.98);
  },
);
