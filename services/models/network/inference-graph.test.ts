import { describe, expect, test } from 'vitest';
import { relativeError, running, type Fed } from '../graph/running.suite.ts';
import { inferenceGraph } from './inference-graph.ts';
import { countParameters } from './parameters.ts';
import { BATCH, PARAMETERS, SPEC, X, Y } from './reference/example.suite.ts';
import { gradientGraph } from './gradient-graph.suite.ts';

const SCALER = {
  inputs: { mean: [0.001, -2, 50, 1], deviation: [0.02, 3, 12, 0.5] },
  targets: { mean: [0.0005, 0.012], deviation: [0.015, 0.006] },
};
const P: Fed = { values: PARAMETERS, shape: [PARAMETERS.length] };

describe('parameters fed', () => {
  test('predicts what training takes the loss of', async () => {
    const spec = { ...SPEC, dropout: 0 };
    const predicted = await predict(inferenceGraph(spec, { batch: BATCH }), { x: windows(X), p: P });
    const squares = predicted.map((value, at) => (value - Y[at]!) ** 2);
    const { loss } = await running(gradientGraph(spec, BATCH).bytes, 'float32', (run) =>
      run({ x: windows(X), y: { values: Y, shape: [BATCH, 2] }, p: P }),
    );
    expect(
      relativeError(loss!, [squares.reduce((sum, square) => sum + square, 0) / squares.length]),
    ).toBeLessThan(1e-6);
  });

  test('drops nothing', async () => {
    const graphs = [SPEC, { ...SPEC, dropout: 0 }].map((spec) => inferenceGraph(spec, { batch: BATCH }));
    expect(graphs[0]).toEqual(graphs[1]);
  });
});

describe('parameters and scaler inside', () => {
  const bytes = inferenceGraph(SPEC, { batch: 'any', parameters: PARAMETERS, scaler: SCALER });
  const { inputs, targets } = SCALER;
  const unscaled = Float64Array.from(X, (value, at) => {
    const column = at % SPEC.features;
    return value * inputs.deviation[column]! + inputs.mean[column]!;
  });

  test('takes and gives figures as they are', async () => {
    const scaled = await predict(inferenceGraph(SPEC, { batch: BATCH }), { x: windows(X), p: P });
    const expected = scaled.map((value, at) => value * targets.deviation[at % 2]! + targets.mean[at % 2]!);
    expect(relativeError(await predict(bytes, { x: windows(unscaled) }), expected)).toBeLessThan(1e-5);
  });

  test('predicts the same of a window in any company', async () => {
    const together = await predict(bytes, { x: windows(unscaled) });
    const size = SPEC.sequence_length * SPEC.features;
    for (let window = 0; window < BATCH; window++) {
      const alone = await predict(bytes, { x: windows(unscaled.slice(window * size, (window + 1) * size)) });
      expect(relativeError(alone, together.slice(2 * window, 2 * window + 2))).toBeLessThan(1e-5);
    }
    const many = await predict(bytes, { x: windows(Float64Array.of(...unscaled, ...unscaled, ...unscaled)) });
    expect(relativeError(many.slice(-2 * BATCH), together)).toBeLessThan(1e-5);
  });

  test('the same parameters give the same bytes', () => {
    expect(inferenceGraph(SPEC, { batch: 'any', parameters: PARAMETERS, scaler: SCALER })).toEqual(bytes);
  });
});

test('refuses parameters of another network, and a scaler that would divide by 0', () => {
  const parameters = PARAMETERS.subarray(1);
  expect(() => inferenceGraph(SPEC, { batch: 1, parameters })).toThrow(
    '1865 parameters given, but the network has 1866',
  );
  for (const deviation of [0, Number.NaN]) {
    const scaler = { ...SCALER, inputs: { ...SCALER.inputs, deviation: [1, 1, deviation, 1] } };
    expect(() => inferenceGraph(SPEC, { batch: 1, scaler })).toThrow(RangeError);
  }
  expect(countParameters(SPEC)).toBe(1866);
});

async function predict(bytes: Uint8Array, feeds: Record<string, Fed>): Promise<Float64Array> {
  return (await running(bytes, 'float32', (run) => run(feeds)))['prediction']!;
}

function windows(values: Float32Array | Float64Array): Fed {
  const { sequence_length, features } = SPEC;
  return { values, shape: [values.length / sequence_length / features, sequence_length, features] };
}
