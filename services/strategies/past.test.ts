import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionLine } from './protocol.ts';
import { Window } from './past.ts';

const bar = { open: 1, high: 1, low: 1, close: 1, volume: 1 };
const line = (n: number, columns?: Readonly<Record<string, number>>): SessionLine => ({
  date: `2024-01-${String(n + 1).padStart(2, '0')}`,
  bars: { A: columns === undefined ? bar : { ...bar, columns } },
  splits: {},
});

const known = (n: number, rate?: number): SessionLine => ({
  ...line(n),
  ...(rate === undefined ? {} : { series: { rate: { date: line(n).date, value: rate } } }),
});

test('further columns are as long as the others, with NaN where they say nothing', () => {
  const window = new Window(3);
  for (const each of [line(0), line(1, { mood: 2 }), line(2), line(3, { mood: -1 })]) window.push(each);
  expect(window.of('A').columns).toEqual({ mood: [2, Number.NaN, -1] });
  expect(window.of('B').columns).toEqual({});
});

test('what is seen of them does not depend on where it began', () => {
  const day = fc.dictionary(fc.constantFrom('a', 'b'), fc.integer(), { maxKeys: 2 });
  fc.assert(
    fc.property(fc.array(day, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), (days, length) => {
      const lines = days.map((columns, n) =>
        line(n, Object.keys(columns).length === 0 ? undefined : columns),
      );
      const [whole, late] = [new Window(length), new Window(length)];
      for (const each of lines) whole.push(each);
      for (const each of lines.slice(-length)) late.push(each);
      expect(new Map(Object.entries(whole.of('A').columns))).toEqual(
        new Map(Object.entries(late.of('A').columns)),
      );
    }),
  );
});

test('a series has what was known at the close of each day, wherever one began', () => {
  const window = new Window(3);
  for (const each of [known(0, 9), known(1), known(2, 1), known(3, 2)]) window.push(each);
  expect(window.series('rate')).toEqual([Number.NaN, 1, 2]);
  expect(window.series('other')).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});

test('more closes than the history has are an error, fewer bars of a ticker are not', () => {
  const window = new Window(3);
  for (const each of [line(0), line(1), { ...line(2), bars: {} }]) window.push(each);
  expect(window.closes('A', 3)).toEqual([1, 1]);
  expect(() => window.closes('A', 4)).toThrow(
    "past.closes('A', 4) asks for more than the 3 sessions of history: raise history",
  );
});

const closing = (n: number, close: number, splits = {}): SessionLine => ({
  ...line(n),
  bars: { A: { ...bar, close } },
  splits,
});

test('an average is that of the newest closes, adjusted for splits, and NaN where there are fewer', () => {
  const window = new Window(3);
  window.push(closing(0, 8));
  expect(window.average('A', 2)).toBeNaN();
  expect(window.average('B', 1)).toBeNaN();
  for (const each of [closing(1, 6), closing(2, 5, { A: 2 }), { ...line(3), bars: {} }]) window.push(each);
  // The first session has passed out of the window, and the last one has no bar.
  expect(window.average('A', 2)).toBe((3 + 5) / 2);
  expect(window.average('A', 3)).toBeNaN();
  expect(() => window.average('A', 4)).toThrow(
    "past.average('A', 4) asks for more than the 3 sessions of history: raise history",
  );
  for (const count of [0, 1.5, Number.NaN])
    expect(() => window.average('A', count)).toThrow('needs a whole number of closes');
});

/** A has every session, B every third one, C none after the first 400. */
const dayOf = (n: number): SessionLine => ({
  date: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10),
  bars: { A: { ...bar, close: n }, ...(n % 3 === 0 ? { B: bar } : {}), ...(n < 400 ? { C: bar } : {}) },
  splits: n === 990 ? { A: 2 } : {},
  series: { rate: { date: '2020-01-01', value: n } },
});

const seenIn = (window: Window): unknown => [
  window.dates,
  window.tickers,
  ['A', 'B', 'C'].map((ticker) => [window.of(ticker), window.closes(ticker)]),
  window.series('rate'),
];

test('after a thousand sessions it is the same as where one began late', () => {
  const days = Array.from({ length: 1000 }, (_, n) => dayOf(n));
  const [whole, late] = [new Window(20), new Window(20)];
  for (const each of days) whole.push(each);
  for (const each of days.slice(-20)) late.push(each);
  expect(whole.dates).toEqual(days.slice(-20).map(({ date }) => date));
  expect(seenIn(whole)).toEqual(seenIn(late));
});
