import { dateOf } from '../../events/dates.ts';
import { ActorHost } from '../foundation/actor-host.ts';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import type { z } from 'zod';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { createCodec } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';
import type { Leases } from '../../events/leases/leases.ts';
import { InProcessLeases } from '../../events/leases/in-process.ts';
import { call, serve, type RequestDefinition } from '../../events/messages/define.ts';
import * as market from '../../events/messages/market.ts';
import * as messages from '../../events/messages/models.ts';
import { TradingStatus } from '../../events/messages/trading.ts';
import type { EventStore } from '../../events/store/store.ts';
import type { Vault } from '../../events/vault/vault.ts';
import type { ModelSettings } from './settings.ts';
import { FaultyStore } from '../../testing/faults/faulty-store.suite.ts';
import { initialWeights } from './configuration.ts';
import { MODEL_FEATURES } from './data/model-features.ts';
import type { Predictor } from './inference/predictor.ts';
import { MemoryStore } from '../../events/store/memory-store.suite.ts';
import { serveModels, type ModelService } from './serve-models.ts';
import type {
  BenchmarkJob,
  BenchmarkResult,
  Device,
  RunningTraining,
  TrainerPort,
  TrainingEnd,
  TrainingJob,
  TrainingListener,
} from './training/trainer-port.ts';
import { writeWeights, type Weights } from './weights/weights.ts';

export const CPU: Device = { provider: 'cpu', fallback: null, precision: 'float32', amd_gpu: false };

const score = { return: 0.01, volatility: 0.2 };
const part = { windows: 10, from: '2024-01-02', to: '2024-01-20' };
const SCORES = { network: score, ridge: score, mean: { return: 0, volatility: 0 } };

/** A trainer that tests control. */
export class FakeTrainer implements TrainerPort {
  readonly jobs: TrainingJob[] = [];
  /** The listener of the last job. */
  listener: TrainingListener | null = null;
  /** Whether it stops when it is told to. */
  obeys = true;
  stops = 0;
  measuring = Promise.withResolvers<BenchmarkResult>();
  #end = Promise.withResolvers<TrainingEnd>();
  #started = Promise.withResolvers<TrainingJob>();

  start(job: TrainingJob, listener: TrainingListener): RunningTraining {
    this.jobs.push(job);
    this.listener = listener;
    this.#end = Promise.withResolvers<TrainingEnd>();
    this.#started.resolve(job);
    return {
      stop: () => {
        this.stops += 1;
        if (this.obeys) this.end({ outcome: 'stopped', step: 7, killed: false });
      },
      ended: this.#end.promise,
    };
  }

  /** The next job that is started, or one that was started and not taken yet. */
  async started(): Promise<TrainingJob> {
    const job = await this.#started.promise;
    this.#started = Promise.withResolvers<TrainingJob>();
    return job;
  }

  prepare(device: Device = CPU): void {
    this.listener!.prepared({
      device,
      parameters: 10,
      dataset: 'd',
      tickers: 2,
      train: part,
      validation: part,
      test: part,
      steps: 20,
      step: 0,
    });
  }

  epoch(epoch: number): void {
    this.listener!.epoch({
      epoch,
      step: epoch * 10,
      train_loss: 1 / epoch,
      validation_loss: 1 / epoch,
      validation: score,
      best: true,
    });
  }

  end(end: TrainingEnd): void {
    this.#end.resolve(end);
  }

  /** Writes weights as a trainer does, different ones for each seed, and reports the end. */
  async finish(seed = 100): Promise<string> {
    const { folder, spec, settings, run } = this.jobs.at(-1)!;
    const initial = initialWeights({ spec, training: { ...settings, seed } });
    const hash = await writeWeights(join(folder, 'weights.safetensors'), {
      ...initial,
      run,
      trainedUntil: '2024-01-20',
      scores: SCORES,
    });
    this.end({ outcome: 'trained', weights: hash, best_epoch: 2, step: 20, scores: SCORES });
    return hash;
  }

