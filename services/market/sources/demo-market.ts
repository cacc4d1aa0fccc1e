import { timeOf } from './demo-calendar.ts';
import { DemoRandom } from './demo-random.ts';
import { DEMO_INSTRUMENTS, REVERSE_BELOW, type DemoInstrument } from './demo-tickers.ts';

/** An instrument's session; prices are in hundredths of the currency. */
type DemoDay = ReturnType<typeof dayOf>;

/**
 * The weight of today's squared move in tomorrow's variance; most of the rest is today's variance, so volatility
 * clusters. (Bollerslev, 1986)
 */
const ALPHA = 0.09;
const BETA = 0.89;
const MARKET_VOLATILITY = 0.009;
const MOST_VARIANCE = 0.0025;
/**
 * The overnight share of a day's standard deviation. A quarter of the variance is overnight, so √¾ of the deviation is
 * during the day.
 */
const OVERNIGHT = 0.5;
const BY_DAY = Math.sqrt(0.75);
/** The largest move overnight or during the day. Together with splits it keeps prices within 5 … 1000. */
const MOST_MOVE = 0.12;
/** The largest daily drift. The drift falls as the price rises, and is negative above the price's target. */
const DRIFT = 0.001;
const GAP_CHANCE = 1 / 400;

interface State {
  readonly instrument: DemoInstrument;
  /** The close, in hundredths of the currency. */
  close: number;
  /** The price relative to the first one, as if there had been no splits. */
  level: number;
  variance: number;
}

/**
 * A synthetic market, session by session, always the same: a common factor and an own part of each instrument, both
 * with clustered volatility, drifts, gaps, ticks of a cent, splits and quarterly dividends. It uses only additions,
 * multiplications, divisions and square roots, which IEEE 754 rounds alike everywhere.
 */
export class DemoMarket {
  #session: number;
  #random: DemoRandom;
  #marketVariance: number;
  readonly #states: State[];

  private constructor(session: number, random: DemoRandom, marketVariance: number, states: State[]) {
    this.#session = session;
    this.#random = random;
    this.#marketVariance = marketVariance;
    this.#states = states;
  }

  static seeded(seed: number): DemoMarket {
    const states = DEMO_INSTRUMENTS.map((instrument) => ({
      instrument,
      close: Math.round(instrument.price * 100),
      level: 1,
      variance: instrument.volatility * instrument.volatility,
    }));
    return new DemoMarket(0, DemoRandom.seeded(seed), MARKET_VOLATILITY * MARKET_VOLATILITY, states);
  }

  /** The next session. */
  get session(): number {
    return this.#session;
  }

  /** An independent copy that continues in the same way. */
  copy(): DemoMarket {
    const states = this.#states.map((state) => ({ ...state }));
    return new DemoMarket(this.#session, this.#random.copy(), this.#marketVariance, states);
  }

  /** Advances by one session and calls `each` for the instruments in their order. */
  next(each: (instrument: DemoInstrument, day: DemoDay) => void): void {
    const random = this.#random;
    const deviation = Math.sqrt(this.#marketVariance);
    const overnight = OVERNIGHT * deviation * random.normal();
    const byDay = BY_DAY * deviation * random.normal();
    this.#marketVariance = nextVariance(this.#marketVariance, overnight + byDay, MARKET_VOLATILITY);
    const exMonth = exDividendMonth(this.#session);
    for (const state of this.#states) each(state.instrument, dayOf(state, overnight, byDay, exMonth, random));
    this.#session += 1;
  }
}

function nextVariance(variance: number, move: number, longRun: number): number {
  const next = (1 - ALPHA - BETA) * longRun * longRun + ALPHA * move * move + BETA * variance;
  return Math.min(next, MOST_VARIANCE);
}

/** The month, 0 … 11, whose payers go ex-dividend in this session, which is the first from the 15th on; else `null`. */
function exDividendMonth(session: number): number | null {
  const day = new Date(timeOf(session));
  const date = day.getUTCDate();
  // If the 15th is on a weekend, the payment is on the Monday after it.
  return date === 15 || (date > 15 && date < 18 && day.getUTCDay() === 1) ? day.getUTCMonth() : null;
}

function dayOf(
  state: State,
  marketOvernight: number,
  marketByDay: number,
  exMonth: number | null,
  random: DemoRandom,
) {
  const { instrument } = state;
  const deviation = Math.sqrt(state.variance);
  const ownOvernight = OVERNIGHT * deviation * random.normal();
  const ownByDay = BY_DAY * deviation * random.normal();
  state.variance = nextVariance(state.variance, ownOvernight + ownByDay, instrument.volatility);

  const split = splitOf(state);
  const before = split === null ? state.close : (state.close * split[1]) / split[0];
  const dividend = dividendOf(instrument, before, exMonth);
  const drift = (DRIFT * (instrument.pull - state.level)) / (instrument.pull + state.level);
  const news = gap(random) * instrument.volatility;
  const open = moved(before - dividend, instrument.beta * marketOvernight + ownOvernight + news);
  const close = moved(open, drift + instrument.beta * marketByDay + ownByDay);
  const high = moved(Math.max(open, close), 0.8 * deviation * random.uniform());
  const low = moved(Math.min(open, close), -0.8 * deviation * random.uniform());
  const restlessness = Math.abs(close / before - 1) / instrument.volatility;
  const activity = 0.5 + 0.6 * random.uniform() + 0.25 * Math.min(restlessness, 6);
  const volume = Math.round((instrument.turnover * 100 * activity) / close);
  state.level *= close / before;
  state.close = close;
  /**
   * `split`: new shares for old ones from this session on; `dividend`: per share, in hundredths, ex from this session
   * on.
   */
  return { open, high, low, close, volume, split, dividend };
}

/** A price after a change, in whole hundredths. */
function moved(price: number, change: number): number {
  return Math.round(price * (1 + Math.min(Math.max(change, -MOST_MOVE), MOST_MOVE)));
}

/** A move overnight: sometimes there is news, with a move of 3 to 8 ordinary days. */
function gap(random: DemoRandom): number {
  const chance = random.uniform();
  if (chance >= GAP_CHANCE) return 0;
  const size = 3 + 5 * random.uniform();
  return chance < GAP_CHANCE / 2 ? -size : size;
}

/** The split that yesterday's close triggers. */
function splitOf({ instrument, close }: State): readonly [number, number] | null {
  if (close > instrument.split.above * 100) return instrument.split.ratio;
  return close < REVERSE_BELOW * 100 ? [1, 10] : null;
}

/** The quarterly dividend: a quarter of the yearly share of yesterday's close, in whole cents. */
function dividendOf({ dividend }: DemoInstrument, before: number, exMonth: number | null): number {
  if (dividend === null || exMonth === null || exMonth % 3 !== dividend.month) return 0;
  return Math.round((before * dividend.yearly) / 4);
}
