import { expect, test } from 'vitest';
import { shownNotes } from './shown-notes.ts';
import { walks, withColumns } from './walks.suite.ts';

const bar = (columns?: Record<string, number>) => ({
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 1,
  ...(columns && { columns }),
});
const session = (bars: Record<string, ReturnType<typeof bar>>) => ({
  date: '2024-01-02',
  bars,
  splits: {},
  dividends: {},
});

test('each further column is named with the tickers that have it, on whatever day it speaks first', () => {
  const sessions = [
    session({ B: bar({ mood: 1 }), A: bar() }),
    session({ A: bar({ mood: 0, 'P/E': 12 }), C: bar() }),
  ];
  expect(shownNotes(sessions)).toEqual([
    'COLUMNS: strategies are shown these further columns of the tables: "P/E" of A; "mood" of A, B.',
  ]);
});

test('of many tickers the first five are named and the rest counted', () => {
  const bars = Object.fromEntries(['G', 'F', 'E', 'D', 'C', 'B', 'A'].map((name) => [name, bar({ x: 1 })]));
  expect(shownNotes([session(bars)])).toEqual([expect.stringContaining('"x" of A, B, C, D, E and 2 more.')]);
});

test('nothing is said where there are none', () => {
  expect(shownNotes([session({ A: bar() })])).toEqual([]);
});

const may = (...universe: string[]) => ({ ...session({ A: bar() }), universe });

test('how many tickers may be bought is said, where something says so', () => {
  expect(shownNotes([may('A', 'B'), may('A', 'B'), may('A', 'C', 'D')])).toEqual([
    'UNIVERSE: strategies may buy what universe.csv has on the day (tickers a day: 2 to 3; in all: 4).',
  ]);
  expect(shownNotes([may('A'), may('B')])).toEqual([
    expect.stringContaining('(tickers a day: 1; in all: 2).'),
  ]);
});

test('series are named', () => {
  const series = { vix: { date: '2024-01-02', value: 14 }, gdp: { date: '2023-12-31', value: 7 } };
  expect(shownNotes([{ ...session({ A: bar() }), series }])).toEqual([
    'SERIES: strategies are shown these series: gdp, vix.',
  ]);
});

test('a column that says what the next session brings is named', () => {
  const sessions = walks(60);
  const close = (n: number, ticker: string): number => sessions[Math.min(n, 59)]!.bars[ticker]!.close;
  const leaking = withColumns(sessions, { now: close, next: (n, ticker) => close(n + 1, ticker) });
  expect(shownNotes(leaking)).toEqual([
    expect.stringMatching('^COLUMNS: .*"next" of AAA, BBB, CCC; "now" of AAA, BBB, CCC'),
    expect.stringMatching(
      '^LOOK-AHEAD: the column "next" says what the next session brings: on [0-9]+ of [0-9]+ days it is the next close.$',
    ),
  ]);
});