  benchmark(_: BenchmarkJob, signal: AbortSignal): Promise<BenchmarkResult> {
    signal.addEventListener('abort', () => this.measuring.reject(signal.reason));
    return this.measuring.promise;
  }
}

const DAYS = 120;
/** Every day of an invented year is a market day. */
export const day = (at: number): string => dateOf(Date.UTC(2024, 0, 1 + at));

function bar(ticker: string, at: number) {
  const close = 100 + 10 * Math.sin(at / 3 + ticker.length) + at / 10;
  const open = close - Math.cos(at);
  return {
    open,
    high: Math.max(open, close) + 1,
    low: Math.min(open, close) - 1,
    close,
    volume: 1_000 + (at % 7),
  };
}

const onError = (): void => undefined;
const trades = (ticker: string, at: number): boolean => ticker === 'AAA' || at < 90 || at > 92;

/** Two tickers that trade every day, except the second on days 90 to 92. */
export class FakeMarket {
  /** The subjects that were queried, or the ticker for bars. */
  readonly asked: string[] = [];
  /** The feed's day; `null` before the first session. */
  session: string | null = day(100);
  source = 'demo';
  /** Bars are only sent after it resolves. */
  gate: Promise<void> = Promise.resolve();
  /** The feed's day is only sent after it resolves. */
  feedGate: Promise<void> = Promise.resolve();

  serve(bus: ReturnType<InProcessBus['connect']>): void {
    const queue = 'market';
    const tickers = ['AAA', 'BBBB'];
    serve(bus, market.Tickers, queue, async () => ({ initial: tickers, index: 'AAA', count: 2 }), onError);
    const pipeline = { status: 'ready', tickers_loaded: 2, db_path: 'market.db', synthetic: true } as const;
    const rest = { bars: 240, first: day(0), last: day(DAYS - 1), updated_at: null, failed: [], notes: [] };
    serve(bus, market.Pipeline, queue, async () => ({ ...pipeline, ...rest, source: this.source }), onError);
    serve(
      bus,
      market.Prices,
      queue,
      async ({ ticker, as_of, limit, before }) => {
        this.asked.push(`prices ${ticker} ${as_of}`);
        await this.gate;
        const bars = Array.from({ length: DAYS }, (_, at) => at)
          .filter((at) => trades(ticker, at))
          .map((at) => ({ date: day(at), ...bar(ticker, at) }))
          .filter(({ date }) => date <= (as_of ?? '9999-12-31') && date < (before ?? '9999-12-31'));
        return { bars: bars.slice(-limit) };
      },
      onError,
    );
    serve(
      bus,
      market.Sessions,
      queue,
      async ({ after, limit }) => {
        this.asked.push(`sessions ${after}`);
        const warm_up = after === null ? day(60) : null;
        const from = after ?? warm_up!;
        const sessions = Array.from({ length: DAYS }, (_, at) => at)
          .filter((at) => day(at) > from)
          .slice(0, limit)
          .map((at) => ({
            date: day(at),
            bars: Object.fromEntries(
              tickers.filter((ticker) => trades(ticker, at)).map((ticker) => [ticker, bar(ticker, at)]),
            ),
            splits: {},
            dividends: {},
          }));
        return { sessions, warm_up };
      },
      onError,
    );
  }

  serveTrading(bus: ReturnType<InProcessBus['connect']>): void {
    const status = {
      active: false,
      cash: 0,
      total_value: 0,
      positions: {},
      orders_count: 0,
      state: 'stopped' as const,
      halt_reason: null,
      last_halt: null,
      feed_waiting: false,
      feed_resting: false,
      feed_paused: false,
      realized_pnl: 0,
      dividends: 0,
      borrowing_costs: 0,
      unrealized_pnl: 0,
      fees: 0,
      unsettled_cash: 0,
      open_orders: 0,
      strategy: 'none',
      discrepancies: 0,
      currency: 'USD',
    };
    const answer = async () => {
      this.asked.push('feed');
      await this.feedGate;
      return { ...status, session: this.session };
    };
    serve(bus, TradingStatus, 'trading', answer, onError);
  }
}

