import type { Logger } from 'pino';
import { createActor, type AnyActorRef } from 'xstate';
import { machineOf, startedAt } from '../../actors/lifecycle.ts';
import type { TradingPolicy } from '../../actors/trading/commands.ts';
import { OWN_STRATEGY_LIFECYCLE } from '../../actors/trading/own-strategy-lifecycle.ts';
import { BelegError } from '../../events/errors.ts';
import { newCall, type CallContext } from '../../events/messages/define.ts';
import type { ActorHost } from '../foundation/actor-host.ts';
import type { StrategySource } from '../strategies/named.ts';
import { openAll, openAnew } from '../strategies/open-all.ts';
import { OwnStrategies } from '../strategies/run-own-strategies.ts';
import type { AccountWriter } from './account/account.ts';
import type { Market } from './ask-market.ts';
import type { Predictions } from './ask-model.ts';
import type { OwnSettings } from './settings.ts';
import type { StrategyRunner } from './strategy-runner.ts';

interface OwnRunnerOptions {
  readonly account: string;
  readonly policy: TradingPolicy;
  readonly writer: Pick<AccountWriter, 'read' | 'submit' | 'follow' | 'state'>;
  readonly market: Pick<Market, 'tickers' | 'recentSessions'>;
  /** Resolves once the broker has received every recorded order, and its answers to them are recorded too. */
  readonly settle: () => Promise<void>;
  readonly predictions: Predictions;
  readonly logger: Logger;
  readonly own: OwnSettings;
  readonly actors: ActorHost;
}

/** The operator's own strategies, which can be started and stopped by name. */
export interface OwnRunner extends StrategyRunner {
  /** The strategies in use, by name. */
  readonly inUse: ReadonlyMap<string, StrategySource>;
  /**
   * Loads the strategy again and starts it; no effect while it runs. A call while it is being loaded joins that start.
   * Rejects with `UNKNOWN_STRATEGY`, or with `STRATEGY_FAULT` if it cannot be loaded. A strategy that was halted is then
   * halted for this new reason; any other stays as it was.
   */
  start(name: string): Promise<void>;
  /** Stops the strategy. Rejects with `UNKNOWN_STRATEGY`. */
  stop(name: string, call: CallContext & { readonly deadline: Date }): Promise<void>;
  close(): Promise<void>;
}

