import { addDays } from '../../events/dates.ts';
import type { Broker } from '../../actors/trading/broker.ts';
import type { TradingPolicy } from '../../actors/trading/commands.ts';
import { fundsOf } from '../../actors/trading/funds.ts';
import { priceOf, type Price } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { BelegError } from '../../events/errors.ts';
import { newCall, type CallContext } from '../../events/messages/define.ts';
import type { AccountWriter } from './account/account.ts';
import type { Delivery } from './delivery.ts';
import type { Market } from './ask-market.ts';
import type { Prices } from './prices.ts';
import type { ReportIntake } from './take-reports.ts';

/** The parts of the account that a session, and its reconciliation with the broker, need. */
export interface SessionSteps {
  readonly writer: Pick<AccountWriter, 'state' | 'submit' | 'follow'>;
  readonly broker: Pick<Broker, 'advance' | 'positions' | 'session'>;
  readonly delivery: Pick<Delivery, 'hold' | 'release' | 'flush'>;
  readonly reports: Pick<ReportIntake, 'drain'>;
  readonly prices: Prices;
  readonly policy: Pick<TradingPolicy, 'settlementSessions'>;
}

/**
 * Records that the session begins. Orders that come from now on wait until the broker is done with the session, because
 * the broker applies the session's splits to all orders that it has. This step and the later ones have no effect if they
 * were done already, so that the same calls finish a session that a crash or a fault cut off. Each rejects with
 * `BROKER_UNAVAILABLE`, or if the account can no longer be written.
 */
export async function openSession(
  session: SessionData,
  { writer, delivery, reports, prices }: SessionSteps,
): Promise<void> {
  await delivery.hold();
  // The broker's answers to cancellations and amendments until here are in shares before the session's splits.
  const open = [...writer.state.open.values()];
  if (open.some(({ amending, cancelRequested }) => cancelRequested || amending !== undefined))
    await reports.drain();
  await writer.submit({ type: 'open-session', session }, causeOf(session, 'open'));
  prices.open(session);
}

/** Lets the orders that the broker had before the session meet its bars, and records the result. */
export async function matchSession(session: SessionData, steps: SessionSteps): Promise<void> {
  const { writer, broker, delivery, reports, policy } = steps;
  await broker.advance(session, fundsOf(writer.state, policy));
  await reports.drain();
  delivery.release();
  await settle(steps);
}

/**
 * Resolves when the broker has received everything that is on record, and its answers are on record too. Then the
 * account is in the state in which a backtest would have it. Rejects with `BROKER_UNAVAILABLE`.
 */
export async function settle({
  delivery,
  reports,
}: Pick<SessionSteps, 'delivery' | 'reports'>): Promise<void> {
  await delivery.flush();
  await reports.drain();
}

/** Values the positions at the session's closes; a loss beyond the limit halts trading. */
export async function closeSession(
  session: SessionData,
  steps: Pick<SessionSteps, 'writer' | 'prices' | 'delivery' | 'reports'>,
): Promise<void> {
  const { writer, prices } = steps;
  const closes = closesOf(session);
  await writer.submit({ type: 'close-session', session: session.date, closes }, causeOf(session, 'close'));
  prices.close(closes);
  await settle(steps);
}

const closesOf = ({ bars }: SessionData): ReadonlyMap<string, Price> =>
  new Map(Object.entries(bars).map(([ticker, { close }]) => [ticker, priceOf(close)]));

/** A repeated step of a session has the same cause and so gives the same events. */
const causeOf = ({ date }: SessionData, step: 'open' | 'close'): CallContext =>
  newCall(`session/${date}/${step}`);

/**
 * The account's open session with the market's bars. It is empty if the market has later sessions, but not this one. If
 * the market's data end before it, this rejects with `SERVICE_UNAVAILABLE`: without bars the broker would miss splits.
 */
export async function unfinishedSession(
  market: Pick<Market, 'sessions'>,
  date: string,
): Promise<SessionData> {
  const [next] = (await market.sessions(addDays(date, -1), 1)).sessions;
  if (next?.date === date) return next;
  if (next !== undefined) return { date, bars: {}, splits: {}, dividends: {} };
  throw new BelegError('SERVICE_UNAVAILABLE', {
    detail: `The market data end before ${date}, where the account is`,
    retryAfter: 1,
  });
}