export const SETTINGS: Omit<ModelSettings, 'folder'> = {
  spec: {
    features: MODEL_FEATURES.length,
    sequence_length: 8,
    hidden_channels: 8,
    num_heads: 2,
    layers: 1,
    dropout: 0.1,
  },
  training: { batch_size: 4, epochs: 2, learning_rate: 0.001, seed: 1 },
  provider: 'cpu',
  threads: 1,
};

/** Model events have no text to seal. */
const noVault = {} as Vault;

/** A store, a market and a folder, in which model services start and stop. */
export class ModelPlace {
  readonly folder = mkdtempSync(join(tmpdir(), 'beleg-models-'));
  readonly market = new FakeMarket();
  readonly codec = createCodec(CATALOG, noVault);
  readonly leases: Leases = new InProcessLeases(() => undefined, { retryMs: 10 });
  readonly store = new FaultyStore(new MemoryStore());
  readonly #running = new Set<ModelService>();

  settings(more: Partial<ModelSettings> = {}): ModelSettings {
    return { ...SETTINGS, folder: join(this.folder, 'models'), ...more };
  }

  file(...path: string[]): string {
    return join(this.folder, 'models', ...path);
  }

  /** Starts a process with the service. */
  start({
    settings = this.settings(),
    store = this.store,
    leases = this.leases,
    trading = true,
    openPredictor = noPredictor,
    logger = pino({ level: 'silent' }),
  }: {
    settings?: ModelSettings;
    store?: EventStore;
    leases?: Leases;
    trading?: boolean;
    openPredictor?: (weights: Weights) => Promise<Predictor>;
    logger?: Logger;
  } = {}) {
    const bus = new InProcessBus().connect(() => undefined);
    this.market.serve(bus);
    if (trading) this.market.serveTrading(bus);
    const trainer = new FakeTrainer();
    const service = serveModels({
      bus,
      store,
      codec: this.codec,
      leases,
      logger,
      settings,
      now: () => new Date(),
      actors: new ActorHost({ logger }),
      trainer,
      openPredictor,
    });
    this.#running.add(service);
    const ask = <Req extends z.ZodType, Rep extends z.ZodType>(
      definition: RequestDefinition<Req, Rep>,
      payload: z.input<Req>,
    ) => call(bus, definition, payload, { correlationId: 'r', callId: randomUUID() });
    const status = () => ask(messages.ModelStatus, {});
    const train = (resume = true) => ask(messages.TrainModel, { resume });
    return {
      service,
      trainer,
      bus,
      ask,
      status,
      train,
      /** Starts a training, and waits until the trainer has it. */
      training: async (resume = true) => {
        const begun = await train(resume);
        return { ...begun, job: await trainer.started() };
      },
      stop: () => ask(messages.StopTraining, {}),
      save: () => ask(messages.SaveModel, {}),
      load: () => ask(messages.LoadModel, {}),
      leave: () => service.leave(),
    };
  }

  /** Starts a process and waits until it serves. */
  async serving(options?: Parameters<ModelPlace['start']>[0]) {
    const process = this.start(options);
    await process.service.allHeld;
    return process;
  }

  /** The types of all events in the order of the record. */
  async recorded(): Promise<string[]> {
    const types: string[] = [];
    const ours = ['training-', 'models'];
    for await (const { stream, type } of this.store.readAll()) {
      if (ours.some((prefix) => stream.startsWith(prefix))) types.push(type);
    }
    return types;
  }

  async close(): Promise<void> {
    this.store.mode = 'up';
    await Promise.all([...this.#running].map((service) => service.leave()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const noPredictor = (): Promise<never> => Promise.reject(new BelegError('INTERNAL'));

export type StartedProcess = ReturnType<ModelPlace['start']>;
