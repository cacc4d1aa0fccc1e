import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { writeBars } from '../data/bars.ts';
import { fillBatch } from '../data/dataset.ts';
import { syntheticDataset } from '../data/synthetic.suite.ts';
import { permutation } from '../network/random.ts';
import { readCheckpoint } from '../weights/checkpoint.ts';
import { readWeights } from '../weights/weights.ts';
import { hashOf, randomBars, smallJob, trainHere } from './jobs.suite.ts';
import { loadDataset } from './run-job.ts';

test('a run tells what it does, epoch by epoch, and leaves the best one’s weights', async () => {
  const job = await smallJob();
  const { preparations, epochs, end } = await trainHere(job);
  expect(preparations).toMatchObject([
    {
      device: { provider: 'cpu', fallback: null, precision: 'float32', amd_gpu: false },
      tickers: 3,
      train: { windows: 435, from: '2020-02-06' },
      steps: 30,
      step: 0,
    },
  ]);
  expect(epochs.map(({ epoch, step }) => [epoch, step])).toEqual([
    [1, 10],
    [2, 20],
    [3, 30],
  ]);
  const losses = epochs.map(({ validation_loss }) => validation_loss);
  expect(epochs.map(({ best }) => best)).toEqual(
    losses.map((loss, at) => loss < Math.min(...losses.slice(0, at))),
  );
  if (end.outcome !== 'trained') throw new Error(end.outcome);
  expect(losses[end.best_epoch - 1]).toBe(Math.min(...losses));
  expect(end.weights).toBe(await hashOf(job, 'weights.safetensors'));
  const { weights } = await readWeights(join(job.folder, 'weights.safetensors'), end.weights);
  expect(weights).toMatchObject({ run: 'small', seed: 7, scores: end.scores, spec: job.spec });
  expect(weights.trainedUntil).toBe(preparations[0]!.validation.to);
  const checkpoint = await readCheckpoint(join(job.folder, 'checkpoint.safetensors'));
  expect(checkpoint).toMatchObject({ step: 30, lossSum: 0, epochs, best: { epoch: end.best_epoch } });
  expect(weights.parameters).toEqual(checkpoint!.best!.parameters);
});

test('the model that it leaves takes and gives figures as they are, and scores what was told', async () => {
  const job = await smallJob();
  const { end } = await trainHere(job);
  const dataset = await loadDataset(job);
  const { rows } = dataset.test;
  const { inputs, targets } = dataset.scaler;
  const x = new Float32Array(rows.length * 8 * 8);
  const y = new Float32Array(rows.length * 2);
  fillBatch(dataset, rows, 0, rows.length, x, y);
  const unscaled = x.map((value, at) => value * inputs.deviation[at % 8]! + inputs.mean[at % 8]!);
  const session = await InferenceSession.create(join(job.folder, 'model.onnx'), { logSeverityLevel: 3 });
  const { prediction } = await session.run({ x: new Tensor('float32', unscaled, [rows.length, 8, 8]) });
  await session.release();
  let errors = 0;
  let squares = 0;
  for (const [window] of rows.entries()) {
    const predicted = ((prediction!.data[2 * window] as number) - targets.mean[0]!) / targets.deviation[0]!;
    errors += (y[2 * window]! - predicted) ** 2;
    squares += y[2 * window]! ** 2;
  }
  expect(end).toMatchObject({ scores: { network: { return: expect.closeTo(1 - errors / squares, 4) } } });
});

test('it stops after the very step during which it was told to', async () => {
  const job = await smallJob();
  const { end } = await trainHere(job, { stopAfter: 4 });
  expect(end).toEqual({ outcome: 'stopped', step: 4, killed: false });
  const checkpoint = await readCheckpoint(join(job.folder, 'checkpoint.safetensors'));
  expect(checkpoint).toMatchObject({ step: 4, best: null, epochs: [] });
});

test('fewer windows than a batch make one step an epoch', async () => {
  const job = await smallJob({ settings: { batch_size: 1_024, epochs: 2, learning_rate: 0.01, seed: 1 } });
  const { end, preparations } = await trainHere(job);
  expect(preparations).toMatchObject([{ steps: 2 }]);
  expect(end).toMatchObject({ outcome: 'trained', step: 2 });
});

