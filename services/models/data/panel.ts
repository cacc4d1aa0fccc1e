import { parseRatio, ratioNumber } from '../../../events/decimal.ts';
import type { SessionData } from '../../../events/messages/market.ts';
import { featureTable, type FeatureBar } from '../../market/features.ts';
import type { TickerBars } from './bars.ts';
import { MODEL_FEATURES } from './features.ts';
import { featureBars, LONGEST_PAUSE, putFeatures } from './windows.ts';

/**
 * Bars that the features of a day are computed from. Wilder's averages remember all that ever was, but what is older than
 * this weighs less than 10^-12 in them, which float32 cannot tell from nothing.
 */
const MEMORY = 400;

/** The newest window of a ticker. */
export interface PanelWindow {
  readonly ticker: string;
  /** sequenceLength × features, oldest day first, as they are: not scaled. */
  readonly rows: Float32Array;
}

interface Track {
  /** The newest `MEMORY`, in shares of the newest day. */
  bars: FeatureBar[];
  /** Features of the newest days, up to `sequenceLength`; a day with an unknown one empties it. */
  rows: Float32Array[];
  /** Sessions until its newest bar. */
  last: number;
}

/**
 * The newest windows of a market that is heard of session by session, prices as traded. Features are those that training
 * computes from the whole history; splits change none of them, so only bars are put in the shares of the newest day.
 */
export class Panel {
  readonly #sequenceLength: number;
  readonly #tracks = new Map<string, Track>();
  #sessions = 0;
  #date: string | null = null;

  constructor({ sequenceLength }: { sequenceLength: number }) {
    this.#sequenceLength = sequenceLength;
  }

  /** Bars a ticker that a window and the features of its first day need. */
  static barsFor(sequenceLength: number): number {
    return MEMORY + sequenceLength;
  }

  /** The newest session; `null` before the first. */
  get date(): string | null {
    return this.#date;
  }

  /** Starts from bars as of a day, in place of all that was pushed before. More than `barsFor` are not needed. */
  fill(bars: readonly TickerBars[]): void {
    this.#tracks.clear();
    const days = [...new Set(bars.flatMap(({ dates }) => dates))].sort();
    const places = new Map(days.map((date, at) => [date, at + 1]));
    this.#sessions = days.length;
    this.#date = days.at(-1) ?? null;
    for (const ticker of bars) {
      for (const [at, bar] of featureBars(ticker, 0, ticker.dates.length).entries()) {
        this.#track(ticker.ticker, places.get(ticker.dates[at]!)!).bars.push(bar);
      }
    }
    for (const track of this.#tracks.values()) {
      const table = featureTable(track.bars);
      const first = Math.max(0, track.bars.length - this.#sequenceLength);
      for (let at = first; at < track.bars.length; at++) this.#putRow(track, table, at);
      track.bars = track.bars.slice(-MEMORY);
    }
  }

  /** @throws {RangeError} where the session is not later than the one before. */
  push({ date, bars, splits }: SessionData): void {
    if (this.#date !== null && date <= this.#date) {
      throw new RangeError(`session ${date} after ${this.#date}`);
    }
    this.#date = date;
    // A day of the market is one on which something traded.
    if (Object.keys(bars).length > 0) this.#sessions += 1;
    for (const [ticker, ratio] of Object.entries(splits)) {
      const track = this.#tracks.get(ticker);
      if (track !== undefined) track.bars = inNewShares(track.bars, ratioNumber(parseRatio(ratio)));
    }
    for (const [ticker, bar] of Object.entries(bars)) {
      const track = this.#track(ticker, this.#sessions);
      track.bars.push(bar);
      if (track.bars.length > MEMORY) track.bars.shift();
      this.#putRow(track, featureTable(track.bars), track.bars.length - 1);
    }
  }

  /**
   * Of each ticker that traded in the newest session and has a full window.
   *
   * @throws {RangeError} where the date is not that of the newest session: what was then is not kept.
   */
  windows(date: string): PanelWindow[] {
    if (date !== this.#date)
      throw new RangeError(`windows of ${date}, but the newest session is ${this.#date}`);
    const windows: PanelWindow[] = [];
    for (const [ticker, { rows, last }] of this.#tracks) {
      if (last !== this.#sessions || rows.length < this.#sequenceLength) continue;
      const window = new Float32Array(this.#sequenceLength * MODEL_FEATURES.length);
      for (const [at, row] of rows.entries()) window.set(row, at * MODEL_FEATURES.length);
      windows.push({ ticker, rows: window });
    }
    return windows;
  }

  /** A ticker's track on a day of its own; a new one after a pause, as in training. */
  #track(ticker: string, session: number): Track {
    let track = this.#tracks.get(ticker);
    if (track === undefined || session - track.last > LONGEST_PAUSE + 1) {
      track = { bars: [], rows: [], last: session };
      this.#tracks.set(ticker, track);
    }
    track.last = session;
    return track;
  }

  #putRow(track: Track, table: ReturnType<typeof featureTable>, at: number): void {
    const row = new Float32Array(MODEL_FEATURES.length);
    if (!putFeatures(table, at, row, 0)) {
      track.rows = [];
      return;
    }
    track.rows.push(row);
    if (track.rows.length > this.#sequenceLength) track.rows.shift();
  }
}

/** @param shares new ones for an old one. */
function inNewShares(bars: readonly FeatureBar[], shares: number): FeatureBar[] {
  return bars.map(({ open, high, low, close, volume }) => ({
    open: open / shares,
    high: high / shares,
    low: low / shares,
    close: close / shares,
    volume: volume * shares,
  }));
}
