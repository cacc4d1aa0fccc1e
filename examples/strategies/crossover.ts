import type { Strategy } from '../../actors/strategy/port.ts';

/** A position within this share of its target is where it should be: every correction costs fees. */
const TOLERANCE = 0.25;
/** A ticker that has had no bar for more sessions than this no longer counts. */
const GONE_AFTER = 20;
/** Averages closer than this are the same: what rounding leaves of a price that does not move is no trend. */
const SAME = 1e-9;

const averageOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

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

  onSession({ date, previous, bars, past, universe, parameters, account, state }) {
    const { fast, slow, invested } = parameters;
    const { value, cash, positions } = account;
    const isActing = state !== null && state.date === previous;
    const members = new Set(universe);
    const trends = past.tickers.filter((ticker) => past.closes(ticker, slow).length === slow);
    const up = new Set(
      trends.filter((ticker) => {
        const closes = past.closes(ticker, slow);
        return members.has(ticker) && averageOf(closes.slice(-fast)) > averageOf(closes) * (1 + SAME);
      }),
    );

    const before = new Set<string>(isActing ? state.up : []);
    const turned = trends.filter((ticker) => up.has(ticker) !== before.has(ticker));
    /** Tickers whose position differs from its target, or of which it is not known whether it does. */
    const unsettled = new Set<string>(isActing ? [...state.unsettled, ...turned] : trends);
    // The targets of the other tickers change with the number of uptrends.
    if (turned.length > 0)
      for (const ticker of Object.keys(positions)) if (up.has(ticker)) unsettled.add(ticker);

    const since = past.dates.at(-1 - GONE_AFTER) ?? '';
    const counted = trends.filter(
      (ticker) =>
        members.has(ticker) && (bars[ticker] !== undefined || past.of(ticker).dates.at(-1)! >= since),
    );
    const share = invested / Math.max(counted.filter((ticker) => up.has(ticker)).length, counted.length / 2);

    const working = new Set(account.orders.map(({ ticker }) => ticker));
    const targets = [];
    // Buys use no more than the cash: if there is too little, they wait for the sales.
    let room = (invested * cash) / value;
    for (const ticker of [...unsettled].sort()) {
      const close = bars[ticker]?.close;
      if (close === undefined || working.has(ticker)) continue;
      const quantity = positions[ticker]?.quantity ?? 0;
      const [held, wanted] = [(quantity * close) / value, up.has(ticker) ? share : 0];
      const isThere =
        wanted === 0 || held <= 0
          ? held === wanted
          : Math.abs(held - wanted) <= Math.max(TOLERANCE * wanted, close / value);
      const bought = Math.min(wanted - held, room);
      if (isThere) unsettled.delete(ticker);
      else if (wanted < held) targets.push({ ticker, weight: wanted, reason: 'trend' });
      else if (bought >= TOLERANCE * (wanted - held)) {
        room -= bought;
        targets.push({ ticker, weight: held + bought, reason: 'trend' });
        continue;
      }
      // A target of an earlier session stands no longer.
      if (isThere || wanted > held) targets.push({ ticker, quantity, reason: 'as it is' });
    }
    return { targets, state: { date, up: [...up].sort(), unsettled: [...unsettled].sort() } };
  },
} satisfies Strategy<'fast' | 'slow' | 'invested'>;
