import type { AccountData } from '../../actors/trading/commands.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { followingTheirPast, nextBars } from './next-bars.ts';

/**
 * From this share of right orders and this many standard errors on, a strategy must know the next session: no rule that
 * uses only the past is right that often, and it is no chance.
 */
const FORESEEN = { share: 0.8, errors: 6 };

/** The orders of a session as a bet: their value, and their gain at the next close. */
interface Bet {
  bought: number;
  sold: number;
  gain: number;
}

/**
 * Whether orders are right about the next close so often that the strategy must know it; `null` if not. A session is
 * one bet, however many orders it has, because tickers rise together. A bet counts by its value, because orders that
 * only bring a position back to its weight say nothing. Orders of a ticker whose rises follow from each other do not
 * count, because whoever knows its past knows much of what comes.
 */
export function foresightOf(
  decisions: ReadonlyMap<string, Pick<AccountData<'StrategyDecided'>, 'orders'>>,
  sessions: readonly SessionData[],
): string | null {
  const bets = new Map<string, Bet>();
  const moves = { up: 0, down: 0 };
  const predictable = followingTheirPast(sessions);
  for (const { ticker, session, bar, rise } of nextBars(sessions)) {
    if (rise === 0 || predictable.has(ticker)) continue;
    moves[rise > 0 ? 'up' : 'down'] += 1;
    for (const order of decisions.get(session.date)?.orders ?? []) {
      if (order.ticker !== ticker) continue;
      let bet = bets.get(session.date);
      if (bet === undefined) bets.set(session.date, (bet = { bought: 0, sold: 0, gain: 0 }));
      const worth = Number(order.quantity) * bar.close;
      bet[order.action === 'buy' ? 'bought' : 'sold'] += worth;
      bet.gain += order.action === 'buy' ? worth * rise : -worth * rise;
    }
  }
  const up = moves.up / (moves.up + moves.down);
  let [worth, squares, right, chance] = [0, 0, 0, 0];
  for (const { bought, sold, gain } of bets.values()) {
    worth += bought + sold;
    squares += (bought + sold) ** 2;
    if (gain > 0) right += bought + sold;
    chance += bought * up + sold * (1 - up);
  }
  right /= worth;
  chance /= worth;
  // The number of bets that would give the same certainty if all had the same value.
  const count = worth ** 2 / squares;
  const errors = (right - chance) / Math.sqrt((chance * (1 - chance)) / count);
  // Without any order these are NaN, and every comparison with NaN is false.
  if (!(right >= FORESEEN.share) || !(errors >= FORESEEN.errors)) return null;
  return (
    `its orders were right about the next close for ${percent(right)} of their value (by chance ${percent(chance)}), ` +
    `in ${bets.size} sessions: look for figures of the next session in what it reads`
  );
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
