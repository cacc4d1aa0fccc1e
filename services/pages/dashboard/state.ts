import type { z } from 'zod';
import type * as market from '../../../events/messages/market.ts';
import type { ModelStatusReply } from '../../../events/messages/models.ts';
import type { EquityCurve, OrderView, TradingStatusReply } from '../../../events/messages/trading.ts';

export type Status = z.output<typeof TradingStatusReply>;
export type Model = z.output<typeof ModelStatusReply>;
export type Run = NonNullable<Model['run']>;
export type Point = z.output<(typeof EquityCurve)['reply']>['points'][number];
export type Pipeline = z.output<typeof market.PipelineStatus>;
export type Bars = z.output<typeof market.Bar>[];
export type Actions = z.output<typeof market.CorporateActionsReply>['actions'];
export type Order = OrderView;

interface History extends Actions {
  readonly ticker: string;
  /** Sessions that were asked for. */
  readonly limit: number;
  readonly bars: Bars;
}

/** The last one; `previous` is `null` where it is not known. */
export type Price = { readonly session: string; close: number; readonly previous: number | null };

/** Services behind the gateway. */
export type Service = 'trading' | 'market' | 'model';

export interface State {
  /** `locked`: a key is needed. */
  connection: { phase: 'connecting' | 'live' | 'locked' } | { phase: 'lost'; retryAt: number };
  /** Services that did not answer when they were asked last. */
  silent: readonly Service[];
  /** Too many requests: what is missing is read again then, in milliseconds since 1970; `null`: nothing was refused. */
  limitedUntil: number | null;
  /** When the newest message came; `null` before the first. */
  heardAt: Date | null;
  /** The key may look and not touch. */
  readOnly: boolean;
  status: Status | null;
  /** Value at the close of each session, ascending. */
  equity: Point[];
  /** By id, in the order of submission. */
  orders: Map<string, Order>;
  /** What can be traded, the `index`, and `all` that can be looked at. */
  tickers:
    | (Pick<z.output<typeof market.TickerList>, 'initial' | 'index'> & { all: readonly string[] })
    | null;
  /** By ticker. */
  prices: Map<string, Price>;
  /** The one that is looked at. */
  ticker: string;
  history: History | null;
  pipeline: Pipeline | null;
  /** The update that runs. */
  update: { done: number; total: number | null; failed: Pipeline['failed'] } | null;
  model: Model | null;
  system: { project_name: string; version: string } | null;
  /** Two lines may say the same. */
  logs: { readonly text: string }[];
}

/**
 * What the page knows, as the service said it last. `change` replaces parts of it; views of those parts are drawn once in
 * the next animation frame, however many messages came before it.
 */
export const state: State = {
  connection: { phase: 'connecting' },
  silent: [],
  limitedUntil: null,
  heardAt: null,
  readOnly: false,
  status: null,
  equity: [],
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

/** Parts that were changed in place are named in `touched`. */
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
