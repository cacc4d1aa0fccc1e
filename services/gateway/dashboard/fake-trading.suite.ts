import type { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { marketStream } from '../../../events/catalog/market.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import type { EventDefinition } from '../../../events/define.ts';
import { BelegError } from '../../../events/errors.ts';
import type { CallContext } from '../../../events/messages/define.ts';
import { ListActors } from '../../../events/messages/actors.ts';
import * as market from '../../../events/messages/market.ts';
import * as models from '../../../events/messages/models.ts';
import * as trading from '../../../events/messages/trading.ts';
import { PATIENT } from '../../../events/patient.suite.ts';
import { toOutgoing } from '../../../events/relay/event-message.ts';
import type { Position } from '../../../events/store/store.ts';
import { startScripted, type ScriptOf } from '../scripted-services.suite.ts';
import {
  BENCHMARK,
  CORPORATE_ACTIONS,
  EQUITY,
  FEATURES_OF_AAPL,
  MODEL_STATUS,
  OWN_STRATEGY,
  PERFORMANCE,
  PIPELINE,
  TICKERS,
  TRADE,
  TRAINED_RUN,
  WEIGHTS,
} from './dashboard-examples.ts';
import { FakeAccount } from './fake-account.suite.ts';
import { FakeMarket } from './fake-market.suite.ts';

/** Every message of the three services. */
const MESSAGES = {
  startTrading: trading.StartTrading,
  stopTrading: trading.StopTrading,
  strategies: trading.OwnStrategiesQuery,
  startStrategy: trading.StartStrategy,
  stopStrategy: trading.StopStrategy,
  pauseClock: trading.PauseClock,
  resumeClock: trading.ResumeClock,
  clockSpeed: trading.SetClockSpeed,
  nextSession: trading.NextSession,
  moveCash: trading.MoveCash,
  submitOrder: trading.SubmitOrder,
  cancelOrder: trading.CancelOrder,
  amendOrder: trading.AmendOrder,
  closePosition: trading.ClosePosition,
  closeAll: trading.CloseAllPositions,
  tradingStatus: trading.TradingStatus,
  orders: trading.Orders,
  equity: trading.EquityCurve,
  performance: trading.AccountPerformance,
  trades: trading.AccountTrades,
  tickers: market.Tickers,
  pipeline: market.Pipeline,
  updateMarket: market.UpdateMarket,
  features: market.Features,
  price: market.LatestPrice,
  prices: market.Prices,
  actions: market.CorporateActions,
  sessions: market.Sessions,
  sessionOn: market.SessionOn,
  recentCloses: market.RecentCloses,
  modelStatus: models.ModelStatus,
  train: models.TrainModel,
  stopTraining: models.StopTraining,
  saveModel: models.SaveModel,
  loadModel: models.LoadModel,
  benchmark: models.BenchmarkModel,
  actors: ListActors,
};
type Name = keyof typeof MESSAGES;
export type TradingScript = ScriptOf<typeof MESSAGES>;

export interface FakeTrading {
  /** The bus for the code under test. */
  bus: MessageBus;
  script: TradingScript;
  account: FakeAccount;
  market: FakeMarket;
  /** Errors that handlers threw and that no client may cause. */
  faults: unknown[];
  /** Names and requests in order of arrival. */
  asked: { name: Name; request: unknown; context: CallContext }[];
  /**
   * Publishes an event as the relay does; resolves when all subscribers have received it. The stream is the account's
   * or the market update's unless it is named.
   */
  publish: <Type extends string, S extends z.ZodRawShape>(
    definition: EventDefinition<Type, S, never>,
    data: z.output<z.ZodObject<S>>,
    options?: { stream?: string; at?: string },
  ) => Promise<void>;
  /** Resolves when all subscribers have received what was published before. */
  delivered: () => Promise<void>;
  /** Removes the responders of this service. */
  leave(context: 'trading' | 'market' | 'models'): Promise<void>;
}

const TICKER_NAMES = TICKERS.initial;

/**
 * Stand-ins for the trading, market and models services on a bus of their own.
 *
 * @example
 * const fakes = startFakeTrading({ tradingStatus: () => Promise.reject(new BelegError('RECONCILING')) });
 * await fakes.publish(SessionClosed, { session: '2025-06-16', closes: {}, cash: '1', total_value: '1' });
 */
export function startFakeTrading(
  changes: Partial<TradingScript> = {},
  { bars = 300 }: { bars?: number } = {},
): FakeTrading {
  const asked: FakeTrading['asked'] = [];
  const account = new FakeAccount();
  const stocks = new FakeMarket(TICKER_NAMES, bars);
  const script: TradingScript = { ...answersOf(account, stocks), ...changes };

  const { bus, services, faults, leave } = startScripted(MESSAGES, script, (name, request, context) =>
    asked.push({ name, request, context }),
  );
  services.subscribe(MARKER, () => ({ data: new Uint8Array() }));

  const delivered = async () => void (await services.request(MARKER, new Uint8Array(), PATIENT));
  const publish = createPublisher(services, delivered);
  return { bus, script, account, market: stocks, faults, asked, publish, delivered, leave };
}

/** The subject of a query that is sent after an event: when it is answered, all earlier messages have arrived. */
const MARKER = 'beleg.v1.qry.fake.marker';

function createPublisher(services: MessageBus, delivered: FakeTrading['delivered']): FakeTrading['publish'] {
  const revisions = new Map<string, bigint>();
  let published = 0;
  return async (definition, data, { stream, at = '2026-01-15T08:00:00.000Z' } = {}) => {
    const name = stream ?? (definition.context === 'market' ? marketStream('1') : accountStream('main'));
    const revision = (revisions.get(name) ?? -1n) + 1n;
    revisions.set(name, revision);
    published += 1;
    const cause = { stream: name, at, correlationId: 'test', causationId: `call-${published}`, key: 'test' };
    const event = definition.create(data, cause);
    const {
      subject,
      data: bytes,
      headers,
    } = toOutgoing(definition, {
      ...event,
      data: event.data as never,
      revision,
      position: String(published).padStart(16, '0') as Position,
      metadata: { ...event.metadata, hash: '0'.repeat(64) },
    });
    services.publish(subject, bytes, headers);
    await delivered();
  };
}

const midnight = (date: string) => `${date} 00:00:00`;

function answersOf(account: FakeAccount, stocks: FakeMarket): TradingScript {
  return {
    startTrading: () => (account.start(), { status: 'started' }),
    stopTrading: () => (account.stop(), { status: 'stopped' }),
    strategies: () => ({ strategies: [OWN_STRATEGY] }),
    startStrategy: () => ({ status: 'started' }),
    stopStrategy: () => ({ status: 'stopped' }),
    pauseClock: () => ({ status: 'paused', speed: 1 }),
    resumeClock: () => ({ status: 'running', speed: 1 }),
    clockSpeed: ({ speed }) => ({ status: speed === 0 ? 'paused' : 'running', speed }),
    nextSession: () => ({ session: '2025-06-16' }),
    moveCash: () => ({ status: 'booked' }),
    submitOrder: (request) => {
      if (!stocks.has(request.ticker)) throw unknownTickerInBody();
      return { status: 'submitted', order_id: account.submit(request) };
    },
    amendOrder: ({ order_id }) => ({ status: 'amended', order_id }),
    cancelOrder: ({ order_id }) => (account.cancel(order_id), { status: 'cancelled' }),
    closePosition: ({ ticker }) => ({ status: 'submitted', order_id: account.close(ticker) }),
    closeAll: () => ({ status: 'submitted', results: account.closeAll() }),
    tradingStatus: () => account.status,
    orders: ({ limit, before, ids }) => ({ orders: account.page(limit, before, ids) }),
    equity: ({ limit }) => ({ points: EQUITY.points.slice(-limit) }),
    performance: () => PERFORMANCE,
    trades: ({ limit }) => ({ trades: [TRADE].slice(-limit) }),
    tickers: () => TICKERS,
    pipeline: () => PIPELINE,
    updateMarket: () => ({ status: 'started', update_id: 'update-1' }),
    features: ({ ticker, as_of }) => {
      const timestamp = midnight(stocks.latest(ticker, as_of).date);
      const of = (name: string) => ({ ...FEATURES_OF_AAPL.features.AAPL, ticker: name, timestamp });
      return { ticker, timestamp, features: { [ticker]: of(ticker), SPY: of('SPY') } };
    },
    price: ({ ticker, as_of }) => {
      const { date, ...figures } = stocks.latest(ticker, as_of);
      return { ticker, date: midnight(date), ...figures, adj_close: figures.close };
    },
    prices: ({ ticker, as_of, before, limit }) => ({
      bars: stocks.bars(ticker, as_of, before).slice(-limit),
    }),
    actors: () => ({ processes: 1, counts: [{ kind: 'engine', state: 'running', count: 1 }], actors: [] }),
    actions: ({ ticker, as_of }) => (stocks.latest(ticker, as_of), { ...CORPORATE_ACTIONS, ticker }),
    sessions: ({ after, limit }) => ({ sessions: stocks.sessions(after, limit), warm_up: null }),
    sessionOn: ({ date }) => ({ session: stocks.session(date) }),
    recentCloses: ({ as_of, count }) => ({ closes: stocks.closes(as_of, count) }),
    modelStatus: () => MODEL_STATUS,
    train: ({ resume }) => ({ status: 'started', run: TRAINED_RUN.run, resumed: resume }),
    stopTraining: () => ({ status: 'stopped', run: TRAINED_RUN.run }),
    saveModel: () => ({ status: 'saved', weights: WEIGHTS }),
    loadModel: () => ({ status: 'loaded', weights: WEIGHTS }),
    benchmark: () => BENCHMARK,
  };
}

function unknownTickerInBody(): BelegError {
  return new BelegError('INVALID_REQUEST', { errors: [{ path: 'ticker', message: 'Unknown ticker' }] });
}