test('a loss that is no number ends the run at its step', async () => {
  const dataset = syntheticDataset({
    seed: 1,
    sequenceLength: 20,
    features: 4,
    windows: { train: 100, validation: 20, test: 20 },
  });
  // The last window of the second of ten steps.
  const window = permutation(100, 7, 1)[19]!;
  dataset.targets[2 * dataset.train.rows[window]!] = Number.NaN;
  const job = await smallJob({
    spec: { features: 4, sequence_length: 20, hidden_channels: 8, num_heads: 1, layers: 1, dropout: 0 },
    settings: { batch_size: 10, epochs: 1, learning_rate: 0.001, seed: 7 },
  });
  const { end } = await trainHere(job, { load: async () => dataset });
  expect(end).toEqual({
    outcome: 'failed',
    fault: 'LOSS_NOT_FINITE',
    detail: 'The loss is not a finite number after step 2',
    step: 2,
  });
});

test('a damaged checkpoint ends the run', async () => {
  const job = await smallJob();
  await trainHere(job, { stopAfter: 4 });
  await writeFile(join(job.folder, 'checkpoint.safetensors'), 'no checkpoint');
  const { end } = await trainHere({ ...job, resume: true });
  expect(end).toMatchObject({ outcome: 'failed', fault: 'CHECKPOINT_DAMAGED', step: 0 });
});

test('a checkpoint of other settings is not gone on with', async () => {
  const job = await smallJob();
  await trainHere(job, { stopAfter: 4 });
  const { end } = await trainHere({ ...job, resume: true, settings: { ...job.settings, seed: 8 } });
  expect(end).toMatchObject({ outcome: 'failed', fault: 'SETTINGS_CHANGED' });
});

test('with other data than before a run does not go on', async () => {
  const job = await smallJob();
  await trainHere(job, { stopAfter: 4 });
  await writeBars(join(job.folder, 'bars.safetensors'), randomBars(2));
  const { end } = await trainHere({ ...job, resume: true });
  expect(end).toMatchObject({ outcome: 'failed', fault: 'DATA_CHANGED', step: 0 });
});

test('too few days are told with numbers', async () => {
  const job = await smallJob();
  await writeBars(join(job.folder, 'bars.safetensors'), randomBars(1, 2, 30));
  const { end } = await trainHere(job);
  expect(end).toMatchObject({ outcome: 'failed', fault: 'TOO_LITTLE_DATA' });
  expect(end).toMatchObject({ detail: expect.stringContaining('2 tickers on 30 trading days') });
});

test('a disk that cannot be written ends the run, without a path in what is told', async () => {
  const job = await smallJob();
  await mkdir(join(job.folder, 'checkpoint.safetensors'));
  const { end, cause } = await trainHere(job);
  expect(end).toEqual({
    outcome: 'failed',
    fault: 'DISK_FAILED',
    detail: 'The folder of the training cannot be read or written (EISDIR)',
    step: 10,
  });
  expect(String(cause)).toContain(job.folder);
});

test('the same where it was stopping', async () => {
  const job = await smallJob();
  await mkdir(join(job.folder, 'checkpoint.safetensors'));
  const { end } = await trainHere(job, { stopAfter: 2 });
  expect(end).toMatchObject({ outcome: 'failed', fault: 'DISK_FAILED', step: 2 });
});

test('bars that are not there end the run', async () => {
  const job = await smallJob();
  await rm(join(job.folder, 'bars.safetensors'));
  const { end } = await trainHere(job);
  expect(end).toMatchObject({ outcome: 'failed', fault: 'DISK_FAILED', step: 0 });
});

test.skipIf(process.platform === 'win32')(
  'a provider that is not there falls back to the CPU, says so, and changes no bit',
  async () => {
    const whole = await smallJob();
    await trainHere(whole);
    const job = await smallJob({ provider: 'dml' });
    const { preparations, end } = await trainHere(job);
    expect(preparations[0]!.device).toEqual({
      provider: 'cpu',
      fallback: 'dml is not available on this machine',
      precision: 'float32',
      amd_gpu: false,
    });
    expect(end.outcome).toBe('trained');
    expect(await hashOf(job, 'checkpoint.safetensors')).toBe(await hashOf(whole, 'checkpoint.safetensors'));
  },
);
