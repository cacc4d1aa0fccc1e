import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { centralDifferences, relativeError, running, type Fed } from '../graph/running.suite.ts';
import { elements, type Precision, type Shape } from '../graph/tensor.ts';
import { countParameters, initialParameters } from './parameters.ts';
import { fillMask, gaussian } from './random.ts';
import { BATCH, LEARNING_RATES, MASKS, PARAMETERS, SPEC, X, Y } from './reference/example.suite.ts';
import { biasCorrections, hyperparameters } from './learning-rate.ts';
import { gradientGraph } from './gradient-graph.suite.ts';
import { trainingGraph, type Mask } from './training-graph.ts';

/** Computed by PyTorch in float64; see `reference/gradients.py`. */
const REFERENCE = JSON.parse(readFileSync(join(import.meta.dirname, 'reference/gradients.json'), 'utf8')) as {
  readonly losses: readonly number[];
  readonly norms: readonly number[];
  readonly gradient: readonly number[];
  /** After one step for each loss. */
  readonly parameters: readonly number[];
};

const SIZE = countParameters(SPEC);
const DATA: Record<string, Fed> = {
  x: { values: X, shape: [BATCH, SPEC.sequence_length, SPEC.features] },
  y: { values: Y, shape: [BATCH, 2] },
  ...Object.fromEntries(MASKS.map(({ name, ...mask }) => [name, mask])),
};

test.each([
  ['float64', 1e-8],
  ['float32', 1e-5],
] as const)('loss and gradients in %s are those of PyTorch', async (precision, tolerance) => {
  const { bytes } = gradientGraph(SPEC, BATCH, { precision });
  const found = await running(bytes, precision, (run) => run({ ...DATA, p: vector(PARAMETERS) }));
  expect(distance(found['loss']!, REFERENCE.losses.slice(0, 1))).toBeLessThan(tolerance);

  expect(distance(found['gradient']!, REFERENCE.gradient)).toBeLessThan(tolerance);
});

test('each single gradient is that of PyTorch', async () => {
  const { bytes } = gradientGraph(SPEC, BATCH, { precision: 'float64' });
  const found = await running(bytes, 'float64', (run) => run({ ...DATA, p: vector(PARAMETERS) }));
  expect(relativeError(found['gradient']!, REFERENCE.gradient)).toBeLessThan(1e-7);
});

test('gradients of a whole network, with dropout, are those that finite differences find', async () => {
  const spec = { features: 3, sequence_length: 4, hidden_channels: 4, num_heads: 2, layers: 2, dropout: 0.2 };
  const { bytes, masks } = gradientGraph(spec, 2, { precision: 'float64' });
  const data = { x: random(1, 1, [2, 4, 3]), y: random(1, 2, [2, 2]), ...filled(masks, 1, spec.dropout) };
  const point = random(1, 3, [countParameters(spec)]).values.map((value) => value / 2);
  await running(bytes, 'float64', async (run) => {
    const at = (moved: Float64Array) => run({ ...data, p: vector(moved) });
    const slopes = await centralDifferences(async (moved) => (await at(moved))['loss']![0]!, point);
    expect(relativeError((await at(point))['gradient']!, slopes)).toBeLessThan(1e-6);
  });
});

test('so are those of networks of any other size, along a random direction', async () => {
  const sizes = fc.record({
    features: fc.integer({ min: 1, max: 5 }),
    sequence_length: fc.integer({ min: 4, max: 7 }),
    num_heads: fc.integer({ min: 1, max: 3 }),
    channels: fc.integer({ min: 3, max: 5 }),
    layers: fc.integer({ min: 1, max: 3 }),
    batch: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(1000), async ({ channels, batch, ...size }, seed) => {
      const spec = { ...size, hidden_channels: channels * size.num_heads, dropout: 0 };
      const data = {
        x: random(seed, 1, [batch, spec.sequence_length, spec.features]),
        y: random(seed, 2, [batch, 2]),
      };
      const point = random(seed, 3, [countParameters(spec)]).values.map((value) => value / 2);
      const direction = random(seed, 4, [countParameters(spec)]).values;
      const { bytes } = gradientGraph(spec, batch, { precision: 'float64' });
      await running(bytes, 'float64', async (run) => {
        const at = (moved: Float64Array) => run({ ...data, p: vector(moved) });
        const slope = await centralDifferences(
          async ([way]) => (await at(point.map((value, k) => value + way! * direction[k]!)))['loss']![0]!,
          new Float64Array(1),
        );
        const { gradient } = await at(point);
        const along = gradient!.reduce((sum, value, k) => sum + value * direction[k]!, 0);
        expect(Math.abs(along - slope[0]!)).toBeLessThan(1e-6 * Math.hypot(...gradient!));
      });
    }),
    { numRuns: 15, seed: 1 },
  );
});

