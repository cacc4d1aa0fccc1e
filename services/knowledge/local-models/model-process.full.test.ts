import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENT } from '../../../events/patient.suite.ts';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { LocalModelInvalid, openModelProcess, type ModelProcess } from './model-process.ts';

/** Does what its input says. A model called `once` loads if there is no file of that name, and creates the file. */
const PROGRAM = `
import { existsSync, writeFileSync } from 'node:fs';
const say = (message) => process.send(message);
let running;
process.on('disconnect', () => process.exit());
process.on('message', ({ kind, id, input, model }) => {
  if (kind === 'load') {
    if (model === 'missing') return say({ kind: 'unusable', reason: 'the folder does not exist' });
    if (model === 'broken') return process.exit(7);
    if (model.endsWith('once') && existsSync(model)) return say({ kind: 'unusable', reason: 'gone' });
    if (model.endsWith('once')) writeFileSync(model, '');
    return say({ kind: 'loaded', facts: { name: 'm', labels: [] } });
  }
  if (kind === 'cancel') return running?.(id);
  if (input === 'die') process.exit(3);
  if (input === 'babble') return say({ kind: 'nonsense' });
  if (input === 'fail') return say({ kind: 'failed', id, fault: 'PromptTooLong' });
  if (input === 'environment') return say({ kind: 'done', id, output: process.env });
  if (input === 'stop when told') { running = (id) => say({ kind: 'done', id, output: 'cut' }); return; }
  if (input === 'never stop') return;
  say({ kind: 'done', id, output: input });
});`;

const forever = new AbortController().signal;
const work = sharedFolder();
let program: string;
let opened: ModelProcess | undefined;

beforeAll(async () => {
  program = join(work, 'program.mjs');
  await writeFile(program, PROGRAM);
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

async function open(
  options: { model?: string; timeoutMs?: number; graceMs?: number; pauseMs?: number } = {},
) {
  const process = await openModelProcess({
    task: 'pairs',
    setting: 'PV_NLI_MODEL',
    model: 'm',
    allowRemote: false,
    timeoutMs: PATIENT.timeoutMs,
    graceMs: PATIENT.timeoutMs,
    logger: pino({ level: 'silent' }),
    program,
    ...options,
  });
  opened = process;
  return process;
}

const UNAVAILABLE = { code: 'MODEL_UNAVAILABLE', status: 503 };

describe('the process of a model', () => {
  test('does one thing after the other, in turn', async () => {
    const model = await open();
    expect(model.ready).toBe(true);
    expect(await Promise.all(['a', 'b', 'c'].map((input) => model.run(input, forever)))).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  test('knows no setting and no key of the service, and sends no telemetry', async () => {
    vi.stubEnv('PV_API_KEY', 'sk-secret');
    vi.stubEnv('NODE_OPTIONS', '--no-warnings');
    try {
      const environment = await (await open()).run('environment', forever);
      expect(environment).toMatchObject({ ORT_DISABLE_TELEMETRY: '1', PATH: process.env['PATH'] });
      expect(Object.keys(environment as object)).not.toContain('NODE_OPTIONS');
      expect(JSON.stringify(environment)).not.toContain('sk-secret');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test.each(['missing', 'broken'])(
    'of a model that is %s does not come up, and the setting is named',
    async (model) => {
      const start = open({ model });
      await expect(start).rejects.toThrow(LocalModelInvalid);
      await expect(start).rejects.toThrow(
        /^PV_NLI_MODEL: the model cannot be used: (the folder|its folder|its process)/,
      );
    },
  );

  test('is asked the next thing once it has stopped with what nobody waits for', async () => {
    const model = await open();
    const { pid } = model;
    const abort = new AbortController();
    const first = model.run('stop when told', abort.signal);
    const second = model.run('b', forever);
    abort.abort(new Error('deadline'));
    await expect(first).rejects.toThrow('deadline');
    expect(await second).toBe('b');
    expect(model.pid).toBe(pid);
  });

  test('is killed where it does not stop; another one goes on', async () => {
    const model = await open({ graceMs: 20 });
    const { pid } = model;
    const abort = new AbortController();
    const first = model.run('never stop', abort.signal);
    const second = model.run('b', forever);
    abort.abort(new Error('deadline'));
    await expect(first).rejects.toThrow('deadline');
    expect(await second).toBe('b');
    expect(model.pid).not.toBe(pid);
    expect(() => process.kill(pid!, 0)).toThrow('ESRCH');
  });

  test('that takes too long is unavailable, then killed', async () => {
    const model = await open({ timeoutMs: 50, graceMs: 20 });
    const { pid } = model;
    await expect(model.run('never stop', forever)).rejects.toMatchObject(UNAVAILABLE);
    await vi.waitFor(() => expect(model.pid).not.toBe(pid), PATIENT);
  });

  test('is not asked what was given up before its turn', async () => {
    const model = await open();
    const abort = new AbortController();
    const first = model.run('stop when told', abort.signal);
    const second = model.run('die', abort.signal);
    const third = model.run('c', forever);
    const { pid } = model;
    abort.abort(new Error('deadline'));
    await expect(first).rejects.toThrow('deadline');
    await expect(second).rejects.toThrow('deadline');
    await expect(model.run('x', abort.signal)).rejects.toThrow('deadline');
    expect(await third).toBe('c');
    expect(model.pid).toBe(pid);
  });

  test.each(['die', 'babble'])('that comes to %s fails one run; another one is started', async (input) => {
    const model = await open();
    const first = model.run(input, forever);
    const second = model.run('b', forever);
    await expect(first).rejects.toMatchObject(UNAVAILABLE);
    expect(model.ready).toBe(false);
    expect(await second).toBe('b');
    expect(model.ready).toBe(true);
  });

  test('that does not come up again is not ready, and asked for again after a pause', async () => {
    const once = join(work, 'once');
    const model = await open({ model: once, pauseMs: 30 });
    const [first, second] = [model.run('die', forever), model.run('b', forever)];
    await expect(first).rejects.toMatchObject(UNAVAILABLE);
    await expect(second).rejects.toMatchObject(UNAVAILABLE);
    expect(model.ready).toBe(false);
    await expect(model.run('c', forever)).rejects.toMatchObject(UNAVAILABLE);
    await rm(once);
    await vi.waitFor(() => expect(model.ready).toBe(true), PATIENT);
    expect(await model.run('d', forever)).toBe('d');
  });

  test('says where a prompt is too long', async () => {
    const model = await open();
    await expect(model.run('fail', forever)).rejects.toMatchObject({
      ...UNAVAILABLE,
      detail: expect.stringContaining('too long'),
    });
  });

  test('ends when it is closed, with all that waits', async () => {
    const model = await open();
    const { pid } = model;
    const runs = ['never stop', 'b'].map((input) => model.run(input, forever));
    const closed = model.close();
    for (const run of runs) await expect(run).rejects.toMatchObject(UNAVAILABLE);
    await closed;
    expect(() => process.kill(pid!, 0)).toThrow('ESRCH');
    await expect(model.run('c', forever)).rejects.toMatchObject(UNAVAILABLE);
  });
});
