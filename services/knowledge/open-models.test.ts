import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeTinyClassifier } from '../../testing/models/tiny-classifier.ts';
import { writeTinyWriter } from '../../testing/models/tiny-writer.ts';
import type { Application } from '../composition/running.ts';
import { QUESTION, Workspace } from '../../testing/processes/application.suite.ts';
import { readSettings } from '../composition/settings.ts';
import { LocalModelInvalid } from './local-models/model-process.ts';
import { areReady, openModels } from './open-models.ts';
import { noModels } from './no-models.suite.ts';

let workspace: Workspace;
let application: Application | undefined;

beforeEach(async () => {
  workspace = await Workspace.create();
});

afterEach(async () => {
  await application?.close();
  application = undefined;
  await workspace.remove();
});

/** Both claims word their source differently and pass the rules. */
const [ENTAILED, NOT_ENTAILED] = [
  {
    text: 'Jährlich beträgt der Urlaub mindestens 24 Werktage.',
    quote: 'Der Urlaub beträgt jährlich mindestens 24 Werktage.',
  },
  {
    text: 'Werktage sind alle Kalendertage, die nicht Sonn- oder gesetzliche Feiertage sind.',
    quote: 'Als Werktage gelten alle Kalendertage, die nicht Sonn- oder gesetzliche Feiertage sind.',
  },
] as const;

test('models in this machine write, turn down, order, and are named in health', async () => {
  const [writer, inference, reranker] = ['writer', 'inference', 'reranker'].map((name) =>
    join(workspace.folder, name),
  ) as [string, string, string];
  await writeTinyWriter(writer, {
    says: JSON.stringify({
      sufficient: true,
      // The second source is only first in the reranker's order.
      claims: [ENTAILED, NOT_ENTAILED].map((claim) => ({ ...claim, source: 'S2' })),
    }),
  });
  await writeTinyClassifier(inference, {
    labels: ['entailment', 'neutral', 'contradiction'],
    // The model finds no claim about Kalendertage entailed.
    weights: { k: [0, 9, 0] },
    bias: [5, 0, 0],
    maxLength: 512,
  });
  // The score is the number of words with this beginning, so the source on Krankheit is first and Kalendertage second.
  await writeTinyClassifier(reranker, {
    labels: ['LABEL_0'],
    weights: { k: [1] },
    bias: [0],
    maxLength: 512,
  });
  const { client, ...started } = await workspace.start({
    PV_LOCAL_MODEL: writer,
    PV_NLI_MODEL: inference,
    PV_RERANKER_MODEL: reranker,
  });
  ({ application } = started);
  const { body } = await client.ask(QUESTION);
  expect(body).toMatchObject({
    status: 'uncertain',
    verified: false,
    citations: ['URL-1'],
    model: 'writer',
    regenerations: 1,
  });
  expect(body.answer).toContain(`${ENTAILED.text} [URL-1]`);
  expect(body.answer).not.toContain(NOT_ENTAILED.text);
  expect((await client.health()).body).toMatchObject({
    status: 'ok',
    model: { name: 'writer', ready: true, verifier: 'inference', reranker: 'reranker' },
  });
});

test('a wrong folder in any of the settings is refused, and nothing stays open', async () => {
  const nowhere = join(workspace.folder, 'nowhere');
  for (const setting of ['PV_LOCAL_MODEL', 'PV_NLI_MODEL', 'PV_RERANKER_MODEL']) {
    const opening = openModels(readSettings({ [setting]: nowhere }), pino({ level: 'silent' }));
    await expect(opening).rejects.toThrow(LocalModelInvalid);
    await expect(opening).rejects.toThrow(`${setting}: the model cannot be used: the folder does not exist`);
  }
});

test('all are ready where each of them is', () => {
  const none = noModels();
  const away = { name: 'm', ready: false };
  const entailment = { ...away, entails: () => Promise.resolve([]) };
  const reranker = { ...away, score: () => Promise.resolve([]) };
  expect(areReady(none)).toBe(true);
  expect(areReady({ ...none, entailment: { ...entailment, ready: true } })).toBe(true);
  expect(areReady({ ...none, entailment })).toBe(false);
  expect(areReady({ ...none, reranker })).toBe(false);
  const model = { ...away, generate: () => Promise.resolve(null) };
  expect(areReady({ ...none, model, fallback: false })).toBe(false);
  expect(areReady({ ...none, model })).toBe(true);
});
