import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { pino } from 'pino';
import type { z } from 'zod';
import { dateOf } from '../../events/dates.ts';
import { evolveRecorded, kindOf } from '../../actors/streams/streams.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { Erase, MakeCheckpoint } from '../../events/messages/audit.ts';
import { call, type RequestDefinition } from '../../events/messages/define.ts';
import { Comment, Rate } from '../../events/messages/feedback.ts';
import { Ask, Reindex } from '../../events/messages/knowledge.ts';
import { UpdateMarket } from '../../events/messages/market.ts';
import { LoadModel, ModelStatus, SaveModel, StopTraining, TrainModel } from '../../events/messages/models.ts';
import {
  CancelOrder,
  CloseAllPositions,
  ClosePosition,
  Orders,
  StartTrading,
  StopTrading,
  SubmitOrder,
} from '../../events/messages/trading.ts';
import type { CatchUpSubscription } from '../../events/store/store.ts';
import { Workspace } from '../../testing/processes/application.suite.ts';
import { startApplication } from './application.ts';
import type { Application } from './running.ts';
import { readSettings, type Settings } from './settings.ts';
import type { Runtime } from './runtime.ts';
import type { StateHashes } from '../foundation/streams/state-hashes.ts';

const TICKERS = ['AAA', 'BBB'] as const;
const SESSIONS = 110;
/** The number of sessions before the feed's first one. */
const WARM_UP = 35;

const nth = fc.nat({ max: 5 });
const ticker = fc.constantFrom(...TICKERS);
const order = fc.record({
  ticker,
  action: fc.constantFrom('buy' as const, 'buy' as const, 'sell' as const),
  type: fc.constantFrom('market' as const, 'limit' as const, 'stop' as const, 'stop_limit' as const),
  quantity: fc.integer({ min: 1, max: 20 }),
  price: fc.integer({ min: 80, max: 120 }),
  time_in_force: fc.constantFrom('day' as const, 'gtc' as const, 'ioc' as const, 'fok' as const),
  client: fc.option(fc.nat({ max: 9 })),
});

/** Any request that a client may send. */
export const anything = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), nth, question: nth }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rate' as const), nth, up: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('comment' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reindex' as const), broken: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('order' as const), order }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), ticker }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'close-all',
        'start',
        'start',
        'stop',
        'update',
        'train',
        'save',
        'load',
        'checkpoint',
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), nth }) },
);

export type Step = typeof anything extends fc.Arbitrary<infer T> ? T : never;
type DrawnOrder = typeof order extends fc.Arbitrary<infer T> ? T : never;

/** Makes sure that every kind of stream occurs. */
export const EACH_KIND: readonly Step[] = [
  { do: 'start' },
  { do: 'train' },
  { do: 'ask', nth: 0, question: 0 },
  { do: 'comment', nth: 0 },
  { do: 'save' },
  {
    do: 'order',
    order: {
      ticker: 'AAA',
      action: 'buy',
      type: 'market',
      quantity: 5,
      price: 100,
      time_in_force: 'day',
      client: 1,
    },
  },
  { do: 'reindex', broken: true },
  { do: 'reindex', broken: false },
  { do: 'update' },
  { do: 'erase', nth: 0 },
  { do: 'checkpoint' },
];

const QUESTIONS = [
  'Wie viele Werktage Urlaub gibt es mindestens im Jahr?',
  'Wie lange wird Entgelt bei Krankheit fortgezahlt?',
  'Wie lang darf die werktägliche Arbeitszeit sein?',
];

/** The whole system in this process, with a small market and a small base. */
export class LiveSystem {
  readonly #workspace: Workspace;
  readonly #settings: Settings;
  #application: Application;

  private constructor(workspace: Workspace, settings: Settings, application: Application) {
    this.#workspace = workspace;
    this.#settings = settings;
    this.#application = application;
  }

