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

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

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
    const known = decided === previous ? (state as Memory | null) : null;
    // Without closes enough for the slow average there is no trend: nothing is above NaN.
    const up = universe.filter(
      (ticker) => past.average(ticker, fast) > past.average(ticker, slow) * (1 + SAME),
    );
    const hasTurned = known !== null && !isSame(up, known.up);
    if (known?.unsettled.length === 0 && !hasTurned) return;

    const { value, cash, positions } = account;
    // Shares of nothing are none.
    if (value <= 0) return;
    const trends = universe.filter((ticker) => !Number.isNaN(past.average(ticker, slow)));
    const isUp = new Set(up);
    let unsettled = known?.unsettled ?? [...new Set([...trends, ...Object.keys(positions)])].sort();
    if (hasTurned) {
      const wasUp = new Set(known.up);
      const all = new Set(unsettled);
      for (const ticker of wasUp) if (!isUp.has(ticker)) all.add(ticker);
      // The targets of those that are held change with the number of uptrends.
      for (const ticker of up) if (!wasUp.has(ticker) || positions[ticker] !== undefined) all.add(ticker);
      unsettled = [...all].sort();
    }

    const isCounted = (ticker: string): boolean =>
      bars[ticker] !== undefined || past.of(ticker).dates.at(-1)! >= (past.dates.at(-1 - GONE_AFTER) ?? '');
    let [counted, risen] = [0, 0];
    for (const ticker of trends) {
      if (!isCounted(ticker)) continue;
      counted += 1;
      if (isUp.has(ticker)) risen += 1;
    }
    const share = invested / Math.max(risen, counted / 2);

    const working = new Set(account.orders.map(({ ticker }) => ticker));
    const targets = [];
    const left: string[] = [];
    // Buys use no more than the cash: if there is too little, they wait for the sales.
    let room = (invested * cash) / value;
    for (const ticker of unsettled) {
      const close = bars[ticker]?.close;
      if (close === undefined || working.has(ticker)) {
        left.push(ticker);
        continue;
      }
      const quantity = positions[ticker]?.quantity ?? 0;
      const [held, wanted] = [(quantity * close) / value, isUp.has(ticker) ? share : 0];
      const isThere =
        wanted === 0 || held <= 0
          ? held === wanted
          : Math.abs(held - wanted) <= Math.max(TOLERANCE * wanted, close / value);
      const bought = Math.min(wanted - held, room);
      if (isThere) continue;
      left.push(ticker);
      if (wanted < held) {
        targets.push({ ticker, weight: wanted, time_in_force: 'day' as const, reason: 'trend' });
      } else if (bought >= TOLERANCE * (wanted - held)) {
        room -= bought;
        targets.push({ ticker, weight: held + bought, time_in_force: 'day' as const, reason: 'trend' });
      }
    }
    const memory: Memory = { up, unsettled: left };
    return { targets, state: memory };
  },
} satisfies Strategy<'fast' | 'slow' | 'invested'>;
