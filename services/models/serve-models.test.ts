import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BenchmarkModel, Predict } from '../../events/messages/models.ts';
import { initialWeights } from './configuration.ts';
import { readBars } from './data/bars.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { CPU, day, ModelPlace, type StartedProcess } from './model-place.suite.ts';
import { readWeights, writeWeights } from './weights/weights.ts';

let place: ModelPlace;

beforeEach(() => {
  place = new ModelPlace();
});
afterEach(() => place.close());

const statusOf = async (process: StartedProcess) => (await process.status()).status;

async function untilStatus(process: StartedProcess, status: string): Promise<void> {
  await expect.poll(() => statusOf(process), PATIENT).toBe(status);
}

async function untilRun(process: StartedProcess, state: string): Promise<void> {
  await expect.poll(async () => (await process.status()).run?.state, PATIENT).toBe(state);
}

/** Trains to the end; resolves with the hash of the weights then in use. */
async function trained(process: StartedProcess, seed?: number): Promise<string> {
  await process.training(false);
  process.trainer.prepare();
  const hash = await process.trainer.finish(seed);
  await untilStatus(process, 'trained');
  return hash;
}

describe('before any training', () => {
  it('there are the initial weights, and the status says which model it will be', async () => {
    const process = await place.serving();
    expect(await process.status()).toEqual({
      status: 'uninitialized',
      training_active: false,
      device: 'cpu',
      amd_gpu: false,
      mixed_precision: false,
      precision: 'float32',
      model_name: 'beleg-transformer',
      hidden_channels: 8,
      num_heads: 2,
      batch_size: 4,
      epochs: 2,
      sequence_length: 8,
      dropout: 0.1,
      learning_rate: 0.001,
      layers: 1,
      seed: 1,
      parameters: initialWeights(place.settings()).parameters.length,
      features: expect.arrayContaining(['log_return', 'rsi_14']) as string[],
      weights: null,
      saved: null,
      error: null,
      predictions: { count: 0, last_ms: null, p50_ms: null, p95_ms: null },
      run: null,
    });
    expect(process.service.status()).toMatchObject({ training_active: false, in_use: false, error: null });
  });

  it('they can be saved and loaded, and nothing is predicted from them', async () => {
    const process = await place.serving();
    await expect(process.load()).rejects.toMatchObject({ code: 'WEIGHTS_MISSING' });
    const { weights } = await process.save();
    expect(await process.status()).toMatchObject({ status: 'uninitialized', saved: weights, weights: null });
    expect(await process.load()).toEqual({ status: 'loaded', weights });
    expect(await process.status()).toMatchObject({ status: 'loaded', weights, saved: weights });
    await expect(process.ask(Predict, { session: day(90) })).rejects.toMatchObject({
      code: 'MODEL_NOT_READY',
    });
    expect((await readWeights(place.file('saved', 'weights.safetensors'))).weights).toMatchObject({
      run: null,
      seed: 1,
    });
    expect(existsSync(place.file('saved', 'model.onnx'))).toBe(true);
    expect(await place.recorded()).toEqual(['ModelSaved', 'ModelPutToUse']);
  });

  it('nothing can be stopped', async () => {
    const process = await place.serving();
    await expect(process.stop()).rejects.toMatchObject({ code: 'NOT_TRAINING', status: 409 });
  });
});

