import type { Strategy } from '../../actors/strategy/port.ts';

/**
 * A position is left alone if it differs from its target by at most this share, because every correction costs fees.
 */
const TOLERANCE = 0.25;
/** A ticker no longer counts if it has had no prediction in this number of sessions with predictions. */
const GONE_AFTER = 5;

/** What the strategy remembers from one session to the next. */
interface Memory {
  /** The number of sessions with predictions so far, and for each ticker the last of these in which it had one. */
  readonly session: number;
  readonly seen: Readonly<Record<string, number>>;
  /** The last target of each ticker, as a share of the account. */
  readonly settled: Readonly<Record<string, number>>;
  readonly unsettled: readonly string[];
}

/**
 * Follows the trained model's expectations of the next day, long only: holds the tickers that are expected to gain,
 * each in proportion to its expected gain divided by its variance, as in the mean-variance portfolio of uncorrelated
 * returns. (Markowitz, Portfolio Selection, 1952)
 *
 * In its first session, and in the first one after a pause, the strategy takes the present positions as its targets.
 * After that it only changes a target that becomes or leaves zero, or that moves by more than the band, and gives it
 * until the position has reached it. (Constantinides, Capital Market Equilibrium with Transaction Costs, 1986)
 */
export default {
  parameters: {
    /** The cost of buying or selling, as a share. For a smaller expected gain nothing is traded. */
    cost: { default: 0.0007, min: 0, max: 0.02 },
    /** The largest position, as a multiple of the share that each ticker would have if all were held equally. */
    largest: { default: 2, min: 1, max: 20 },
    /**
     * A target only changes if it moves by more than this multiple of the share that each ticker would have if all were
     * held equally.
     */
    band: { default: 1, min: 0, max: 5 },
    /**
     * A lower expected volatility is raised to this. Otherwise a ticker that seems very quiet would get the whole
     * account.
     */
    quietest: { default: 0.002, min: 0.0001, max: 0.05 },
    /**
     * Share of the account that is invested. The rest stays in cash, because an order reserves more than its last price
     * and has fees.
     */
    invested: { default: 0.9, min: 0.1, max: 1 },
  },
  history: 1,
  predictions: true,

  onSession({ previous, decided, bars, universe, parameters, account, state }) {
    const { cost, largest, band, quietest, invested } = parameters;
    const known = state as Memory | null;
    const predicted = Object.entries(bars).flatMap(([ticker, { close, prediction }]) =>
      prediction === undefined ? [] : [{ ticker, close, ...prediction }],
    );
    // Without predictions nothing changes.
    if (predicted.length === 0) return;

    const isActing = known !== null && decided === previous;
    const { value, cash, positions } = account;
    const members = new Set(universe);
    const held = (ticker: string): number =>
      ((positions[ticker]?.quantity ?? 0) * (bars[ticker]?.close ?? 0)) / value;
    const settled = new Map(
      isActing ? Object.entries(known.settled) : predicted.map(({ ticker }) => [ticker, held(ticker)]),
    );
    /** Tickers whose position differs from its target, or may differ. */
    const unsettled = new Set(isActing ? known.unsettled : []);

    const session = (known?.session ?? 0) + 1;
    const seen = new Map(Object.entries(known?.seen ?? {}));
    for (const { ticker } of predicted) seen.set(ticker, session);
    for (const [ticker, last] of seen) if (session - last >= GONE_AFTER) seen.delete(ticker);
    const even = invested / seen.size;

    // A held ticker has an advantage over others, because selling it would cost.
    const before = (ticker: string): number => settled.get(ticker) ?? held(ticker);
    const scores = new Map(
      predicted
        .filter(
          ({ ticker, return: gain }) => members.has(ticker) && gain > (before(ticker) > 0 ? -cost : cost),
        )
        .map(({ ticker, return: gain, volatility }) => [
          ticker,
          (gain + cost) / Math.max(volatility, quietest) ** 2,
        ]),
    );
    const all = [...scores.values()].reduce((sum, score) => sum + score, 0);
    for (const { ticker } of predicted) {
      const share = (invested * (scores.get(ticker) ?? 0)) / (all || 1);
      const target = Math.min(invested, largest * even, share);
      const last = settled.get(ticker);
      const hasMoved = last !== undefined && Math.abs(target - last) > band * even;
      if (hasMoved || target > 0 !== before(ticker) > 0) unsettled.add(ticker);
      else if (last !== undefined) continue;
      settled.set(ticker, target);
    }

    const working = new Set(account.orders.map(({ ticker }) => ticker));
    const targets = [];
    // Buys use no more than the present cash. If there is too little, they wait until sales have brought more.
    let room = (invested * cash) / value;
    for (const ticker of [...unsettled].sort()) {
      const wanted = settled.get(ticker);
      const bar = predicted.find((one) => one.ticker === ticker);
      if (wanted === undefined || bar === undefined || working.has(ticker)) continue;
      const has = held(ticker);
      const isThere =
        wanted === 0 || has <= 0
          ? has === wanted
          : Math.abs(has - wanted) <= Math.max(TOLERANCE * wanted, bar.close / value);
      const bought = Math.min(wanted - has, room);
      if (isThere) {
        unsettled.delete(ticker);
      } else if (wanted < has) {
        targets.push({ ticker, weight: wanted, time_in_force: 'day' as const, reason: 'less is expected' });
      } else if (bought >= TOLERANCE * (wanted - has)) {
        room -= bought;
        const weight = has + bought;
        targets.push({ ticker, weight, time_in_force: 'day' as const, reason: 'a gain is expected' });
      }
    }
    const memory: Memory = {
      session,
      seen: Object.fromEntries(seen),
      settled: Object.fromEntries(settled),
      unsettled: [...unsettled].sort(),
    };
    return { targets, state: memory };
  },
} satisfies Strategy<'cost' | 'largest' | 'band' | 'quietest' | 'invested'>;
