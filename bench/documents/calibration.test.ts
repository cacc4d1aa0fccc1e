import { expect, test } from 'vitest';
import { calibratedOnOthers, calibrationError, type Estimated } from './calibration.ts';

/** Answers with one relevance, of which this share is right. */
const answers = (collection: string, relevance: number, share: number): Estimated[] =>
  Array.from({ length: 100 }, (_, k) => ({ collection, relevance, right: k < 100 * share }));

test('what is told as often as it is right has no error, and what is told too high errs by the difference', () => {
  expect(calibrationError([...answers('a', 0.25, 0.25), ...answers('a', 0.75, 0.75)])).toBeCloseTo(0);
  expect(calibrationError([...answers('a', 0.55, 0.25), ...answers('a', 0.95, 0.75)])).toBeCloseTo(0.25);
});

test('a collection is calibrated on the others alone', () => {
  const high = ['a', 'b'].flatMap((name) => [...answers(name, 0.6, 0.3), ...answers(name, 0.9, 0.6)]);
  expect(calibrationError(high)).toBeCloseTo(0.3);
  expect(calibrationError(calibratedOnOthers(high))).toBeLessThan(0.02);
  const odd = [...answers('c', 0.6, 1), ...answers('c', 0.9, 1)];
  const estimates = calibratedOnOthers([...high, ...odd]).filter(({ collection }) => collection === 'c');
  expect(calibrationError(estimates)).toBeGreaterThan(0.5);
});
