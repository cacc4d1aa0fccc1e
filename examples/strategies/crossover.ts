import type { Strategy } from '../../actors/strategy/port.ts';

/**
 * A position is left alone if it differs from its target by at most this share, because every correction costs fees.
 */
const TOLERANCE = 0.25;
/** A ticker without a bar for more sessions than this no longer counts. */
const GONE_AFTER = 20;
/**
 * Averages count as equal if they differ by less than this share. Rounding may make averages differ although the price
 * does not move.
 */
const SAME = 1e-9;

/** What the strategy remembers from one session to the next, by ticker. */
interface Memory {
  readonly up: readonly string[];
  /** Tickers whose position differs from its target, or may differ. */
  readonly unsettled: readonly string[];
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/**
 * Moving-average crossover, long only: holds each ticker whose fast average of closes is above its slow one. All of
 * these get the same share of the account, but at most twice the share that they would get if all tickers were held.
 * (Brock, Lakonishok and LeBaron, 1992)
 *
 * In its first session, and in the first one after a pause, the strategy brings all positions to the present trends.
 * After that it only gives targets when a trend turns, until the positions have reached them.
 */
export default {
  parameters: {
    /** Number of closes in the fast average. */
    fast: { default: 10, min: 2, max: 100 },
    /** Number of closes in the slow average. */
    slow: { default: 30, min: 5, max: 250 },
    /**
     * Share of the account that is invested. The rest stays in cash, because an order reserves more than its last price
     * and has fees.
     */
    invested: { default: 0.9, min: 0.1, max: 1 },
  },
  // History is longer than the longest average, because a ticker may have no bar on some of these days.
  history: 300,

  onSession({ previous, decided, bars, past, universe, parameters, account, state }) {
    const { fast, slow, invested } = parameters;
    const known = decided === previous ? (state as Memory | null) : null;
    // The average of a ticker with too few closes is NaN, and no comparison with NaN is true.
    const up = universe.filter(
      (ticker) => past.average(ticker, fast) > past.average(ticker, slow) * (1 + SAME),
    );
    const hasTurned = known !== null && !isSame(up, known.up);
    if (known?.unsettled.length === 0 && !hasTurned) return;

    const { value, cash, positions } = account;
    // An account without value has no shares to give.
    if (value <= 0) return;
    const trends = universe.filter((ticker) => !Number.isNaN(past.average(ticker, slow)));
    const isUp = new Set(up);
    let unsettled = known?.unsettled ?? [...new Set([...trends, ...Object.keys(positions)])].sort();
    if (hasTurned) {
      const wasUp = new Set(known.up);
      const all = new Set(unsettled);
      for (const ticker of wasUp) if (!isUp.has(ticker)) all.add(ticker);
      // The targets of held tickers change too, because they depend on the number of uptrends.
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
    // Buys use no more than the present cash. If there is too little, they wait until sales have brought more.
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
