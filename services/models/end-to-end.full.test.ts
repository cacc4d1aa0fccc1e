import { ActorHost } from '../foundation/actor-host.ts';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { createCodec } from '../../events/define.ts';
import { InProcessLeases } from '../../events/leases/in-process.ts';
import { call, type RequestDefinition } from '../../events/messages/define.ts';
import { Sessions } from '../../events/messages/market.ts';
import { LoadModel, ModelStatus, Predict, SaveModel, TrainModel } from '../../events/messages/models.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import type { EventStore } from '../../events/store/store.ts';
import type { Vault } from '../../events/vault/vault.ts';
import type { ModelSettings } from './settings.ts';
import { serveMarket, type MarketService } from '../market/serve-market.ts';
import { SETTINGS } from './model-place.suite.ts';
import { serveModels, type ModelService } from './serve-models.ts';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';
import { readSettings } from '../composition/settings.ts';
import { forkedTrainer } from './training/forked-trainer.ts';

const folder = sharedFolder();
const bus = new InProcessBus().connect(() => undefined);
const leases = new InProcessLeases(() => undefined);
const actors = new ActorHost({ logger: pino({ level: 'silent' }) });
const logger = pino({ level: 'silent' });
const now = (): Date => new Date();
const TICKERS = ['DEMO-ALDER', 'DEMO-ASPEN'];
const noVault = {} as Vault;
const codec = createCodec(CATALOG, noVault);
const settings: ModelSettings = {
  ...SETTINGS,
  training: { ...SETTINGS.training, batch_size: 16, epochs: 2 },
  folder: join(folder, 'models'),
};
/** The trainer has the priority of the tests, because with a lower one it would hardly run on a busy machine. */
const trainer = forkedTrainer({ logger, priority: 0 });
let store: EventStore;
let market: MarketService;
let models: ModelService;

beforeAll(async () => {
  store = await openEmbeddedStore({ file: join(folder, 'events.db') });
  market = serveMarket({
    bus,
    store,
    codec,
    leases,
    logger,
    now,
    actors,
    settings: { ...readSettings({ DATA_DIR: folder }).market, tickers: TICKERS },
  });
  await market.ready;
  await begin();
});

afterAll(async () => {
  await models.leave();
  await market.leave();
  await store.close();
});

async function begin(): Promise<void> {
  models = serveModels({ bus, store, codec, leases, logger, settings, now, actors, trainer });
  await models.allHeld;
}

const ask = <Req extends z.ZodType, Rep extends z.ZodType>(
  definition: RequestDefinition<Req, Rep>,
  payload: z.input<Req>,
) => call(bus, definition, payload, { correlationId: 'r', callId: randomUUID() });

const model = (...place: string[]) => readFileSync(join(settings.folder, ...place, 'model.onnx'));

it('a model is trained on the demo market, interrupted, trained on, put to use, and there after a restart', async () => {
  // About 500 steps, which is long enough to be interrupted.
  const { run } = await ask(TrainModel, {});
  const stateOf = async () => (await ask(ModelStatus, {})).run?.state;
  await expect.poll(stateOf).toBe('training');
  await models.leave();
  await begin();
  expect(await ask(ModelStatus, {})).toMatchObject({
    run: { run, state: 'interrupted', reason: 'shutdown' },
  });
  expect(await ask(TrainModel, {})).toMatchObject({ run, resumed: true });
  await expect.poll(async () => (await ask(ModelStatus, {})).status).toBe('trained');

  const trained = await ask(ModelStatus, {});
  const { as_of, history, scores, test, reason } = trained.run!;
  expect(reason).toBeNull();
  expect(history.map(({ epoch }) => epoch)).toEqual([1, 2]);
  // The training did not use days that the feed has not reached.
  const { sessions, warm_up } = await ask(Sessions, { after: null, limit: 1 });
  expect(as_of).toBe(warm_up);
  expect(test!.to < as_of!).toBe(true);
  expect(Object.keys(scores!)).toEqual(['network', 'ridge', 'mean']);

  const session = sessions[0]!.date;
  const answer = await ask(Predict, { session });
  expect(answer.predictions.map(({ ticker }) => ticker)).toEqual(TICKERS);
  for (const { return: expected, volatility } of answer.predictions) {
    expect(Math.abs(expected)).toBeLessThan(0.2);
    expect(Math.abs(volatility)).toBeLessThan(0.2);
  }
  expect(await ask(SaveModel, {})).toEqual({ status: 'saved', weights: trained.weights });
  expect(model('saved')).toEqual(model('runs', run));
  await models.leave();
  await begin();
  expect(await ask(ModelStatus, {})).toMatchObject({ status: 'trained', weights: trained.weights });
  expect(await ask(Predict, { session })).toEqual(answer);
  await ask(LoadModel, {});
  expect(await ask(ModelStatus, {})).toMatchObject({ status: 'loaded', weights: trained.weights });
});
