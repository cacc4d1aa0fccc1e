import { setImmediate } from 'node:timers/promises';
import { relativeStrength } from '../../../actors/strategy/rsi-and-atr.ts';
import { parseRatio, ratioNumber } from '../../../events/decimal.ts';
import type { SessionData } from '../../../events/messages/market.ts';
import { featureTable, type FeatureBar, type FeatureTable } from '../../market/features.ts';
import type { TickerBars } from './bars.ts';
import { MODEL_FEATURES } from './model-features.ts';
import { featureBars, LONGEST_PAUSE, putFeatures } from './windows.ts';

/**
 * The bars from which a day's features are computed. Wilder's averages depend on all earlier bars, but older ones weigh
 * less than 10^-12, which float32 cannot represent beside the rest.
 */
const MEMORY = 400;

/** The bars that the model's features need, except the relative strength index, which is Wilder's. */
const REACH = 32;

/** The newest window of a ticker. */
export type PanelWindow = ReturnType<ReturnType<typeof createPanel>['windows']>[number];

interface Track {
  /** The newest `REACH` bars, split-adjusted as of the newest day. */
  bars: FeatureBar[];
  /** The newest `MEMORY` closes. */
  closes: number[];
  /** The features of the newest days, up to `sequenceLength`. A day with an unknown feature empties this list. */
  rows: Float32Array[];
  /** The date of the ticker's newest bar. */
  date: string;
  /** The number of market days up to that bar. */
  days: number;
}

/** The number of a ticker's bars that a window needs, including those for the features of its first day. */
export const barsFor = (sequenceLength: number): number => MEMORY + sequenceLength;

/**
 * The newest windows of a market whose sessions come one by one, with prices as traded. The features equal those that
 * training computes from the whole history. Splits change no feature, so only the bars are adjusted to the newest day.
 */
export function createPanel({ sequenceLength }: { sequenceLength: number }) {
  const tracks = new Map<string, Track>();
  let marketDays = 0;
  let newest: string | null = null;

  /** The track of a ticker for a day. After a pause a new track begins, as in training. */
  function trackOf(ticker: string, date: string, days: number): Track {
    let track = tracks.get(ticker);
    if (track === undefined || days - track.days > LONGEST_PAUSE + 1) {
      track = { bars: [], closes: [], rows: [], date, days };
      tracks.set(ticker, track);
    }
    track.date = date;
    track.days = days;
    return track;
  }

  function putRow(track: Track, table: FeatureTable, at: number): void {
    const row = new Float32Array(MODEL_FEATURES.length);
    if (!putFeatures(table, at, row, 0)) {
      track.rows = [];
      return;
    }
    track.rows.push(row);
    if (track.rows.length > sequenceLength) track.rows.shift();
  }

  return {
    /** The newest session; `null` before the first. */
    get date(): string | null {
      return newest;
    },
    /**
     * Replaces everything that was pushed by bars as of a day, of which at most `barsFor` are needed. The event loop
     * gets a turn between two tickers; the panel must not be used until this resolves.
     */
    async fill(bars: readonly TickerBars[]): Promise<void> {
      tracks.clear();
      const days = [...new Set(bars.flatMap(({ dates }) => dates))].sort();
      const places = new Map(days.map((date, at) => [date, at + 1]));
      marketDays = days.length;
      newest = null;
      for (const ticker of bars) {
        await setImmediate();
        for (const [at, bar] of featureBars(ticker, 0, ticker.dates.length).entries()) {
          const date = ticker.dates[at]!;
          const track = trackOf(ticker.ticker, date, places.get(date)!);
          track.bars.push(bar);
          track.closes.push(bar.close);
        }
        const track = tracks.get(ticker.ticker);
        if (track === undefined) continue;
        const table = featureTable(track.bars);
        const first = Math.max(0, track.bars.length - sequenceLength);
        for (let at = first; at < track.bars.length; at++) putRow(track, table, at);
        track.bars = track.bars.slice(-REACH);
        track.closes = track.closes.slice(-MEMORY);
      }
      newest = days.at(-1) ?? null;
    },
    /**
     * Adds a session.
     *
     * @throws {RangeError} if the session is not later than the one before.
     */
    push({ date, bars, splits }: SessionData): void {
      if (newest !== null && date <= newest) {
        throw new RangeError(`session ${date} cannot follow ${newest}`);
      }
      newest = date;
      // A day counts as a market day if anything traded.
      if (Object.keys(bars).length > 0) marketDays += 1;
      for (const [ticker, ratio] of Object.entries(splits)) {
        const track = tracks.get(ticker);
        if (track !== undefined) putInNewShares(track, ratioNumber(parseRatio(ratio)));
      }
      for (const [ticker, bar] of Object.entries(bars)) {
        const track = trackOf(ticker, date, marketDays);
        track.bars.push(bar);
        track.closes.push(bar.close);
        if (track.bars.length > REACH) track.bars.shift();
        if (track.closes.length > MEMORY) track.closes.shift();
        putRow(track, newestFeatures(track), track.bars.length - 1);
      }
    },
    /**
     * The windows of the tickers that traded in the newest session and have a full window, by ticker.
     *
     * @throws {RangeError} if the date is not that of the newest session: earlier windows are not kept.
     */
    windows(date: string) {
      if (date !== newest)
        throw new RangeError(`windows of ${date} requested, but the newest session is ${newest}`);
      /** `rows`: sequenceLength × features, oldest day first, unscaled. */
      const windows: { readonly ticker: string; readonly rows: Float32Array }[] = [];
      for (const [ticker, { rows, date: last }] of tracks) {
        if (last !== date || rows.length < sequenceLength) continue;
        const window = new Float32Array(sequenceLength * MODEL_FEATURES.length);
        for (const [at, row] of rows.entries()) window.set(row, at * MODEL_FEATURES.length);
        windows.push({ ticker, rows: window });
      }
      return windows.sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
    },
  };
}

/** The features of the track's bars. Those of the newest bar are the same as with all bars. */
function newestFeatures({ bars, closes }: Track): FeatureTable {
  return { ...featureTable(bars), rsi_14: relativeStrength(closes).slice(-bars.length) };
}

/**
 * Adjusts a track to a split.
 *
 * @param shares new shares for an old one.
 */
function putInNewShares(track: Track, shares: number): void {
  track.closes = track.closes.map((close) => close / shares);
  track.bars = track.bars.map(({ open, high, low, close, volume }) => ({
    open: open / shares,
    high: high / shares,
    low: low / shares,
    close: close / shares,
    volume: volume * shares,
  }));
}