describe('a training', () => {
  it('is on record before anything is done, knows no day after the feed’s, and is put to use when it is over', async () => {
    const process = await place.serving();
    const { run, resumed } = await process.train();
    expect(resumed).toBe(false);
    const job = await process.trainer.started();
    expect((await place.recorded()).slice(0, 2)).toEqual(['TrainingRunOpened', 'TrainingStarted']);
    expect(job).toMatchObject({ run, folder: place.file('runs', run), resume: false, provider: 'cpu' });
    const bars = await readBars(place.file('runs', run, 'bars.safetensors'));
    expect(bars.map(({ ticker, dates }) => [ticker, dates.at(-1)])).toEqual([
      ['AAA', day(100)],
      ['BBBB', day(100)],
    ]);
    expect(await process.status()).toMatchObject({
      status: 'training',
      training_active: true,
      run: { run, state: 'preparing', as_of: day(100), step: 0, steps: 0, epochs: 2 },
    });
    process.trainer.prepare({ ...CPU, provider: 'webgpu', amd_gpu: true });
    process.trainer.epoch(1);
    process.trainer.listener!.progress({
      epoch: 2,
      step: 13,
      loss: 0.7,
      steps_per_second: 4,
      seconds_left: 3,
    });
    await expect.poll(async () => (await process.status()).run?.history.length, PATIENT).toBe(1);
    expect(await process.status()).toMatchObject({
      device: 'webgpu',
      amd_gpu: true,
      run: {
        state: 'training',
        device: 'webgpu',
        epoch: 2,
        step: 13,
        steps: 20,
        loss: 0.7,
        steps_per_second: 4,
        seconds_left: 3,
        train: { windows: 10 },
        scores: null,
      },
    });
    const weights = await process.trainer.finish();
    await untilStatus(process, 'trained');
    expect(await process.status()).toMatchObject({
      training_active: false,
      device: 'webgpu',
      amd_gpu: false,
      weights,
      run: { run, state: 'trained', step: 20, seconds_left: null, scores: { ridge: { volatility: 0.2 } } },
    });
    expect(await place.recorded()).toEqual([
      'TrainingRunOpened',
      'TrainingStarted',
      'TrainingPrepared',
      'TrainingEpochFinished',
      'TrainingFinished',
      'ModelPutToUse',
    ]);
  });

  it('ends with the day before the feed’s first where there is no trading service, or no session yet', async () => {
    const alone = await place.serving({ trading: false });
    await alone.train();
    expect(await alone.status()).toMatchObject({ run: { as_of: day(60) } });
    await alone.leave();
    place.market.session = null;
    const process = await place.serving();
    await process.train(false);
    expect(await process.status()).toMatchObject({ run: { as_of: day(60) } });
  });

  it('is one at a time, and so is a benchmark', async () => {
    const process = await place.serving();
    const benchmark = process.ask(BenchmarkModel, {});
    await expect.poll(() => process.service.status()?.benchmarking, PATIENT).toBe(true);
    await expect(process.train()).rejects.toMatchObject({ code: 'ALREADY_TRAINING' });
    await expect(process.ask(BenchmarkModel, {})).rejects.toMatchObject({
      code: 'ALREADY_TRAINING',
      detail: 'A benchmark is running',
    });
    const measured = {
      inference_time_ms: 1,
      training_time_ms: 2,
      inference_throughput: 3,
      training_throughput: 4,
      memory_allocated_gb: 5,
    };
    process.trainer.measuring.resolve({ ...measured, device: CPU });
    expect(await benchmark).toEqual({ status: 'complete', ...measured, device: 'cpu' });
    const [first, second] = await Promise.allSettled([process.train(), process.train()]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ reason: { code: 'ALREADY_TRAINING' } });
    await expect(process.ask(BenchmarkModel, {})).rejects.toMatchObject({ code: 'ALREADY_TRAINING' });
  });

  it('stops when asked to, and goes on with the bars that it had', async () => {
    const process = await place.serving();
    const { run } = await process.training();
    process.trainer.prepare();
    process.trainer.obeys = false;
    const stopping = process.stop();
    await untilStatus(process, 'stopping');
    const again = process.stop();
    // This query comes after the first, so when it is answered the first one has arrived.
    await process.status();
    process.trainer.obeys = true;
    process.trainer.end({ outcome: 'stopped', step: 7, killed: false });
    expect(await Promise.all([stopping, again])).toEqual([
      { status: 'stopped', run },
      { status: 'stopped', run },
    ]);
    // A reply takes effect at once.
    expect(await process.status()).toMatchObject({
      status: 'uninitialized',
      training_active: false,
      run: { state: 'interrupted', reason: 'stopped', step: 7 },
    });
    place.market.session = day(110);
    const asked = place.market.asked.length;
    expect(await process.train()).toEqual({ status: 'started', run, resumed: true });
    expect(await process.trainer.started()).toMatchObject({ run, resume: true });
    // The market is queried for the day only, because a resumed run uses the data that it has.
    expect(place.market.asked.slice(asked)).toEqual(['feed']);
    expect(await place.recorded()).toEqual([
      'TrainingRunOpened',
      'TrainingStarted',
      'TrainingPrepared',
      'TrainingStopRequested',
      'TrainingInterrupted',
      'TrainingResumed',
    ]);
    expect(process.trainer.stops).toBe(1);
  });

  it('stops while it prepares, too: no trainer is started then', async () => {
    const gate = Promise.withResolvers<void>();
    place.market.gate = gate.promise;
    const process = await place.serving();
    const { run } = await process.train();
    await expect.poll(() => place.market.asked, PATIENT).toContain(`prices AAA ${day(100)}`);
    expect(await process.stop()).toEqual({ status: 'stopped', run });
    expect(process.trainer.jobs).toEqual([]);
    gate.resolve();
    // The run is resumed with its own data, whatever day it is now.
    place.market.session = day(110);
    expect(await process.train()).toMatchObject({ run, resumed: true });
    await process.trainer.started();
    const [bars] = await readBars(place.file('runs', run, 'bars.safetensors'));
    expect(bars!.dates.at(-1)).toBe(day(100));
  });

  it('begins anew where that is wanted, or other settings are', async () => {
    const first = await place.serving();
    const { run } = await first.training();
    await first.stop();
    const another = await first.train(false);
    expect(another).toMatchObject({ resumed: false });
    expect(another.run).not.toBe(run);
    await first.trainer.started();
    await first.stop();
    await first.leave();
    const settings = place.settings();
    const second = await place.serving({
      settings: { ...settings, training: { ...settings.training, learning_rate: 0.01 } },
    });
    expect(await second.train()).toMatchObject({ resumed: false });
  });

  it('begins anew on another market, and where the feed was set back', async () => {
    const process = await place.serving();
    const { run } = await process.training();
    await process.stop();
    place.market.source = 'csv';
    const other = await process.train();
    expect(other).toMatchObject({ resumed: false });
    expect(other.run).not.toBe(run);
    await process.trainer.started();
    await process.stop();
    place.market.session = day(80);
    expect(await process.train()).toMatchObject({ resumed: false });
    await process.trainer.started();
  });

  it('that fails says why, and leaves the model in use in use', async () => {
    const process = await place.serving();
    const weights = await trained(process);
    await process.training();
    process.trainer.end({ outcome: 'failed', fault: 'LOSS_NOT_FINITE', detail: 'the loss is NaN', step: 3 });
    await untilRun(process, 'failed');
    await untilStatus(process, 'trained');
    expect(await process.status()).toMatchObject({
      weights,
      error: null,
      run: { reason: 'LOSS_NOT_FINITE: the loss is NaN', step: 3 },
    });
    expect(await process.train()).toMatchObject({ resumed: false });
  });

  it('whose process dies is interrupted, and goes on', async () => {
    const process = await place.serving();
    const { run } = await process.training();
    process.trainer.prepare();
    process.trainer.epoch(1);
    const detail = 'The training process was stopped by SIGKILL';
    process.trainer.end({ outcome: 'failed', fault: 'PROCESS_EXITED', detail, step: 13 });
    await untilRun(process, 'interrupted');
    expect(await process.status()).toMatchObject({ run: { reason: `crashed: ${detail}`, step: 13 } });
    await untilStatus(process, 'uninitialized');
    expect(await process.train()).toMatchObject({ run, resumed: true });
  });

  it('that ends before it has told where it begins is where it was', async () => {
    const process = await place.serving();
    await process.training();
    process.trainer.prepare();
    await process.stop();
    for (const detail of ['killed', 'killed again']) {
      await process.training();
      process.trainer.end({ outcome: 'failed', fault: 'PROCESS_EXITED', detail, step: 0 });
      await untilStatus(process, 'uninitialized');
      expect((await process.status()).run).toMatchObject({ reason: `crashed: ${detail}`, step: 7 });
    }
  });

  it('leaves no folders of long ago', async () => {
    const process = await place.serving();
    await trained(process, 1);
    const { run: saved } = (await process.status()).run!;
    await process.save();
    for (let seed = 2; seed < 7; seed++) await trained(process, seed);
    const kept = readdirSync(place.file('runs'));
    expect(kept).toHaveLength(4);
    expect(kept).toContain(saved);
    expect(kept).toContain((await process.status()).run!.run);
  });

  it('leaves nothing of files that a crash cut off', async () => {
    const process = await place.serving();
    await trained(process);
    await process.save();
    const { run } = (await process.status()).run!;
    await process.leave();
    const left = [
      place.file('runs', run, `bars.safetensors.${randomUUID()}.part`),
      place.file('saved', `model.onnx.${randomUUID()}.part`),
    ];
    for (const file of left) writeFileSync(file, 'half');
    await place.serving();
    expect(left.filter((file) => existsSync(file))).toEqual([]);
    expect(existsSync(place.file('runs', run, 'bars.safetensors'))).toBe(true);
    expect(readdirSync(place.file('saved')).toSorted()).toEqual(['model.onnx', 'weights.safetensors']);
  });
});

