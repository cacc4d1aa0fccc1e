import { expect, test } from 'vitest';
import { progressMeter } from './progress.ts';

test('progress is told twice a second at most, with the mean loss since it was told last', () => {
  const meter = progressMeter(100, 20, 1_000);
  expect(meter(21, 1, 4, 1_250)).toBeNull();
  expect(meter(22, 1, 2, 1_500)).toEqual({
    epoch: 1,
    step: 22,
    loss: 3,
    steps_per_second: 4,
    seconds_left: 78 / 4,
  });
  expect(meter(23, 1, 2, 1_999)).toBeNull();
  expect(meter(24, 2, 1, 2_000)).toMatchObject({ loss: 1.5, steps_per_second: 4 });
});

test('what is left counts what is done between epochs, the speed does not look back', () => {
  const meter = progressMeter(40, 0, 0);
  meter(10, 1, 1, 1_000);
  expect(meter(20, 2, 1, 5_000)).toMatchObject({ steps_per_second: 2.5, seconds_left: 5 });
});
