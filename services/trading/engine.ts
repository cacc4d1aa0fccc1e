import type { Logger } from 'pino';
import { createActor, fromCallback, fromPromise, waitFor, type SnapshotFrom } from 'xstate';
import { BelegError } from '../../events/errors.ts';
import { failureLevel } from '../foundation/late.ts';
import type { ActorHost } from '../foundation/actor-host.ts';
import { isAtRest, sessionClock } from '../../actors/trading/engine.ts';
import { ENGINE_LIFECYCLE, type EngineEventType } from '../../actors/trading/engine-lifecycle.ts';
import { engineMachine, type EngineTag } from '../../actors/trading/engine-machine.ts';
import { strategyMachine } from '../../actors/trading/strategy-machine.ts';
import { whatIsAway } from '../../actors/trading/what-is-away.ts';
import type { Market } from './ask-market.ts';
import type { Delivery } from './delivery.ts';
import { prepare } from './prepare.ts';
import { finishSession, reconcile } from './reconcile.ts';
import type { SessionPages } from './session-pages.ts';
import { closeSession, matchSession, openSession, type SessionSteps } from './session-steps.ts';
import type { ReportIntake } from './take-reports.ts';
import type { StrategyRunner } from './strategy-runner.ts';

/** An account that this process holds, with everything that its engine works with. */
export interface HeldAccount {
  readonly steps: SessionSteps & {
    readonly delivery: Pick<Delivery, 'start'>;
    readonly reports: Pick<ReportIntake, 'listen'>;
  };
  readonly market: Market;
  readonly sessions: SessionPages;
  readonly strategy: StrategyRunner;
  /** Closes the account: nothing is in flight afterwards. The next holder finds what has not been done. */
  close(): Promise<void>;
}

interface EngineOptions<Account extends HeldAccount> {
  readonly account: string;
  readonly open: (engine: {
    /** To be called if the account cannot go on: another holder has written, or the record is corrupt. */
    readonly onFenced: () => void;
    /** Resolves once no step is under way. Whoever closes the account waits for it. */
    readonly stepsOver: () => Promise<unknown>;
  }) => Promise<Account>;
  /** Whether time stands still while nothing trades. It does so only in a replay. */
  readonly restsWhenIdle: boolean;
  /** Sessions a second, until a command sets the clock; at 0 a session only begins when it is requested. */
  readonly speed: number;
  readonly logger: Logger;
  readonly actors: ActorHost;
}

const RECORDED = new Set<string>(ENGINE_LIFECYCLE.events);
const isOfEngine = (type: string): type is EngineEventType => RECORDED.has(type);

/**
 * Milliseconds that a stop waits for the session under way, as a strategy has five seconds to decide. A longer session
 * is finished by the next holder.
 */
const LAST_SESSION_MS = 8_000;

/** Whether a session is there, and the clock is paused. */
const isHeldUp = (snapshot: SnapshotFrom<typeof engineMachine>): boolean =>
  snapshot.matches({ holding: { clock: { session: 'due' }, pace: { byHand: 'waiting' } } });