  static async start(): Promise<LiveSystem> {
    const workspace = await Workspace.create();
    const from = await writeMarket(join(workspace.folder, 'bars'));
    const settings = readSettings(
      workspace.environment({
        TD_SOURCE: `csv:${join(workspace.folder, 'bars')}`,
        TD_FEED_FROM: from,
        TD_FEED_SPEED: '25',
        TD_SETTLEMENT_SESSIONS: '1',
        TD_MODEL_SEQUENCE_LENGTH: '4',
        TD_MODEL_HIDDEN_CHANNELS: '8',
        TD_MODEL_NUM_HEADS: '1',
        TD_MODEL_LAYERS: '1',
        TD_MODEL_EPOCHS: '1',
      }),
    );
    return new LiveSystem(workspace, settings, await open(settings));
  }

  get runtime(): Runtime {
    return this.#application.runtime as Runtime;
  }

  get settings(): Settings {
    return this.#settings;
  }

  file(name: string): string {
    return join(this.#settings.dataDir, name);
  }

  /** Refusals are expected; any other error fails the test. */
  async take(step: Step): Promise<void> {
    try {
      await this.#do(step);
    } catch (error) {
      if (!(error instanceof BelegError) || isBelegError(error, 'INTERNAL', 'STREAM_CORRUPT')) throw error;
    }
  }

  /** Retries while the market is loading or the account is compared with the broker. */
  async succeed(step: Step): Promise<void> {
    for (;;) {
      try {
        await this.#do(step);
        return;
      } catch (error) {
        // Expected refusals.
        if (isBelegError(error, 'KB_INVALID', 'UPDATE_RUNNING')) return;
        if (!isBelegError(error) || isBelegError(error, 'INTERNAL', 'STREAM_CORRUPT')) throw error;
      }
      await pause(20);
    }
  }

  async restart(): Promise<void> {
    await this.#application.close();
    this.#application = await open(this.#settings);
  }

  /** Resolves when no training is running any more. */
  async rest(): Promise<void> {
    await this.take({ do: 'stop' });
    for (;;) {
      const { training_active } = await this.#call(ModelStatus, {});
      if (!training_active) return;
      await this.#call(StopTraining, {}).catch(() => undefined);
    }
  }

  async liveHashes(): Promise<StateHashes> {
    const { audit, knowledge, market, models, trading } = this.#application;
    return {
      ...(await audit!.stateHashes()),
      ...knowledge!.stateHashes(),
      ...market!.stateHashes(),
      ...models!.stateHashes(),
      ...(await trading!.stateHashes()),
    };
  }

  async close(): Promise<void> {
    await this.#application.close();
    await this.#workspace.remove();
  }

  async #do(step: Step): Promise<void> {
    switch (step.do) {
      case 'ask': {
        const question = QUESTIONS[step.question % QUESTIONS.length]!;
        await this.#call(Ask, { question, request_id: `r${step.nth}` });
        break;
      }
      case 'rate': {
        const rating = 'up' in step && step.up ? 'up' : 'down';
        await this.#call(Rate, { request_id: `r${nthOf(step)}`, rating, feedback: 'Streng vertraulich' });
        break;
      }
      case 'comment':
        await this.#call(Comment, { request_id: `r${nthOf(step)}`, comment: 'Streng vertraulich' });
        break;
      case 'erase':
        await this.#call(Erase, { request_id: `r${nthOf(step)}`, reason: 'asked for' });
        break;
      case 'reindex':
        await this.#reindex('broken' in step && step.broken);
        break;
      case 'order':
        if ('order' in step) await this.#submit(step.order);
        break;
      case 'cancel': {
        const { orders } = await this.#call(Orders, { limit: 10, before: null, ids: null });
        const chosen = orders[nthOf(step) % Math.max(orders.length, 1)];
        if (chosen !== undefined) await this.#call(CancelOrder, { order_id: chosen.order_id });
        break;
      }
      case 'close':
        if ('ticker' in step) await this.#call(ClosePosition, { ticker: step.ticker });
        break;
      case 'close-all':
        await this.#call(CloseAllPositions, {});
        break;
      case 'start':
        await this.#call(StartTrading, {});
        break;
      case 'stop':
        await this.#call(StopTrading, {});
        break;
      case 'update':
        await this.#call(UpdateMarket, {});
        break;
      case 'train':
        await this.#call(TrainModel, {});
        break;
      case 'save':
        await this.#call(SaveModel, {});
        break;
      case 'load':
        await this.#call(LoadModel, {});
        break;
      case 'checkpoint':
        await this.#call(MakeCheckpoint, {});
        break;
    }
  }

