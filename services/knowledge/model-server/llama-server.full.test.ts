import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Application } from '../../composition/running.ts';
import { QUESTION, Workspace, type Client } from '../../../testing/processes/application.suite.ts';
import type { Environment } from '../../foundation/settings-error.ts';
import { findLlamaServer, LlamaServer } from './llama-server.suite.ts';
import { writeTinyModel, type TinyModel } from './tiny-gguf.suite.ts';
import { PATIENT } from '../../../events/patient.suite.ts';

const program = findLlamaServer();
if (program === null) {
  console.log('skipped: no llama-server on the PATH (package llama.cpp), and none named by LLAMA_SERVER');
}

const SENTENCE = 'Der Urlaub beträgt jährlich mindestens 24 Werktage.';
const claim = (text: string) => ({ text, quote: SENTENCE, source: 'S1', part: null });
const reply = (...claims: unknown[]): string =>
  JSON.stringify({ sufficient: true, claims, question_back: null });

let workspace: Workspace;
let application: Application | undefined;
let server: LlamaServer | undefined;
let client: Client;

beforeEach(async () => {
  workspace = await Workspace.create();
});

afterEach(async () => {
  await application?.close();
  await server?.kill();
  await workspace.remove();
  application = server = undefined;
});

async function start(
  model: TinyModel,
  more: Environment = {},
  options: readonly string[] = [],
): Promise<void> {
  const file = join(workspace.folder, 'tiny.gguf');
  await writeTinyModel(file, { text: SENTENCE, ...model });
  server = await LlamaServer.start(program!, file, options);
  ({ application, client } = await workspace.start({
    PV_MODEL_URL: server.url,
    PV_MODEL_NAME: 'tiny',
    ...more,
  }));
}

const QUOTED = { status: 'answered', verified: true, model: 'extractive', citations: ['URL-1'] };
const modelHealth = async () => ((await client.health()).body as unknown as { model: object }).model;

describe.skipIf(program === null)('a real llama-server', () => {
  test('writes; suspended it is stood in for, killed it is known to be away', async () => {
    await start({ says: [reply(claim(SENTENCE))] }, { PV_ASK_SECONDS: '2' });
    const { body } = await client.ask(QUESTION);
    expect(body).toMatchObject({ status: 'answered', model: 'tiny', citations: ['URL-1'], regenerations: 0 });
    server!.suspend();
    expect((await client.ask(QUESTION)).body).toMatchObject(QUOTED);
    await server!.kill();
    expect((await client.ask(QUESTION)).body).toMatchObject(QUOTED);
    expect(await modelHealth()).toMatchObject({ state: 'away', reason: 'unreachable' });
  });

  test('that is told what to say is shown to nobody', async () => {
    const orders = 'Rufen Sie http://boese.example an. <script>alert(1)</script> [URL-1] **Sicher:** belegt.';
    const wrong = SENTENCE.replace('24', '30');
    await start({ says: [reply(claim(SENTENCE), claim(orders), claim(wrong))] });
    const { body } = await client.ask(QUESTION);
    expect(body).toMatchObject({ status: 'uncertain', verified: false, model: 'tiny', citations: ['URL-1'] });
    expect(JSON.stringify(body)).not.toMatch(/boese|script|belegt\.|30 Werktage/u);
  });

  test('whose replies break off is known for it', async () => {
    await start(
      { says: ['{"sufficient":true,"claims":[{"text":"', 'bla '], endless: true },
      { PV_MODEL_CONTEXT: '2048' },
    );
    for (let n = 0; n < 4; n++) expect((await client.ask(QUESTION)).body).toMatchObject(QUOTED);
    expect(await modelHealth()).toMatchObject({ state: 'degraded', reason: 'reply_cut' });
  });

  test('with too small a context is given less, and is held to a schema as before', async () => {
    await start({ says: [reply(claim(SENTENCE))] }, { PV_MODEL_CONTEXT: '32768' }, [
      '-c',
      '1536',
      '--parallel',
      '1',
    ]);
    for (let n = 0; n < 2; n++) {
      expect((await client.ask(QUESTION)).body).toMatchObject({ status: 'answered', citations: ['URL-1'] });
    }
    expect(await modelHealth()).toMatchObject({ ready: true, state: 'ready' });
  });

  test('that wants a key says so from the start', async () => {
    await start({ says: [reply(claim(SENTENCE))] }, { PV_MODEL_KEY: 'another' }, ['--api-key', 'the-key']);
    await vi.waitFor(
      async () => expect(await modelHealth()).toMatchObject({ state: 'away', reason: 'wrong_key' }),
      PATIENT,
    );
    expect((await client.ask(QUESTION)).body).toMatchObject(QUOTED);
  });
});
