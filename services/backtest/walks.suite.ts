import { DAY_MS } from '../../events/dates.ts';
import type { SessionData } from '../../events/messages/market.ts';

/** Numbers from 0 to 1 by a seed (mulberry32). */
export function drawing(seed: number): () => number {
  let at = seed;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const TICKERS = ['AAA', 'BBB', 'CCC'] as const;
type Ticker = (typeof TICKERS)[number];

/** Three tickers that nobody can foretell: each close is the one before it times a drawn rise. One splits, one pays. */
export function walks(count: number, seed = 1): SessionData[] {
  const draw = drawing(seed);
  const closes = { AAA: 100, BBB: 40, CCC: 250 };
  return Array.from({ length: count }, (_, n) => {
    const splits: Record<string, string> = n === Math.floor(count / 3) ? { BBB: '2/1' } : {};
    const bars = Object.fromEntries(
      TICKERS.map((ticker) => {
        const open = closes[ticker] / (splits[ticker] === undefined ? 1 : 2);
        const close = open * (1 + (draw() - 0.5) * 0.04);
        closes[ticker] = Math.round(close * 100) / 100;
        const [low, high] = [Math.min(open, close) * 0.99, Math.max(open, close) * 1.01];
        return [ticker, { open, high, low, close: closes[ticker], volume: 1_000_000 + n }];
      }),
    );
    const date = new Date(Date.UTC(2023, 0, 2) + n * DAY_MS).toISOString().slice(0, 10);
    return { date, bars, splits, dividends: n === Math.floor(count / 2) ? { AAA: 0.5 } : {} };
  });
}

/** From the close of a session to that of the one `ahead` of it, as a share; 0 at the end. */
export function riseOf(sessions: readonly SessionData[], n: number, ticker: Ticker, ahead = 1): number {
  let factor = 1;
  for (const { splits } of sessions.slice(n + 1, n + 1 + ahead))
    if (splits[ticker] !== undefined) factor *= 2;
  const [from, to] = [sessions[n]!, sessions[Math.min(n + ahead, sessions.length - 1)]!];
  return (to.bars[ticker]!.close * factor) / from.bars[ticker]!.close - 1;
}

type Figures = Readonly<Record<string, (n: number, ticker: Ticker) => number>>;

/** The sessions with further columns of each ticker. */
export const withColumns = (sessions: readonly SessionData[], figures: Figures): SessionData[] =>
  sessions.map((session, n) => ({
    ...session,
    bars: Object.fromEntries(
      TICKERS.map((ticker) => {
        const columns = Object.entries(figures).map(([name, of]) => [name, of(n, ticker)] as const);
        return [ticker, { ...session.bars[ticker]!, columns: Object.fromEntries(columns) }];
      }),
    ),
  }));

/** The sessions with a series of which each shows one value. */
export const withSeries = (
  sessions: readonly SessionData[],
  name: string,
  of: (n: number) => number,
): SessionData[] =>
  sessions.map((session, n) => ({
    ...session,
    series: { ...session.series, [name]: { date: session.date, value: of(n) } },
  }));