  async #reindex(broken: boolean): Promise<void> {
    const file = join(this.#workspace.kb, 'broken.md');
    if (broken) await writeFile(file, 'no front matter');
    try {
      await this.#call(Reindex, { request_id: randomUUID() });
    } finally {
      await rm(file, { force: true });
    }
  }

  async #submit({ client, price, type, ...drawn }: DrawnOrder): Promise<void> {
    const priced = type === 'limit' || type === 'stop_limit' || type === 'stop';
    await this.#call(SubmitOrder, {
      ...drawn,
      type,
      ...(priced ? { price } : {}),
      ...(type === 'stop_limit' ? { stop_price: price } : {}),
      ...(client === null ? {} : { client_order_id: `c${client}` }),
    });
  }

  #call<Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    payload: z.input<Req>,
  ): Promise<z.output<Rep>> {
    const callId = randomUUID();
    return call(this.runtime.bus, definition, payload, { correlationId: callId, callId });
  }
}

const nthOf = (step: Step): number => ('nth' in step ? step.nth : 0);

function open(settings: Settings): Promise<Application> {
  return startApplication(settings, pino({ level: 'silent' }), {
    services: ['knowledge', 'audit', 'market', 'models', 'trading'],
  });
}

/** Folds every stream of the record while it grows. */
export class LiveFolds {
  readonly #states = new Map<string, unknown>();
  readonly #subscription: CatchUpSubscription;
  readonly #following: Promise<void>;

  constructor({ store, codec }: Pick<Runtime, 'store' | 'codec'>) {
    const subscription = (this.#subscription = store.subscribe());
    this.#following = (async () => {
      for await (const item of subscription) {
        if (item.kind !== 'event') continue;
        const { event } = item;
        const definition = kindOf(event.stream)!;
        const state = this.#states.get(event.stream) ?? definition.initial();
        this.#states.set(event.stream, evolveRecorded(definition, state, (await codec.decode(event))!));
      }
    })();
  }

  hashes(): StateHashes {
    return Object.fromEntries(
      [...this.#states].map(([stream, state]) => [stream, kindOf(stream)!.hash(state)]),
    );
  }

  async close(): Promise<void> {
    await this.#subscription.close();
    await this.#following;
  }
}

/** Writes two tickers with deterministic prices, one of them with a split. Resolves with the feed's first session. */
async function writeMarket(folder: string): Promise<string> {
  await mkdir(folder);
  const dates = Array.from({ length: SESSIONS }, (_, n) => dateOf(Date.UTC(2024, 0, 1 + n)));
  for (const [index, name] of TICKERS.entries()) {
    const lines = dates.map((date, n) => {
      const close = (100 + 8 * Math.sin(n / (3 + index))) / (index === 1 && n >= 45 ? 2 : 1);
      const prices = [close * 0.995, close * 1.01, close * 0.99, close, close];
      return [date, ...prices.map((price) => price.toFixed(2)), 10_000].join(',');
    });
    const table = ['date,open,high,low,close,adj_close,volume', ...lines, ''].join('\n');
    await writeFile(join(folder, `${name}.csv`), table);
  }
  const tickers = { BBB: { splits: { [dates[45]!]: 2 }, dividends: {} } };
  await writeFile(join(folder, 'actions.json'), JSON.stringify({ prices: 'as-traded', tickers }));
  return dates[WARM_UP]!;
}
