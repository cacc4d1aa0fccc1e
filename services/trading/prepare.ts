import type { Logger } from 'pino';
import type { Prepared } from '../../actors/trading/engine-machine.ts';
import type { Market } from './ask-market.ts';
import { unfinishedSession, type SessionSteps } from './session-steps.ts';
import type { StrategyRunner } from './strategy-runner.ts';

interface PrepareParts {
  readonly market: Market;
  readonly steps: Pick<SessionSteps, 'writer' | 'prices'>;
  readonly strategy: Pick<StrategyRunner, 'warmUp' | 'wholeSessions'>;
  readonly logger: Logger;
}

/**
 * What has to be known before the clock runs: prices, the strategy's past, and a session that was cut off. `null` if
 * the market has no sessions yet. Rejects while the market service is away.
 */
export async function prepare({ market, steps, strategy, logger }: PrepareParts): Promise<Prepared | null> {
  const { writer, prices } = steps;
  const range = await market.range();
  if (range === null) return null;
  await lookForSource(range, { market, steps, logger });
  const { session, closedSession } = writer.state;
  const date = closedSession ?? (await market.sessions(null, 1)).warmUp;
  // One session more than the strategy needs, because a change of trend needs the previous one.
  const count = strategy.warmUp + 1;
  const closes = date === null ? new Map<string, number[]>() : await market.recentCloses(date, count);
  const last = date === null ? null : await market.sessionOn(date);
  prices.begin(date, closes, last?.gone);
  const { wholeSessions } = strategy;
  const sessions = date !== null && wholeSessions > 0 ? await market.recentSessions(date, wholeSessions) : [];
  const traded = new Set(last === null ? closes.keys() : Object.keys(last.bars));
  const closed = closedSession !== null && session === closedSession;
  return {
    past: { date, closed, closes, traded, sessions },
    unfinished:
      session !== null && session !== closedSession ? await unfinishedSession(market, session) : null,
  };
}

/**
 * Warns if the account was used with another source. It may then wait for a session that never comes, or hold shares
 * without a price, and nothing else would show why.
 */
async function lookForSource(
  range: { readonly first: string; readonly last: string },
  { market, steps, logger }: Pick<PrepareParts, 'market' | 'steps' | 'logger'>,
): Promise<void> {
  const { session, positions, books } = steps.writer.state;
  if (session === null) return;
  const listed = new Set(await market.tickers());
  const held = [...positions].filter(([, { quantity }]) => quantity !== 0n).map(([ticker]) => ticker);
  const missing = [...new Set([...held, ...books.keys()])].filter((ticker) => !listed.has(ticker));
  if (missing.length === 0 && session >= range.first && session <= range.last) return;
  logger.warn(
    { session, ...range, missing },
    'the last session or the tickers of the account are not in the market data; was it used with another data source?',
  );
}
