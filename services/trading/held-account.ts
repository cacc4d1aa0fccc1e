import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createStrategy } from '../../actors/strategy/strategies.ts';
import type { Strategy } from '../../actors/strategy/strategy.ts';
import type { Unmet } from '../../actors/trading/sizing.ts';
import { quantityText } from '../../events/decimal.ts';
import type { AccountEvent } from '../../events/catalog/catalog.ts';
import { accountStream } from '../../events/catalog/trading.ts';
import { isBelegError } from '../../events/errors.ts';
import { newCall } from '../../events/messages/define.ts';
import { failureLevel } from '../foundation/late.ts';
import { closingOnFailure } from '../foundation/closers.ts';
import { SettingsError } from '../foundation/settings-error.ts';
import type { Watch } from '../foundation/watch-followers.ts';
import { stateHashOf, type StateHashes } from '../foundation/streams/state-hashes.ts';
import type { TradingSettings } from './settings.ts';
import { openAccount, type AccountWriter } from './account/account.ts';
import { withTimeout } from './broker-timeout.ts';
import { deliveryTo } from './delivery.ts';
import { earlierOrders } from './earlier-orders.ts';
import { askMarket } from './ask-market.ts';
import type { BrokerOpener } from './open-broker.ts';
import { askModel } from './ask-model.ts';
import { settle } from './session-steps.ts';
import { sessionPages } from './session-pages.ts';
import { Prices } from './prices.ts';
import { runTradingTables, tradingTablesIn } from './tables/run-tables.ts';
import { foreignSource } from './foreign-source.ts';
import { takeReports } from './take-reports.ts';
import { takeSnapshots, snapshotFile } from './account/snapshots.ts';
import { runOwn } from './own-strategy-runner.ts';
import { runStrategy, type StrategyRunner } from './strategy-runner.ts';
import type { ServiceParts } from '../foundation/service-parts.ts';

export interface TradingServiceOptions extends ServiceParts {
  readonly watch?: Pick<Watch, 'add'>;
  readonly settings: TradingSettings;
  /** The folder of the account's tables and its snapshot, which can be built again. */
  readonly dataDir: string;
  readonly openBroker: BrokerOpener;
  /** Creates the strategy; by default the one that the settings name. */
  readonly createStrategy?: () => Strategy;
}

interface HeldAccountOptions extends TradingServiceOptions {
  /** Called if the account cannot go on: another holder has written, or the record is corrupt. */
  readonly onFenced: () => void;
  /** Resolves once no step of the engine is under way. */
  readonly stepsOver: () => Promise<unknown>;
}

/** An account that this process holds under the lease. */
export type HeldAccount = Awaited<ReturnType<typeof open>>;

/** Milliseconds for the commands that have to be recorded before anything else. */
const OPENING_MS = 5_000;

/**
 * Reads the account, or opens it. Orders wait until the account is reconciled with the broker. Rejects with
 * `STORE_UNAVAILABLE`, `BROKER_UNAVAILABLE` or `STREAM_CORRUPT`; then nothing stays open.
 */
export function openHeldAccount(options: HeldAccountOptions): Promise<HeldAccount> {
  return closingOnFailure((closers) => open(options, closers));
}

