import type { z } from 'zod';
import type * as market from '../../../events/messages/market.ts';
import type { ModelStatusReply } from '../../../events/messages/models.ts';
import type {
  EquityCurve,
  OrderView,
  PerformanceReply,
  TradingStatusReply,
} from '../../../events/messages/trading.ts';

export type Status = z.output<typeof TradingStatusReply>;
export type Model = z.output<typeof ModelStatusReply>;
export type Run = NonNullable<Model['run']>;
export type Point = z.output<(typeof EquityCurve)['reply']>['points'][number];
export type Performance = z.output<typeof PerformanceReply>;
export type Pipeline = z.output<typeof market.PipelineStatus>;
export type Bars = z.output<typeof market.Bar>[];
export type Actions = z.output<typeof market.CorporateActionsReply>['actions'];
export type Order = OrderView;

interface History extends Actions {
  readonly ticker: string;
  /** The requested number of sessions. */
  readonly limit: number;
  readonly bars: Bars;
}

/** The last price; `previous` is `null` if it is unknown. */
export type Price = { readonly session: string; close: number; readonly previous: number | null };

/** Services behind the gateway. */
export type Service = 'trading' | 'market' | 'model';

export interface State {
  /** In the phase `locked` the page waits for a key. */
  connection: { phase: 'connecting' | 'live' | 'locked' } | { phase: 'lost'; retryAt: number };
  /** Services that did not answer the last query. */
  silent: readonly Service[];
  /**
   * The time at which requests continue after too many of them, in milliseconds since 1970; `null` if none were
   * refused.
   */
  limitedUntil: number | null;
  /** The time of the newest message; `null` before the first. */
  heardAt: Date | null;
  /** Whether the key is for reading only. */
  readOnly: boolean;
  status: Status | null;
  /** The account's value at the close of each session, ascending. */
  equity: Point[];
  /** The figures of the account up to the last close that was read. */
  performance: Performance | null;
  /** Orders by id, in the order of submission. */
  orders: Map<string, Order>;
  /** The tradable tickers, the `index`, and `all` tickers with data. */
  tickers:
    | (Pick<z.output<typeof market.TickerList>, 'initial' | 'index'> & { all: readonly string[] })
    | null;
  /** The last price of each ticker. */
  prices: Map<string, Price>;
  /** The chosen ticker. */
  ticker: string;
  history: History | null;
  pipeline: Pipeline | null;
  /** The update of the market data that is running; `null` if none is. */
  update: { done: number; total: number | null; failed: Pipeline['failed'] } | null;
  model: Model | null;
  system: { project_name: string; version: string } | null;
  /** Log lines are objects, because two lines may have equal texts. */
  logs: { readonly text: string }[];
}

/**
 * The state of the page, as last read from the service. `change` replaces parts of it; views of those parts are drawn
 * once in the next animation frame, however many messages came before it.
 */
export const state: State = {
  connection: { phase: 'connecting' },
  silent: [],
  limitedUntil: null,
  heardAt: null,
  readOnly: false,
  status: null,
  equity: [],
  performance: null,
  orders: new Map(),
  tickers: null,
  prices: new Map(),
  ticker: '',
  history: null,
  pipeline: null,
  update: null,
  model: null,
  system: null,
  logs: [],
};

type Part = keyof State;

const views: { parts: readonly Part[]; draw: (state: State) => void }[] = [];
const dirty = new Set<Part>();
let frame = 0;

/** Draws now and whenever one of the parts has changed. */
export function view(parts: readonly Part[], draw: (state: State) => void): void {
  views.push({ parts, draw });
  change({}, ...parts);
}

/** Changes parts of the state. `touched` names parts that were changed in place. */
export function change(patch: Partial<State>, ...touched: readonly Part[]): void {
  Object.assign(state, patch);
  for (const part of [...(Object.keys(patch) as Part[]), ...touched]) dirty.add(part);
  frame ||= requestAnimationFrame(drawDirty);
}

function drawDirty(): void {
  frame = 0;
  const now = new Set(dirty);
  dirty.clear();
  for (const { parts, draw } of views) if (parts.some((part) => now.has(part))) draw(state);
}

const ENDED: ReadonlySet<Order['status']> = new Set(['filled', 'cancelled', 'rejected', 'expired']);
export const isOpen = (order: Order): boolean => !ENDED.has(order.status);
