import { describe, expect, it } from 'vitest';
import { Comparison, disagreements, type Beginning } from './training/comparison.ts';
import { contenders, type Contender } from './training/contender.ts';
import { taskOf } from './training/reference.ts';

const TINY = {
  features: 3,
  sequence_length: 5,
  hidden_channels: 8,
  num_heads: 2,
  layers: 2,
  dropout: 0,
};

describe('the benchmark of training', () => {
  const { found, missing } = contenders([1]);
  if (missing.length > 0) console.log(`not installed, so not compared: ${missing.join(', ')}`);

  it.skipIf(missing.some((name) => name.startsWith('@')))(
    'compares networks that give the same predictions and losses, and measures each',
    async () => {
      const task = taskOf(TINY, { batch_size: 4, batches: 2 });
      await Comparison.of(task, found, async (comparison) => {
        const beginnings = await comparison.begin(5);
        expect(beginnings.map(({ contender }) => contender.name)).toEqual(
          expect.arrayContaining(['beleg', 'jax-js', 'tfjs']),
        );
        expect(disagreements(beginnings)).toEqual([]);
        const [{ losses, outputs }] = beginnings as [Beginning];
        expect(new Set(losses).size).toBe(5);
        expect(outputs).toHaveLength(8);
        for (const { stepMs, cpuMs, inferenceMs, peakMb } of await comparison.measure(2, 0)) {
          for (const values of [stepMs, inferenceMs])
            expect(values.map((ms) => ms > 0)).toEqual([true, true]);
          expect(cpuMs).toHaveLength(2);
          expect(peakMb).toBeGreaterThan(10);
        }
      });
    },
  );

  it('says who ended before it had replied', async () => {
    const broken: Contender = { name: 'jax-js', threads: 1, command: [process.execPath, '-e', '0'] };
    const comparing = Comparison.of(taskOf(TINY, { batch_size: 4, batches: 2 }), [broken], (comparison) =>
      comparison.begin(1),
    );
    await expect(comparing).rejects.toThrow('jax-js ended before it replied');
  });
});

describe('disagreements', () => {
  const [contender] = contenders([1]).found;
  const beginning = (losses: number[], outputs = [0.5]): Beginning => ({
    contender: contender!,
    library: 'other',
    remark: null,
    losses,
    outputs,
  });

  it.each([
    ['another loss', beginning([1, 0.9002]), ['other: loss of step 2 is 0.9002, not 0.9']],
    ['another prediction', beginning([1, 0.9], [0.6]), ['other: prediction 1 is 0.6, not 0.5']],
    ['no number', beginning([Number.NaN, 0.9]), ['other: loss of step 1 is NaN, not 1']],
    ['fewer of them', beginning([1]), ['other: loss of step: 1 of them, not 2']],
    ['what rounding makes', beginning([1.000_02, 0.9]), []],
  ])('tells of %s', (_, other, expected) => {
    expect(disagreements([beginning([1, 0.9]), other])).toEqual(expected);
  });
});