test.each([
  ['float64', 1e-7],
  ['float32', 1e-5],
] as const)('steps of AdamW with clipping in %s are those of PyTorch', async (precision, tolerance) => {
  const { bytes } = trainingGraph(SPEC, BATCH, { precision });
  await running(bytes, precision, async (run) => {
    let [p, m, v] = [Float64Array.from(PARAMETERS), new Float64Array(SIZE), new Float64Array(SIZE)];
    for (const [at, rate] of LEARNING_RATES.entries()) {
      const hp = { values: Float64Array.of(rate, ...biasCorrections(at + 1)), shape: [3] };
      const after = await run({ ...DATA, p: vector(p), m: vector(m), v: vector(v), hp });
      expect(distance(after['loss']!, [REFERENCE.losses[at]!])).toBeLessThan(tolerance);
      expect(distance(after['norm']!, [REFERENCE.norms[at]!])).toBeLessThan(tolerance);
      [p, m, v] = [after['p2']!, after['m2']!, after['v2']!] as [typeof p, typeof m, typeof v];
    }

    expect(distance(moved(p), moved(REFERENCE.parameters))).toBeLessThan(tolerance);
  });
});

test('training lowers the loss, and the same steps give the same bits', async () => {
  const [once, again] = [await trained('float32', 40), await trained('float32', 40)];
  expect(again).toEqual(once);
  expect(once.losses.at(-1)).toBeLessThan(once.losses[0]! / 10);
});

test('the same spec gives the same bytes', () => {
  expect(trainingGraph(SPEC, BATCH)).toEqual(trainingGraph(SPEC, BATCH));
});

test('each block has two masks, of the last block for the last day only; without dropout there are none', () => {
  const shapes = trainingGraph(SPEC, BATCH).masks.map(({ name, shape, size }) => [name, ...shape, size]);
  expect(shapes).toEqual([
    ['mask0', 18, 8, 144],
    ['mask1', 18, 8, 144],
    ['mask2', 3, 8, 24],
    ['mask3', 3, 8, 24],
  ]);
  expect(trainingGraph({ ...SPEC, dropout: 0 }, BATCH).masks).toEqual([]);
});

async function trained(precision: Precision, steps: number) {
  const { bytes, masks } = trainingGraph(SPEC, BATCH, { precision });
  return running(bytes, precision, async (run) => {
    const losses: number[] = [];
    let state: Record<string, Float64Array> = {
      p2: Float64Array.from(initialParameters(SPEC, 1)),
      m2: new Float64Array(SIZE),
      v2: new Float64Array(SIZE),
    };
    for (let step = 1; step <= steps; step++) {
      state = await run({
        ...DATA,
        ...filled(masks, step, SPEC.dropout),
        p: vector(state['p2']!),
        m: vector(state['m2']!),
        v: vector(state['v2']!),
        hp: { values: Float64Array.from(hyperparameters({ learning_rate: 0.01 }, step, steps)), shape: [3] },
      });
      losses.push(state['loss']![0]!);
    }
    return { losses, parameters: state['p2'] };
  });
}

function filled(masks: readonly Mask[], step: number, dropout: number): Record<string, Fed> {
  const fed = masks.map(({ name, shape, size }, stream) => {
    const values = new Uint8Array(size);
    fillMask(values, 1, step, stream, dropout);
    return [name, { values, shape }] as const;
  });
  return Object.fromEntries(fed);
}

function random(seed: number, stream: number, shape: Shape) {
  const values = Float64Array.from({ length: elements(shape) }, (_, at) => gaussian(seed, stream, at));
  return { values, shape };
}

function vector(values: Float64Array | Float32Array): Fed {
  return { values, shape: [values.length] };
}

/**
 * How far parameters have moved from the example's. Those that do not affect the output are left out, such as the
 * biases of keys, which shift all scores of a day alike: their gradient is only rounding of float32, but Adam makes
 * whole steps of it.
 */
function moved(parameters: ArrayLike<number>): Float64Array {
  return Float64Array.from(parameters, (value, at) => value - PARAMETERS[at]!).filter(
    (_, at) => Math.abs(REFERENCE.gradient[at]!) > 1e-6,
  );
}

/** The length of the difference relative to the expected length. */
function distance(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  const differences = Array.from(expected, (value, at) => value - found[at]!);
  return Math.hypot(...differences) / Math.hypot(...Array.from(expected));
}
