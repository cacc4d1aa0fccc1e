import { execFile } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Forecast } from '../../../actors/strategy/forecast.ts';
import { syntheticDataset } from '../data/synthetic.suite.ts';
import { inferenceGraph } from '../network/inference-graph.ts';
import { initialParameters } from '../network/parameters.ts';
import { openPartPredictor } from '../training/part-predictor.ts';
import { openPredictor, type Predictor } from './predictor.ts';

const SPEC = {
  features: 4,
  sequence_length: 20,
  hidden_channels: 16,
  num_heads: 2,
  layers: 1,
  dropout: 0.1,
};
const BATCH = 4;
const SIZE = SPEC.sequence_length * SPEC.features;

const dataset = syntheticDataset({
  seed: 7,
  sequenceLength: SPEC.sequence_length,
  features: SPEC.features,
  windows: { train: 60, validation: 40, test: 20 },
});
const weights = { spec: SPEC, parameters: initialParameters(SPEC, 3), scaler: dataset.scaler };

/** The windows of the validation part, unscaled as a caller has them. */
const windows = [...dataset.validation.rows].map((row) => {
  const { mean, deviation } = dataset.scaler.inputs;
  const scaled = dataset.inputs.subarray((row + 1) * SPEC.features - SIZE, (row + 1) * SPEC.features);
  return scaled.map((value, at) => value * deviation[at % SPEC.features]! + mean[at % SPEC.features]!);
});

let predictor: Predictor;

beforeAll(async () => {
  predictor = await openPredictor(weights, { batch: BATCH });
});
afterAll(() => predictor.close());

describe('a predictor', () => {
  test('says what model.onnx says', async () => {
    const file = inferenceGraph(SPEC, { batch: 'any', ...weights });
    const session = await InferenceSession.create(file, { intraOpNumThreads: 1 });
    const shape = [windows.length, SPEC.sequence_length, SPEC.features];
    const x = new Tensor('float32', Float32Array.from(windows.flatMap((window) => [...window])), shape);
    const { prediction } = await session.run({ x });
    const forecasts = await predictor.predict(windows);
    const said = forecasts.flatMap((forecast) => [forecast.return, forecast.volatility]);
    for (const [at, value] of (prediction!.data as Float32Array).entries())
      expect(said[at]).toBeCloseTo(value, 5);
    expect(new Set(said).size).toBe(said.length);
    await session.release();
  });

  test('says what validation in training says of the same windows', async () => {
    const validating = await openPartPredictor(SPEC, 8, { provider: 'cpu', threads: 1 });
    const { signal } = new AbortController();
    const scaled = await validating.of(weights.parameters, dataset, dataset.validation, signal);
    const { mean, deviation } = dataset.scaler.targets;
    for (const [at, forecast] of (await predictor.predict(windows)).entries()) {
      expect(forecast.return).toBeCloseTo(scaled[2 * at]! * deviation[0]! + mean[0]!, 5);
      expect(forecast.volatility).toBeCloseTo(scaled[2 * at + 1]! * deviation[1]! + mean[1]!, 5);
    }
    await validating.close();
  });

  test('says the same, bit for bit, whichever windows it is asked of together, and by whom else meanwhile', async () => {
    const alone: Forecast[] = [];
    for (const window of windows) alone.push(...(await predictor.predict([window])));
    const places = fc.integer({ min: 0, max: windows.length - 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(places, { maxLength: 3 * BATCH }), fc.array(places), async (some, others) => {
        const [first, second] = await Promise.all(
          [some, others].map((of) => predictor.predict(of.map((at) => windows[at]!))),
        );
        expect(first).toEqual(some.map((at) => alone[at]));
        expect(second).toEqual(others.map((at) => alone[at]));
      }),
      { numRuns: 30 },
    );
  });

  test('lets the event loop turn between two batches', async () => {
    const order: string[] = [];
    const answering = predictor.predict(windows).then(() => order.push('answered'));
    for (let turn = 1; turn < windows.length / BATCH; turn++) {
      await nextTurn();
      order.push('turn');
    }
    await answering;
    expect(order.at(-1)).toBe('answered');
  });

  test('refuses a window of another size, and goes on', async () => {
    await expect(predictor.predict([windows[0]!, new Float32Array(SIZE + 1)])).rejects.toThrow(RangeError);
    expect(await predictor.predict([])).toEqual([]);
    expect(await predictor.predict(windows.slice(0, 1))).toHaveLength(1);
  });

  test('is closed once what it was asked is answered, and answers nothing afterwards', async () => {
    const other = await openPredictor(weights, { batch: BATCH });
    const order: string[] = [];
    const answering = other.predict(windows).then((said) => order.push(`answered ${said.length}`));
    const closing = Promise.all([other.close(), other.close()]).then(() => order.push('closed'));
    await Promise.all([answering, closing]);
    expect(order).toEqual([`answered ${windows.length}`, 'closed']);
    await expect(other.predict(windows)).rejects.toThrow('closed');
  });
});

test('without ORT_DISABLE_TELEMETRY=1 nothing is loaded', async () => {
  const { ORT_DISABLE_TELEMETRY: _, ...env } = process.env;
  const script = `
    const { openPredictor } = await import(${JSON.stringify(new URL('predictor.ts', import.meta.url).href)});
    await openPredictor({}).catch(({ message }) => console.log(message));
    console.log(process.report.getReport().sharedObjects.filter((file) => file.includes("onnxruntime")).length);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env,
  });
  expect(stdout).toBe('ORT_DISABLE_TELEMETRY=1 must be set in the environment\n0\n');
});
