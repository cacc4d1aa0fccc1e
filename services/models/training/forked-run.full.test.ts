import { fork } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import type { EventLoopUtilization } from 'node:perf_hooks';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { readCheckpoint } from '../weights/checkpoint.ts';
import { forkedTrainer } from './forked-trainer.ts';
import { hearing, listeningLogger, smallJob } from './jobs.suite.ts';
import type { TrainingJob } from './trainer-port.ts';
import { PATIENT } from '../../../events/patient.suite.ts';

const silent = pino({ level: 'silent' });
/** The trainer has the priority of the tests, because with a lower one it would hardly run on a busy machine. */
const usual = { logger: silent, priority: 0 };
/** With a long grace it is not killed, because the test checks that it ends by itself. */
const patient = { ...usual, graceMs: 600_000 };
/** A job that does not end within a test. */
const endless = { batch_size: 32, epochs: 1_000, learning_rate: 0.001, seed: 1 };

/** A network as large as the reference: a step takes tens of milliseconds. */
const large = async (): Promise<TrainingJob> =>
  smallJob({
    spec: { features: 8, sequence_length: 60, hidden_channels: 64, num_heads: 4, layers: 2, dropout: 0.1 },
    settings: endless,
  });

test('told to stop, the process ends by itself, with a checkpoint of its last step', async () => {
  const job = await large();
  const progress = Promise.withResolvers<void>();
  const heard = hearing({ progress: () => progress.resolve() });
  const training = forkedTrainer(patient).start(job, heard.listener);
  await progress.promise;
  training.stop();
  const end = await training.ended;
  if (end.outcome !== 'stopped') throw new Error(JSON.stringify(end));
  expect(end.killed).toBe(false);
  expect(end.step).toBeGreaterThan(0);
  expect(await readCheckpoint(join(job.folder, 'checkpoint.safetensors'))).toMatchObject({ step: end.step });
});

test('told to stop before it has begun, it has done nothing, and says so', async () => {
  const training = forkedTrainer(patient).start(await smallJob(), hearing().listener);
  training.stop();
  expect(await training.ended).toEqual({ outcome: 'stopped', step: 0, killed: false });
});

test('a signal that is meant for the service stops the trainer as the service would', async () => {
  const job = await smallJob({ settings: endless });
  const { logger, trainerPid } = listeningLogger();
  const epoch = Promise.withResolvers<void>();
  const heard = hearing({ epoch: () => epoch.resolve() });
  const training = forkedTrainer({ ...usual, logger }).start(job, heard.listener);
  await epoch.promise;
  process.kill(trainerPid(), 'SIGTERM');
  const end = await training.ended;
  expect(end).toMatchObject({ outcome: 'stopped', killed: false });
  expect(await readCheckpoint(join(job.folder, 'checkpoint.safetensors'))).toMatchObject({ step: end.step });
});

test('while it trains the service’s event loop is free', async () => {
  let prepared: EventLoopUtilization | undefined;
  const thrice = Promise.withResolvers<void>();
  let told = 0;
  const heard = hearing({
    prepared: () => (prepared = performance.eventLoopUtilization()),
    progress: () => {
      if (++told === 3) thrice.resolve();
    },
  });
  const training = forkedTrainer(usual).start(await large(), heard.listener);
  await thrice.promise;
  const { utilization } = performance.eventLoopUtilization(prepared);
  training.stop();
  await training.ended;
  // Steps in this process would keep the event loop busy. Time in which it waits for a core counts as idle.
  expect(utilization).toBeLessThan(0.5);
});

test('when the service is killed its trainer ends too', async () => {
  const job = await smallJob({ settings: endless });
  const service = fork(join(import.meta.dirname, 'trainer-owner.suite.ts'), [JSON.stringify(job)], {
    execArgv: [],
  });
  const [pid] = (await once(service, 'message')) as [number];
  expect(getPriority(pid)).toBeGreaterThanOrEqual(10);
  service.kill('SIGKILL');
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), PATIENT);
});

test('a job that is none is a fault of ours', async () => {
  const job = await smallJob({ threads: 0 });
  const { logger, lines } = listeningLogger();
  expect(await forkedTrainer({ ...usual, logger }).start(job, hearing().listener).ended).toMatchObject({
    outcome: 'failed',
    fault: 'INTERNAL',
  });
  expect(JSON.stringify(lines)).toContain('threads');
});

test('a benchmark measures steps, batches and memory', async () => {
  const { spec, settings, provider, threads } = await smallJob();
  const result = await forkedTrainer(usual).benchmark(
    { spec, settings, provider, threads },
    new AbortController().signal,
  );
  expect(result.device).toMatchObject({ provider: 'cpu', fallback: null });
  expect(result.inference_time_ms).toBeGreaterThan(0);
  expect(result.training_time_ms).toBeGreaterThan(result.inference_time_ms);
  expect(result.training_throughput).toBeCloseTo(40_000 / result.training_time_ms);
  expect(result.inference_throughput).toBeCloseTo(40_000 / result.inference_time_ms);
  expect(result.memory_allocated_gb).toBeGreaterThan(0.05);
  expect(result.memory_allocated_gb).toBeLessThan(1);
});

test('a benchmark that is given up ends its process', async () => {
  const { spec, settings, provider, threads } = await smallJob();
  const closing = new AbortController();
  const measuring = forkedTrainer(usual).benchmark({ spec, settings, provider, threads }, closing.signal);
  closing.abort(new Error('closing'));
  await expect(measuring).rejects.toThrow('closing');
});