/** Runs own strategies on the account's record, by the same code as in a backtest. */
export async function runOwn(options: OwnRunnerOptions): Promise<OwnRunner> {
  const { account, policy, writer, market, predictions, logger, own, settle } = options;
  const { sources, parameters } = own;
  const inUse = new Map(sources.map((source) => [source.name, source]));
  let tickers = new Set<string>();
  const opening = {
    parameters,
    hasTicker: (ticker: string) => tickers.has(ticker),
    onPrinted: (strategy: string, line: string) => logger.info({ strategy }, line),
  };
  const strategies = new OwnStrategies({
    account: {
      name: account,
      read: (look) => writer.read(look),
      submit: async (command, call) => void (await writer.submit(command, newCall(call))),
      settle,
    },
    policy,
    strategies: await openAll(sources, opening),
    onFault: (strategy, { message, file, line }) =>
      logger.error(
        { strategy, file, line, fault: message },
        'a strategy has failed and is halted until it is started again; the others and orders by hand go on',
      ),
  });
  const shown = showStrategies(inUse, options);
  /** The starts in progress, by name. A stop removes the start that it overtakes. */
  const starts = new Map<string, Promise<void>>();
  const statusOf = (name: string) => writer.read(({ strategies: known }) => known?.get(name)?.status);

  async function loadAndStart(name: string, isWanted: () => boolean): Promise<void> {
    if ((await statusOf(name)) === 'running') return;
    const opened = (await openAnew(name, sources, opening))!;
    // Loading takes long, so everything else is read afterwards.
    if ('fault' in opened) {
      if ((await statusOf(name)) === 'halted') await strategies.halt(name, null, opened.fault);
      throw new BelegError('STRATEGY_FAULT', { detail: opened.fault.told, cause: opened.fault });
    }
    const { strategy } = opened;
    try {
      const last = await writer.read(({ closedSession }) => closedSession);
      const past = last === null ? [] : await market.recentSessions(last, strategy.history);
      if (!isWanted())
        throw new BelegError('STRATEGY_FAULT', { detail: 'it was stopped while it was being loaded' });
      await strategies.start(strategy, past);
    } catch (error) {
      await strategy.close();
      throw error;
    }
  }

  return {
    name: sources.map(({ name }) => name).join(','),
    warmUp: 0,
    get wholeSessions() {
      return strategies.history;
    },
    inUse,

    async begin({ date, closed, sessions }) {
      tickers = new Set(await market.tickers());
      await strategies.take();
      await writer.read(({ strategies: known }) => {
        for (const name of inUse.keys()) {
          const { status, fault } = known!.get(name)!;
          if (status !== 'running')
            logger.warn(
              { strategy: name, status, fault },
              'a strategy rests until it is started by its name',
            );
        }
      });
      const hasActed = await writer.read(({ sessionsRun }) => sessionsRun > 0);
      const session = closed && hasActed ? sessions.find((one) => one.date === date) : undefined;
      strategies.begin(sessions.filter((one) => one.date !== session?.date));
      const day = session && { ...session, session };
      return { day: day ?? null, missed: null };
    },

    // The state of own strategies is on record, so there is nothing to resume.
    resume: async () => null,

    async decide({ day: { date, session } }, signal) {
      if (session === undefined) return { date, orders: [] };
      for (const ticker of Object.keys(session.bars)) tickers.add(ticker);
      await strategies.decide(session, () => predictions.after(date, signal));
      return { date, orders: [], session };
    },

    async submit({ session }) {
      if (session !== undefined) await strategies.submit(session);
    },

    start(name) {
      const known = starts.get(name);
      if (known !== undefined) return known;
      const start: Promise<void> = loadAndStart(name, () => starts.get(name) === start).finally(() => {
        if (starts.get(name) === start) starts.delete(name);
      });
      starts.set(name, start);
      return start;
    },

    async stop(strategy, call) {
      starts.delete(strategy);
      await writer.submit({ type: 'stop-strategy', strategy }, call);
      await strategies.rest(strategy);
    },

    async close() {
      shown.close();
      await strategies.close();
    },
  };
}

/** Each of these strategies is an actor in its recorded state, so that operators see it in the list. */
function showStrategies(
  inUse: OwnRunner['inUse'],
  { writer, actors }: Pick<OwnRunnerOptions, 'writer' | 'actors'>,
): { close(): void } {
  const machine = machineOf(OWN_STRATEGY_LIFECYCLE);
  const living = new Map<string, AnyActorRef>();
  const unfollow = writer.follow((events) => {
    for (const { type, data } of events) {
      if (!OF_STRATEGY.has(type) || !('strategy' in data) || typeof data.strategy !== 'string') continue;
      if (!inUse.has(data.strategy)) continue;
      const actor = living.get(data.strategy);
      if (actor === undefined) begin(data.strategy);
      else actor.send({ type });
    }
  });
  function begin(name: string): void {
    const { status } = writer.state.strategies!.get(name)!;
    const actor = actors.host(createActor(startedAt(machine, status), { clock: actors.clock }), {
      kind: 'own-strategy',
      id: name,
    });
    living.set(name, actor);
    actor.start();
  }
  for (const name of inUse.keys()) if (writer.state.strategies?.has(name) === true) begin(name);
  return {
    close() {
      unfollow();
      for (const actor of living.values()) actor.stop();
    },
  };
}

const OF_STRATEGY = new Set<string>(OWN_STRATEGY_LIFECYCLE.events);
