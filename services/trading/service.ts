import { createStrategy } from '../../actors/strategy/create.ts';
import type { Strategy } from '../../actors/strategy/strategy.ts';
import { MarketUpdateFinished } from '../../events/catalog/market.ts';
import type { TradingSettings } from '../config-trading.ts';
import type { Watch } from '../followers.ts';
import { allBegun, whileHeld } from '../held.ts';
import type { StateHashes } from '../state-hashes.ts';
import type { BrokerOpener } from './open-broker.ts';
import { serveTradingRequests } from './requests.ts';
import { openLeaseSession, type LeaseSession } from './lease-session.ts';
import { processTimer, type Timer } from './timer.ts';
import type { ServiceParts } from '../service-parts.ts';

export interface TradingServiceOptions extends ServiceParts {
  readonly watch?: Pick<Watch, 'add'>;
  readonly settings: TradingSettings['trading'];
  /** Where its tables and its snapshot are: what is there can be built again. */
  readonly dataDir: string;
  readonly openBroker: BrokerOpener;
  /** Paces the feed; the process's own where absent. */
  readonly timer?: Timer;
  /** By default the one that the settings name. */
  readonly createStrategy?: () => Strategy;
}

/** For readiness and figures. */
type TradingStatusFigures = {
  /** This process has the account; `false` where another one has it, or nobody. */
  readonly held: boolean;
  readonly reconciling: boolean;
  readonly feed_waiting: boolean;
  /** Callers that wait for the record. */
  readonly waiting: number;
  readonly open_orders: number;
  readonly discrepancies: number;
  readonly tables_live: boolean;
};

export interface TradingService {
  /** Resolves when this process has the account, which it does at once where it is the only one. Rejects when it could not begin. */
  readonly allHeld: Promise<void>;
  status(): TradingStatusFigures;
  /** Of what this process has. Rejects as the account's writer does. */
  stateHashes(): Promise<StateHashes>;
  /** Before the bus is drained: gives the account back, so that another process takes over at once. Nothing is in flight then. */
  leave(): Promise<void>;
}

/**
 * Owns the account: its record, its orders, its dealings with the broker, its clock. One process at a time, under the
 * lease `trading`; one that has lost it without knowing is fenced off by the account's revision.
 */
export function serveTrading(options: TradingServiceOptions): TradingService {
  const { bus, leases, settings } = options;
  let lease: LeaseSession | null = null;

  const account = whileHeld(leases, 'trading', async (giveUp) => {
    const held = await openLeaseSession({
      ...options,
      timer: options.timer ?? processTimer,
      createStrategy: options.createStrategy ?? (() => createStrategy(settings.strategy)),
      giveUp,
    });
    let close;
    try {
      close = serveTradingRequests({ ...options, account: settings.account }, held);
    } catch (error) {
      await held.end();
      throw error;
    }
    const updated = bus.subscribe(UPDATES, () => held.feed.nudge());
    lease = held;
    return async () => {
      await updated.unsubscribe();
      await close();
      lease = null;
    };
  });

  return {
    allHeld: allBegun([account]),
    status: () => figuresOf(lease),
    stateHashes: async () => (await lease?.stateHashes()) ?? {},
    leave: () => account.end(),
  };
}

/** Of any update: its stream is the last token. */
const UPDATES = MarketUpdateFinished.subject('').replace(/[^.]+$/, '*');

function figuresOf(lease: LeaseSession | null): TradingStatusFigures {
  if (lease === null) {
    return {
      held: false,
      reconciling: false,
      feed_waiting: false,
      waiting: 0,
      open_orders: 0,
      discrepancies: 0,
      tables_live: false,
    };
  }
  const { writer, feed, projection } = lease;
  return {
    held: true,
    reconciling: lease.reconciling(),
    feed_waiting: feed.waiting,
    waiting: writer.waiting,
    open_orders: writer.state.open.size,
    discrepancies: writer.state.discrepancies.length,
    tables_live: projection.status().state === 'live',
  };
}
