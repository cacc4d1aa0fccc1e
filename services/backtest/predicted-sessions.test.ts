import { expect, test } from 'vitest';
import { dateOf } from '../../events/dates.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { createPanel } from '../models/data/panel.ts';
import type { Predictor } from '../models/inference/predictor.ts';
import { predictedSessions, type PredictedSession } from './predicted-sessions.ts';

const SEQUENCE = 5;
const TICKERS = ['A', 'B', 'C'];

/** C trades every other day; B has a split. */
const sessions = Array.from({ length: 400 }, (_, n): SessionData => {
  const date = dateOf(Date.UTC(2020, 0, 1 + n));
  const bars = TICKERS.filter((ticker) => ticker !== 'C' || n % 2 === 0).map((ticker, at) => {
    const close = (100 + 10 * Math.sin(n / (3 + at)) + at) / (ticker === 'B' && n >= 200 ? 2 : 1);
    return [ticker, { open: close, high: close * 1.01, low: close * 0.99, close, volume: 1_000 + (n % 7) }];
  });
  return {
    date,
    bars: Object.fromEntries(bars) as SessionData['bars'],
    splits: n === 200 ? { B: '2/1' } : {},
    dividends: {},
  };
});

/** Predicts the sum of a window. */
const summing: Predictor = {
  predict: async (windows) =>
    windows.map((window) => ({ return: window.reduce((sum, value) => sum + value, 0), volatility: 1 })),
  close: async () => undefined,
};

async function all(of: readonly SessionData[], from: string | null = null): Promise<PredictedSession[]> {
  const options = { predictor: summing, sequenceLength: SEQUENCE, from };
  return Array.fromAsync(predictedSessions(of, options));
}

test('each session has the forecasts of its own windows, of what traded, in however many chunks', async () => {
  const panel = createPanel({ sequenceLength: SEQUENCE });
  const predicted = await all(sessions);
  expect(predicted.map(({ session }) => session)).toEqual(sessions);
  let forecasts = 0;
  for (const { session, predictions } of predicted) {
    panel.push(session);
    const windows = panel.windows(session.date);
    const expected = await summing.predict(windows.map(({ rows }) => rows));
    expect([...predictions!]).toEqual(windows.map(({ ticker }, at) => [ticker, expected[at]]));
    forecasts += windows.length;
  }
  expect(forecasts).toBeGreaterThan(700);
});

test('a session knows nothing of later ones', async () => {
  const whole = await all(sessions);
  for (const end of [1, 60, 201, 399]) expect(await all(sessions.slice(0, end))).toEqual(whole.slice(0, end));
});

test('what comes before the first session that is traded is in its windows, and not predicted', async () => {
  const whole = await all(sessions);
  const from = sessions[100]!.date;
  const expected = whole.map((of, at) => (at < 100 ? { ...of, predictions: new Map() } : of));
  expect(await all(sessions, from)).toEqual(expected);
});