describe('weights', () => {
  it('that were trained are saved as they are, and loaded in place of newer ones', async () => {
    const process = await place.serving();
    const first = await trained(process, 100);
    expect(await process.save()).toEqual({ status: 'saved', weights: first });
    const second = await trained(process, 200);
    expect(await process.status()).toMatchObject({ weights: second, saved: first });
    await process.load();
    expect(await process.status()).toMatchObject({ status: 'loaded', weights: first, saved: first });
  });

  it('in use are in use again after a restart, trained or loaded', async () => {
    const first = await place.serving();
    const weights = await trained(first);
    await first.leave();
    const second = await place.serving();
    expect(await second.status()).toMatchObject({ status: 'trained', weights, device: 'cpu' });
    await second.save();
    await second.load();
    await second.leave();
    rmSync(place.file('runs'), { recursive: true });
    const third = await place.serving();
    expect(await third.status()).toMatchObject({ status: 'loaded', weights, saved: weights });
  });

  it('that were saved elsewhere, or just before a crash, are found at a start', async () => {
    const { spec, training } = place.settings();
    const file = place.file('saved', 'weights.safetensors');
    const saved = await writeWeights(file, initialWeights({ spec, training: { ...training, seed: 9 } }));
    const process = await place.serving();
    expect(await process.status()).toMatchObject({ status: 'uninitialized', saved });
    expect(existsSync(place.file('saved', 'model.onnx'))).toBe(true);
    expect(await process.load()).toMatchObject({ weights: saved });
    expect(await place.recorded()).toEqual(['ModelSaved', 'ModelPutToUse']);
  });

  it('that are damaged or of another network are refused, and the model in use stays in use', async () => {
    const process = await place.serving();
    const weights = await trained(process);
    await process.save();
    const file = place.file('saved', 'weights.safetensors');
    const bytes = readFileSync(file);
    bytes[bytes.length - 5]! ^= 1;
    writeFileSync(file, bytes);
    await expect(process.load()).rejects.toMatchObject({ code: 'WEIGHTS_DAMAGED', status: 409 });
    const { spec, training } = place.settings();
    await writeWeights(file, initialWeights({ spec: { ...spec, hidden_channels: 16 }, training }));
    await expect(process.load()).rejects.toMatchObject({
      code: 'WEIGHTS_MISMATCH',
      detail: 'The saved weights have hidden_channels 16 instead of 8',
    });
    expect(await process.status()).toMatchObject({ status: 'trained', weights, error: null });
  });

  it('that the disk does not take or give are said to be so, without a path', async () => {
    const process = await place.serving();
    const weights = await trained(process);
    mkdirSync(place.file('saved', 'weights.safetensors'), { recursive: true });
    await expect(process.save()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      detail: 'The weights cannot be written to the disk',
    });
    await expect(process.load()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      detail: 'The saved weights cannot be read from the disk',
    });
    expect(await process.status()).toMatchObject({ status: 'trained', weights, saved: null, error: null });
  });

  it('that were in use and are damaged at a start leave no model, and a reason; loading gets out of it', async () => {
    const first = await place.serving();
    await first.save();
    await trained(first);
    const { run } = (await first.status()).run!;
    await first.leave();
    writeFileSync(place.file('runs', run, 'weights.safetensors'), 'nothing');
    const second = await place.serving();
    expect(await second.status()).toMatchObject({
      status: 'error',
      weights: null,
      error: expect.stringContaining('The weights file is not the one that was saved') as string,
    });
    await expect(second.save()).rejects.toMatchObject({ code: 'MODEL_NOT_READY' });
    await expect(second.ask(Predict, { session: day(90) })).rejects.toMatchObject({
      code: 'MODEL_NOT_READY',
    });
    await second.load();
    expect(await second.status()).toMatchObject({ status: 'loaded', error: null });
  });

  it('of another network at a start leave no model, and a reason; training gets out of it', async () => {
    const first = await place.serving();
    await trained(first);
    await first.leave();
    const settings = place.settings();
    const second = await place.serving({ settings: { ...settings, spec: { ...settings.spec, layers: 2 } } });
    expect(await second.status()).toMatchObject({
      status: 'error',
      error: 'The saved weights have layers 1 instead of 2',
    });
    await trained(second);
    expect(await second.status()).toMatchObject({ status: 'trained', error: null });
  });
});
