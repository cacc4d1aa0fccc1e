import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { forkedTrainer } from './forked-trainer.ts';
import { listeningLogger } from './jobs.suite.ts';
import type { TrainingJob } from './trainer-port.ts';

const BAD = join(import.meta.dirname, 'bad-program.suite.ts');
const job = (run: string): TrainingJob => ({
  run,
  folder: '/nowhere',
  spec: { features: 1, sequence_length: 4, hidden_channels: 8, num_heads: 1, layers: 1, dropout: 0 },
  settings: { batch_size: 1, epochs: 1, learning_rate: 0.001, seed: 1 },
  provider: 'cpu',
  threads: 1,
  resume: false,
});

function start(run: string, { program = BAD, graceMs = 5_000 } = {}) {
  const { logger, lines } = listeningLogger();
  const spoken = Promise.withResolvers<void>();
  const listener = { prepared: vi.fn(), progress: vi.fn(() => spoken.resolve()), epoch: vi.fn() };
  const training = forkedTrainer({ logger, program, graceMs }).start(job(run), listener);
  return { training, listener, lines, spoken: spoken.promise };
}

test('a trainer that does not stop is killed, and the step last told is where it was', async () => {
  const { training, spoken } = start('ignores-stop', { graceMs: 50 });
  await spoken;
  training.stop();
  training.stop();
  expect(await training.ended).toEqual({ outcome: 'stopped', step: 17, killed: true });
});

test('a trainer that stays after its last word is killed, and its word counts', async () => {
  const { training } = start('lingers', { graceMs: 50 });
  expect(await training.ended).toEqual({ outcome: 'stopped', step: 5, killed: false });
});

test('an exit without a last word is a failure with the code; what it printed is for the log alone', async () => {
  const { training, lines } = start('exits');
  expect(await training.ended).toEqual({
    outcome: 'failed',
    fault: 'PROCESS_EXITED',
    detail: 'The training process exited with code 7',
    step: 0,
  });
  expect(lines.at(-1)).toMatchObject({ run: 'exits', code: 7, stderr: 'secret path /home/somebody\n' });
});

test('a crash is a failure with the signal and the step last told', async () => {
  const { training } = start('crashes');
  expect(await training.ended).toEqual({
    outcome: 'failed',
    fault: 'PROCESS_EXITED',
    detail: 'The training process was stopped by SIGSEGV',
    step: 3,
  });
});

test('memory that runs out is recognised', async () => {
  const { training } = start('heap');
  expect(await training.ended).toEqual({
    outcome: 'failed',
    fault: 'OUT_OF_MEMORY',
    detail: 'The training process ran out of memory: it was stopped by SIGABRT',
    step: 0,
  });
});

test('a program that cannot be started at all is a failure', async () => {
  const { training } = start('exits', { program: '/nowhere/program.ts' });
  expect(await training.ended).toMatchObject({ outcome: 'failed', fault: 'PROCESS_EXITED' });
});

test('what cannot be understood ends the run', async () => {
  const { training, listener } = start('talks-nonsense');
  expect(await training.ended).toMatchObject({ outcome: 'failed', fault: 'INTERNAL' });
  expect(listener.progress).not.toHaveBeenCalled();
});

test('the trainer knows none of the service’s settings and keys, and does not report to anybody', async () => {
  vi.stubEnv('TD_API_KEY', 'secret');
  vi.stubEnv('NODE_OPTIONS', '--no-warnings');
  const { training, lines } = start('environment');
  await training.ended;
  vi.unstubAllEnvs();
  const environment = JSON.parse(String(lines.at(-1)!['stderr'])) as Record<string, string>;
  expect(environment).toMatchObject({ ORT_DISABLE_TELEMETRY: '1', PATH: process.env['PATH'] });
  expect(environment).not.toHaveProperty('TD_API_KEY');
  expect(environment).not.toHaveProperty('NODE_OPTIONS');
});

test('a benchmark that fails is an internal fault without its cause', async () => {
  const trainer = forkedTrainer({ logger: pino({ level: 'silent' }), program: BAD });
  const { spec, settings, provider, threads } = job('');
  const { signal } = new AbortController();
  await expect(trainer.benchmark({ spec, settings, provider, threads }, signal)).rejects.toMatchObject({
    code: 'INTERNAL',
    detail: undefined,
    cause: { cause: 'no such network' },
  });
});
