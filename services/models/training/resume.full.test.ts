import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { uniform } from '../network/random.ts';
import { forkedTrainer } from './forked-trainer.ts';
import { hashOf, hearing, listeningLogger, smallJob, trainHere, type Heard } from './jobs.suite.ts';
import type { TrainingEnd, TrainingJob } from './trainer-port.ts';

/** Trains in a child process. */
async function trainThere(job: TrainingJob): Promise<Heard & { end: TrainingEnd }> {
  const heard = hearing();
  const { ended } = forkedTrainer({ logger: pino({ level: 'silent' }) }).start(job, heard.listener);
  return { ...heard, end: await ended };
}

/** The checkpoint has all parameters, moments, losses and epochs; the weights are those of the best epoch. */
const left = async (job: TrainingJob) => ({
  checkpoint: await hashOf(job, 'checkpoint.safetensors'),
  weights: await hashOf(job, 'weights.safetensors'),
  model: await hashOf(job, 'model.onnx'),
});

test('30 steps are 15 steps, a stop, a new process and 15 steps, bit for bit', async () => {
  const whole = await smallJob();
  const undisturbed = await trainThere(whole);
  expect(undisturbed.end).toMatchObject({ outcome: 'trained', step: 30 });
  expect(undisturbed.epochs).toHaveLength(3);

  const halves = await smallJob();
  const first = await trainHere(halves, { stopAfter: 15 });
  expect(first.end).toEqual({ outcome: 'stopped', step: 15, killed: false });
  const second = await trainThere({ ...halves, resume: true });
  expect(second.preparations).toMatchObject([{ step: 15, steps: 30 }]);
  expect(second.end).toEqual(undisturbed.end);
  expect([...first.epochs, ...second.epochs]).toEqual(undisturbed.epochs);
  expect(await left(halves)).toEqual(await left(whole));
});

test('stopped between its last step and the validation, or after it all, it goes on there', async () => {
  const whole = await smallJob();
  const { end } = await trainHere(whole);
  const job = await smallJob();
  for (const stopAfter of [10, 10, 10]) {
    expect((await trainHere({ ...job, resume: true }, { stopAfter })).end.outcome).toBe('stopped');
  }
  expect((await trainHere({ ...job, resume: true })).end).toEqual(end);
  expect(await left(job)).toEqual(await left(whole));
  // The run is resumed at the end of the last epoch, and reports that epoch again.
  const again = await trainThere({ ...job, resume: true });
  expect(again.end).toEqual(end);
  expect(again.epochs).toMatchObject([{ epoch: 3, step: 30 }]);
});

test('with more threads than before it goes on bit for bit too', async () => {
  const whole = await smallJob();
  const { end } = await trainHere(whole);
  const halves = await smallJob();
  await trainHere(halves, { stopAfter: 7 });
  expect((await trainHere({ ...halves, threads: 2, resume: true })).end).toEqual(end);
  expect(await left(halves)).toEqual(await left(whole));
});

test('killed at random moments, however often, it ends as if nothing had been', async () => {
  const seed = Date.now();
  const settings = { batch_size: 8, epochs: 10, learning_rate: 0.005, seed: 7 };
  const whole = await smallJob({ settings });
  const { end, epochs } = await trainThere(whole);
  const job = await smallJob({ settings });
  const told = new Map<number, unknown>();
  for (let attempt = 0; attempt < 2; attempt++) {
    const { logger, trainerPid } = listeningLogger();
    const prepared = Promise.withResolvers<void>();
    const heard = hearing({ prepared: () => prepared.resolve() });
    const { ended } = forkedTrainer({ logger }).start({ ...job, resume: true }, heard.listener);
    await prepared.promise;
    await delay(60 * uniform(seed, 0, attempt));
    process.kill(trainerPid(), 'SIGKILL');
    const cut = await ended;
    for (const result of heard.epochs) told.set(result.epoch, result);
    expect(cut).toMatchObject({
      fault: 'PROCESS_EXITED',
      detail: 'The training process was stopped by SIGKILL',
    });
  }
  const last = await trainThere({ ...job, resume: true });
  for (const result of last.epochs) told.set(result.epoch, result);
  expect(last.end).toEqual(end);
  expect([...told.values()], `seed ${seed}`).toEqual(epochs);
  expect(await left(job)).toEqual(await left(whole));
});
