import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inferenceGraph } from '../network/inference-graph.ts';
import type { ToTrainer } from './trainer-messages.ts';
import { smallJob } from './jobs.suite.ts';

const SERVICE = join(import.meta.dirname, 'trainer-owner.suite.ts');
const PROGRAM = join(import.meta.dirname, 'trainer-program.ts');
const canTrace = spawnSync('strace', ['-V']).status === 0;

/** An empty folder, and an environment with home, caches and temporary files in it. */
async function emptyHome() {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'beleg-home-')));
  onTestFinished(() => rm(home, { recursive: true }));
  const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: home, XDG_CACHE_HOME: home };
  return { home, env };
}

/** The successful system calls of these names in the trace. */
const calls = (trace: string, pattern: RegExp): string[] =>
  trace.split('\n').filter((line) => pattern.test(line) && !/ = -1 E/.test(line));

test('the trainer’s process leaves nothing outside its folder, and nothing of it goes to a network', async () => {
  const job = await smallJob();
  const { home, env } = await emptyHome();
  const log = join(job.folder, 'trace');
  const service = [process.execPath, SERVICE, JSON.stringify(job)];
  const traced = ['strace', '-f', '-e', 'trace=%network,open,openat,creat,rename,renameat2', '-o', log];
  const [command, ...args] = canTrace ? [...traced, ...service] : service;
  const [code] = await once(spawn(command!, args, { env, stdio: 'inherit' }), 'exit');
  expect(code).toBe(0);
  expect(await readdir(job.folder)).toContain('weights.safetensors');
  expect(await readdir(home)).toEqual([]);
  if (!canTrace) return;
  const trace = await readFile(log, 'utf8');
  // The two processes communicate by a socket pair.
  expect(calls(trace, /\bsocketpair\(AF_UNIX/)).not.toEqual([]);
  expect(calls(trace, /\b(socket|connect|bind|sendto)\(/)).toEqual([]);
  expect(calls(trace, /open(at)?\(.*\/etc\/(hosts|resolv\.conf|nsswitch\.conf)/)).toEqual([]);
  const written = calls(trace, /(open(at)?|creat)\(.*O_(WRONLY|RDWR|CREAT)/);
  expect(written.some((line) => line.includes(job.folder))).toBe(true);
  expect(written.filter((line) => !line.includes(`"${job.folder}/`) && !/"\/dev\//.test(line))).toEqual([]);
});

test('ONNX Runtime by itself would write to the home folder', async () => {
  const { folder, spec } = await smallJob();
  const { home, env } = await emptyHome();
  const model = join(folder, 'model.onnx');
  await writeFile(model, inferenceGraph(spec, { batch: 1 }));
  const script = `
    const { InferenceSession } = await import('onnxruntime-node');
    await (await InferenceSession.create(${JSON.stringify(model)})).release();`;
  const args = ['--input-type=module', '--eval', script];
  const [code] = await once(spawn(process.execPath, args, { cwd: import.meta.dirname, env }), 'exit');
  expect(code).toBe(0);
  expect(await readdir(home, { recursive: true })).not.toEqual([]);
});

test('a trainer that was not given the variable sets it before ONNX Runtime loads', async () => {
  const job = await smallJob();
  const { home, env } = await emptyHome();
  const trainer = fork(PROGRAM, [], { serialization: 'advanced', execArgv: [], env });
  trainer.send({ kind: 'train', job } satisfies ToTrainer);
  await once(trainer, 'exit');
  expect(await readdir(job.folder)).toContain('weights.safetensors');
  expect(await readdir(home, { recursive: true })).toEqual([]);
});