/** Runs the trading engine: its machine with everything that it works with. */
export function startEngine<Account extends HeldAccount>(options: EngineOptions<Account>) {
  const { restsWhenIdle, speed, logger, actors } = options;
  /** Set from `opening` on, until the account is handed over. */
  let account: Account | undefined;
  /** Steps that may still run after the engine has left their state. The account is closed only after them. */
  const underWay = new Set<Promise<unknown>>();

  /** Runs a step of the machine. A step that the machine no longer waits for goes on until the account is closed. */
  function step<Input, Output>(
    run: (account: Account, input: Input, signal: AbortSignal) => Promise<Output>,
  ) {
    return fromPromise<Output, Input>(({ input, signal }) => {
      const running = run(account!, input, signal);
      underWay.add(running);
      void Promise.allSettled([running]).then(() => underWay.delete(running));
      return running;
    });
  }

  const actor = createActor(
    engineMachine.provide({
      actors: {
        open: fromPromise(async () => {
          account = await options.open({
            onFenced: () => actor.send({ type: 'FENCED' }),
            stepsOver: () => Promise.allSettled(underWay),
          });
          const { writer } = account.steps;
          writer.follow(follow);
          if (writer.state.clock !== undefined)
            logger.info(clock(account), 'the session clock goes on as an operator has set it');
          return clock(account);
        }),
        delivery: fromCallback(() => account!.steps.delivery.start()),
        reports: fromCallback(({ sendBack }) =>
          account!.steps.reports.listen((error) => sendBack({ type: 'REPORTS_DELAYED', error })),
        ),
        finishSession: step(({ market, steps }) => finishSession(market, steps)),
        reconcile: step(({ steps }) => reconcile(steps)),
        prepare: step((held) => prepare({ ...held, logger })),
        nextSession: step(({ sessions, steps }) => sessions.next(steps.writer.state.closedSession)),
        openSession: step(({ steps }, session) => openSession(session, steps)),
        matchSession: step(({ steps }, session) => matchSession(session, steps)),
        closeSession: step(({ steps }, session) => closeSession(session, steps)),
        strategy: strategyMachine.provide({
          actors: {
            warmUp: step(({ strategy }, past) => strategy.begin(past)),
            resume: step(({ strategy }, missed, signal) => strategy.resume(missed, signal)),
            decide: step(({ strategy }, turn, signal) => strategy.decide(turn, signal)),
            submit: step(({ strategy }, wishes) => strategy.submit(wishes)),
          },
          actions: {
            tellFailure: (_, { error }) =>
              logger.error({ err: error }, 'the strategy has failed: trading goes on without it'),
          },
        }),
        handOver: fromPromise(() => account!.close().finally(() => (account = undefined))),
      },
      guards: {
        stands: (_, status) => account!.steps.writer.state.engine === status,
        mayRest: () => {
          const { state } = account!.steps.writer;
          // The engine can rest only after the first session, because before that there is no present day.
          return restsWhenIdle && state.closedSession !== null && isAtRest(state);
        },
      },
      actions: {
        tellWaiting: (_, { error }) => logger.warn({ err: error }, 'the market data feed is waiting'),
        tellDelay: (_, { error }) =>
          logger.warn({ err: error }, 'the account cannot be compared with the broker yet; trying again'),
        tellReports: (_, { error }) => {
          // If the broker is away, the clock reports it.
          if (whatIsAway(error) !== 'broker')
            logger[failureLevel(error)]({ err: error }, 'the reports of the broker are delayed');
        },
        tellFault: (_, { error }) =>
          logger.error({ err: error }, 'the account and the broker cannot be compared'),
      },
    }),
    { clock: actors.clock },
  );
  actors.host(actor, { kind: 'engine', id: options.account });

  const clock = ({ steps }: Account) => sessionClock(steps.writer.state, speed);

  function follow(events: readonly { readonly type: string }[]): void {
    for (const { type } of events) {
      if (isOfEngine(type)) actor.send({ type });
      else if (type === 'ClockSet') actor.send({ type: 'CLOCK_SET', clock: clock(account!) });
    }
    // Other events concern the engine only if they may end its rest.
    if (actor.getSnapshot().hasTag('resting')) actor.send({ type: 'RECORDED' });
  }

  actor.start();
  const closed = (): string | null => account?.steps.writer.state.closedSession ?? null;
  /** The session that was requested and is not over. */
  let requested: Promise<string> | undefined;

  async function oneSession(): Promise<string> {
    const before = closed();
    const asked = () => {
      actor.send({ type: 'NEXT' });
      return waitFor(actor, (snapshot) => {
        if (!snapshot.matches('holding') || snapshot.hasTag('resting') || isHeldUp(snapshot)) return true;
        if (snapshot.hasTag('closing') && !snapshot.hasTag('atWork')) return true;
        if (!snapshot.matches({ holding: { clock: 'betweenSessions' } })) return false;
        if (!snapshot.hasTag('stepping') && closed() !== before) return true;
        return snapshot.matches({
          holding: { clock: { betweenSessions: 'delayed' }, waitingFor: 'bar' },
        });
      });
    };
    let end = await asked();
    // The clock was set meanwhile, so the pace has forgotten the request for a session. It is requested again.
    while (isHeldUp(end)) end = await asked();
    const session = closed();
    if (end.matches('holding') && !end.hasTag('stepping') && session !== null && session !== before)
      return session;
    actor.send({ type: 'CALLED_OFF' });
    if (!end.matches('holding')) throw new BelegError('RECONCILING', { retryAfter: 1 });
    if (end.hasTag('closing')) throw new BelegError('SERVICE_UNAVAILABLE', { retryAfter: 1 });
    throw new BelegError('NO_SESSION', {
      detail: end.hasTag('resting')
        ? 'Time stands still: trading is stopped and no order is open'
        : 'The market data have no further session yet',
    });
  }

  function tellEnd(type: 'CLOSING' | 'SHUTDOWN'): void {
    if (actor.getSnapshot().status === 'active') actor.send({ type });
  }

  return {
    /** The account while this process holds it. */
    get account(): Account | undefined {
      return account;
    },

    /** Whether the engine is in a state with that tag. */
    has: (tag: EngineTag): boolean => actor.getSnapshot().hasTag(tag),

    /**
     * Whether there is no further session yet, or a service that the engine needs is away. It is false while a session
     * is tried again.
     */
    get waiting(): boolean {
      const snapshot = actor.getSnapshot();
      return snapshot.hasTag('waiting') && !snapshot.hasTag('atWork');
    },

    /**
     * Takes the account, once this process has the lease. Resolves, when the account is open, with a function that
     * hands it over; rejects if the account could not be opened. `giveUp` is called when the account cannot go on.
     */
    async hold(giveUp: () => void): Promise<() => Promise<void>> {
      const givenUp = actor.on('given-up', giveUp);
      actor.send({ type: 'LEASE_HELD' });
      const opened = await waitFor(actor, (snapshot) => !snapshot.matches('opening'));
      const end = async (): Promise<void> => {
        actor.send({ type: 'LEASE_LOST' });
        const { context } = await waitFor(actor, (snapshot) => snapshot.matches('standingBy'));
        givenUp.unsubscribe();
        if (context.fault !== null) throw context.fault;
      };
      if (opened.matches('standingBy')) await end();
      return end;
    },

    /** To be called when the market has changed: the engine looks for another session at once. */
    marketUpdated(): void {
      account?.sessions.forget();
      actor.send({ type: 'MARKET_UPDATED' });
    },

    /**
     * Lets one session come. If the clock runs, it waits for the next session, which comes even if the clock is paused
     * meanwhile. Resolves with the session's day once everything in it is on record; several callers wait for the same
     * session. Rejects with `NO_SESSION` while time stands still, and if the market has no further session.
     */
    next(): Promise<string> {
      requested ??= oneSession().finally(() => (requested = undefined));
      return requested;
    },

    /**
     * To be called before the service is stopped: callers that wait for a session that has not begun are rejected.
     * Resolves once the session under way is finished, or a service that it needs is away.
     */
    async endSessions(): Promise<void> {
      tellEnd('CLOSING');
      await waitFor(actor, (snapshot) => !snapshot.hasTag('atWork'), { timeout: LAST_SESSION_MS }).catch(
        () => undefined,
      );
    },

    /** To be called once the lease is given back. */
    close: () => tellEnd('SHUTDOWN'),
  };
}

/** The visible state of the engine. */
export type EngineView = Pick<ReturnType<typeof startEngine>, 'has' | 'waiting' | 'next'>;
