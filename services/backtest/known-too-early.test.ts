import { expect, test } from 'vitest';
import { knownTooEarly } from './known-too-early.ts';
import { drawing, riseOf, walks, withColumns, withSeries } from './walks.suite.ts';

const SESSIONS = walks(400);
const draw = drawing(9);
const NOISE = SESSIONS.map(() => draw() - 0.5);

test.each<[string, (n: number, ticker: 'AAA' | 'BBB' | 'CCC') => number, RegExp]>([
  [
    'the next close',
    (n, ticker) => SESSIONS[Math.min(n + 1, 399)]!.bars[ticker]!.close,
    /^the column "x" says what the next session brings: on 1\d\d\d of 1\d\d\d days it is the next close$/,
  ],
  ['the next volume', (n) => SESSIONS[Math.min(n + 1, 399)]!.bars['AAA']!.volume, /it is the next volume/],
  ['the next rise', (n, ticker) => riseOf(SESSIONS, n, ticker), /correlation with the next rise is 1\.00/],
  ['whether it will rise', (n, ticker) => Number(riseOf(SESSIONS, n, ticker) > 0), /is 0\.8\d over/],
  ['the rise of five days', (n, ticker) => riseOf(SESSIONS, n, ticker, 5), /is 0\.4\d over/],
  [
    'the mean rise of the days around it',
    (n, ticker) => [n - 1, n].reduce((sum, at) => sum + riseOf(SESSIONS, Math.max(0, at), ticker), 0) / 2,
    /is 0\.[67]\d over/,
  ],
])('a column that holds %s is named', (_, of, told) => {
  const found = knownTooEarly(withColumns(SESSIONS, { fair: (n) => NOISE[n]!, x: of }));
  expect(found).toEqual([{ kind: 'column', name: 'x', told: expect.stringMatching(told) as string }]);
});

test.each<[string, (n: number) => number]>([
  ['the next rise of one ticker', (n) => riseOf(SESSIONS, n, 'BBB')],
  ['its next close', (n) => SESSIONS[Math.min(n + 1, 399)]!.bars['CCC']!.close],
])('a series that holds %s is named', (_, of) => {
  const fair = withSeries(SESSIONS, 'fair', (n) => 20 + NOISE[n]!);
  expect(knownTooEarly(withSeries(fair, 'x', of))).toMatchObject([{ kind: 'series', name: 'x' }]);
});

test.each<[string, (n: number, ticker: 'AAA' | 'BBB' | 'CCC') => number]>([
  ['the close of the day', (n, ticker) => SESSIONS[n]!.bars[ticker]!.close],
  ['the close of the day before', (n, ticker) => SESSIONS[Math.max(0, n - 1)]!.bars[ticker]!.close],
  ['the rise of the day', (n, ticker) => (n === 0 ? 0 : riseOf(SESSIONS, n - 1, ticker))],
  ['the same each day', () => 1],
  ['one figure every other day', (n) => (n % 2 === 0 ? Number.NaN : NOISE[n]!)],
  ['a weak hint', (n, ticker) => riseOf(SESSIONS, n, ticker) + NOISE[n]! / 5],
])('a column with %s is nothing to speak of', (_, of) => {
  expect(knownTooEarly(withColumns(SESSIONS, { x: of }))).toEqual([]);
});

test('where each rise follows from the one before, a figure of the day may say what comes', () => {
  const wave = SESSIONS.map((session, n) => {
    const close = 100 + 10 * Math.sin(n / 9);
    return { ...session, splits: {}, bars: { AAA: { ...session.bars['AAA']!, close, open: close } } };
  });
  const rising = wave.map((session, n) => ({
    ...session,
    series: { rising: { date: session.date, value: Number(Math.cos(n / 9) > 0) } },
  }));
  expect(knownTooEarly(rising)).toEqual([]);
});
