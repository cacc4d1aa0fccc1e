import type { Strategy } from '../../actors/strategy/port.ts';

/** A position within this share of its target is where it should be: every correction costs fees. */
const TOLERANCE = 0.25;
/** A ticker that has had no bar for more sessions than this no longer counts. */
const GONE_AFTER = 20;
/** Averages closer than this are the same: what rounding leaves of a price that does not move is no trend. */
const SAME = 1e-9;

/** What it remembers: tickers by name. */
interface Memory {
  readonly up: readonly string[];
  /** Their position differs from its target, or it is not known whether it does. */
  readonly unsettled: readonly string[];
}

/** The average of the newest values. */
function averageOf(values: readonly number[], count: number): number {
  let sum = 0;
  for (let at = values.length - count; at < values.length; at += 1) sum += values[at]!;
  return sum / count;
}

/**
 * Moving-average crossover, long only: holds each ticker whose fast average of closes is above its slow one, in equal parts of the
 * account, none more than twice what it would have if all were up. (Brock, Lakonishok and LeBaron, 1992)
 *
 * When it begins, or goes on after a pause, it brings the account to where the trends are; from then on it speaks up when a trend
 * turns, and until the account has followed.
 */
export default {
  parameters: {
    /** Closes of the fast average. */
    fast: { default: 10, min: 2, max: 100 },
    /** Closes of the slow average. */
    slow: { default: 30, min: 5, max: 250 },
    /** Share of the account; the rest stays in cash, because an order reserves more than its last price and has fees. */
    invested: { default: 0.9, min: 0.1, max: 1 },
  },
  // More than the longest average, because a ticker may miss some of these days.
  history: 300,

  onSession({ previous, decided, bars, past, universe, parameters, account, state }) {
    const { fast, slow, invested } = parameters;
    const members = new Set(universe);
    const known = decided === previous ? (state as Memory | null) : null;
    const before = new Set(known?.up);
    const trends: string[] = [];
    const isUp = new Set<string>();
    const turned: string[] = [];
    for (const ticker of past.tickers) {
      const closes = past.closes(ticker, slow);
      if (closes.length < slow) continue;
      trends.push(ticker);
      if (members.has(ticker) && averageOf(closes, fast) > averageOf(closes, slow) * (1 + SAME))
        isUp.add(ticker);
      if (isUp.has(ticker) !== before.has(ticker)) turned.push(ticker);
    }
    if (turned.length === 0 && known?.unsettled.length === 0 && before.size === isUp.size) return;

    const unsettled = new Set(known === null ? trends : [...known.unsettled, ...turned]);
    const { value, cash, positions } = account;
    // The targets of the other tickers change with the number of uptrends.
    if (turned.length > 0)
      for (const ticker of Object.keys(positions)) if (isUp.has(ticker)) unsettled.add(ticker);

    const since = past.dates.at(-1 - GONE_AFTER) ?? '';
    const counted = trends.filter(
      (ticker) =>
        members.has(ticker) && (bars[ticker] !== undefined || past.of(ticker).dates.at(-1)! >= since),
    );
    const share =
      invested / Math.max(counted.filter((ticker) => isUp.has(ticker)).length, counted.length / 2);

    const working = new Set(account.orders.map(({ ticker }) => ticker));
    const targets = [];
    // Buys use no more than the cash: if there is too little, they wait for the sales.
    let room = (invested * cash) / value;
    for (const ticker of [...unsettled].sort()) {
      const close = bars[ticker]?.close;
      if (close === undefined || working.has(ticker)) continue;
      const quantity = positions[ticker]?.quantity ?? 0;
      const [held, wanted] = [(quantity * close) / value, isUp.has(ticker) ? share : 0];
      const isThere =
        wanted === 0 || held <= 0
          ? held === wanted
          : Math.abs(held - wanted) <= Math.max(TOLERANCE * wanted, close / value);
      const bought = Math.min(wanted - held, room);
      if (isThere) {
        unsettled.delete(ticker);
      } else if (wanted < held) {
        targets.push({ ticker, weight: wanted, time_in_force: 'day' as const, reason: 'trend' });
      } else if (bought >= TOLERANCE * (wanted - held)) {
        room -= bought;
        targets.push({ ticker, weight: held + bought, time_in_force: 'day' as const, reason: 'trend' });
      }
    }
    const memory: Memory = { up: [...isUp], unsettled: [...unsettled].sort() };
    return { targets, state: memory };
  },
} satisfies Strategy<'fast' | 'slow' | 'invested'>;