async function open(options: HeldAccountOptions, closers: AsyncDisposableStack) {
  const { bus, store, codec, logger, settings, dataDir, now, onFenced, stepsOver } = options;
  const { account, policy } = settings;
  // If the file of the tables has vanished, the account is opened again, together with the readers of its tables.
  const projection = runTradingTables({ ...options, giveUp: options.onFenced });
  closers.defer(() => projection.stop());
  const unwatch = options.watch?.add('trading', projection.follower());
  closers.defer(() => unwatch?.());

  const onFault = (error: unknown): void => tellFault(logger, error);
  const snapshots = snapshotFile(join(dataDir, `account-${account}.snapshot`), onFault);
  const onLost = (error: unknown): void => {
    logger.warn({ err: error }, 'this process releases the account: its events can no longer be written');
    onFenced();
  };
  let losing = false;
  const onAway = (error: unknown): (() => void) => {
    losing = true;
    logger.warn(
      { err: error },
      'the event store is away: nothing can be recorded, and sessions wait, until it answers again',
    );
    return () => {
      losing = false;
      logger.info('the event store answers again');
    };
  };
  const writer = await openAccount({ store, codec, account, policy, snapshots, now, onLost, onAway });
  closers.defer(takeSnapshots(snapshots, writer));
  closers.defer(() => writer.close());
  await beginAccount(writer, options);
  const opened = await options.openBroker({ account, now, onLost });
  closers.defer(() => opened.close());
  const broker = withTimeout(opened);

  const file = tradingTablesIn(dataDir);
  const earlier = earlierOrders({ account, writer, projection, file });
  closers.defer(() => earlier.close());

  const market = askMarket(bus);
  const prices = new Prices();
  const delivery = deliveryTo({ account, broker, writer, onFault, actors: options.actors });
  const reports = takeReports({ broker, writer, cursor: writer.state.cursor });
  const steps = { writer, broker, delivery, reports, prices, policy };
  const predictions = askModel(bus, logger);
  const { own } = settings;
  const ownStrategies =
    own === undefined
      ? undefined
      : await runOwn({
          account,
          policy,
          writer,
          market,
          predictions,
          logger,
          own,
          actors: options.actors,
          settle: () => settle(steps),
        });
  const strategy: StrategyRunner =
    ownStrategies ??
    runStrategy({
      account,
      policy,
      writer,
      store,
      prices,
      predictions,
      onUnmet: tellUnmet(logger),
      create: options.createStrategy ?? (() => createStrategy(settings.strategy)),
    });
  closers.defer(() => strategy.close?.());
  const unlog = writer.follow((events) => logEvents(logger, events));
  closers.defer(async () => {
    unlog();
    await delivery.stop();
    await writer.close();
    await reports.rest();
    await stepsOver();
  });

  return {
    writer,
    steps,
    market,
    sessions: sessionPages(market),
    strategy,
    /** The runner of the operator's own strategies; `undefined` if a built-in strategy trades. */
    ownStrategies,
    prices,
    earlier,
    projection,
    /**
     * Whether the store accepts nothing now, so that orders are refused. This is known from an append that waits for
     * the store.
     */
    isLosing: () => losing,
    /** The file of the tables. */
    file,
    stateHashes: async (): Promise<StateHashes> => ({
      ...(await writer.read((state) => stateHashOf(accountStream(account), state))),
      ...(await opened.stateHashes()),
    }),
    /** Closes the account: nothing is in flight afterwards. The next holder finds what has not been done. */
    close: () => closers.disposeAsync(),
  };
}

/**
 * Opens the account if it is new (an open account keeps its settings), and marks unanswered orders. Rejects with
 * `SettingsError` if the settings name another source than the account's, because the account would go on with the
 * sessions of another market.
 */
async function beginAccount(writer: AccountWriter, { settings }: HeldAccountOptions): Promise<void> {
  const { account, currency, cash, source } = settings;
  const foreign = foreignSource(settings, writer.state.source);
  if (foreign !== null) throw new SettingsError([`TD_SOURCE: ${foreign.found}; ${foreign.advice}`]);
  const deadline = new Date(Date.now() + OPENING_MS);
  await writer.submit({ type: 'open', account, currency, cash }, { ...newCall(`open/${account}`), deadline });
  await writer.submit({ type: 'use-source', source }, { ...newCall(`source/${account}`), deadline });
  await writer.submit(
    { type: 'doubt-unanswered' },
    { ...newCall(`doubt-unanswered/${randomUUID()}`), deadline },
  );
}

/** Logs unmet targets once for each reason, because a strategy may want the same every day. */
function tellUnmet(logger: Logger): (unmet: Unmet, date: string) => void {
  const told = new Set<string>();
  return ({ ticker, reason, wanted, got }, session) => {
    if (told.has(reason)) return;
    told.add(reason);
    const shares = wanted === null ? {} : { wanted: quantityText(wanted), got: quantityText(got) };
    logger.warn(
      { ticker, session, reason, ...shares },
      'the strategy did not get what it wanted; said once for each reason',
    );
  };
}

function tellFault(logger: Logger, error: unknown): void {
  // `SERVICE_UNAVAILABLE` comes while trading is ending, and the engine itself reports `BROKER_UNAVAILABLE`.
  if (isBelegError(error, 'SERVICE_UNAVAILABLE', 'BROKER_UNAVAILABLE')) return;
  logger[failureLevel(error)]({ err: error }, 'an error in trading');
}

/** Logs the events that an operator needs; none for single orders. */
function logEvents(logger: Logger, events: readonly AccountEvent[]): void {
  for (const { type, data } of events) {
    if (type === 'TradingStarted') logger.info('trading started');
    else if (type === 'TradingStopped') logger.info('trading stopped');
    else if (type === 'TradingResumed') logger.info({ session: data.session }, 'trading resumed');
    else if (type === 'ClockSet') logger.info(data, 'the session clock was set');
    else if (type === 'TradingHalted')
      logger.warn({ reason: data.reason, detail: data.detail }, 'trading halted');
    else if (type === 'PositionSettled')
      logger.warn(data, 'a ticker counts as gone: its position was settled at its last price');
    else if (type === 'DiscrepancyFound') logger.error(data, 'the account and the broker do not agree');
  }
}
