import { expect, test } from 'vitest';
import type { Answer, Day, Strategy } from '../../actors/strategy/port.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { StrategyFault } from './fault.ts';
import { runHere } from './run-here.ts';

const bar = { open: 10, high: 10, low: 10, close: 10, volume: 100 };
const session = (date: string, more: Partial<SessionData> = {}): SessionData => ({
  date,
  bars: { AAA: bar },
  splits: {},
  dividends: {},
  ...more,
});

const NAMED = { name: 'mine', source: 'mine', share: null, hash: '', file: '/mine.ts' };
const account = { value: 1_000, cash: 1_000, positions: {}, orders: [], trades: [] };
const ask = (onSession: (day: Day) => Answer | undefined, more: Partial<SessionData> = {}) => {
  const strategy: Strategy = {
    history: 3,
    parameters: { x: { default: 2, min: 1, max: 5 } },
    onSession: (day) => onSession(day),
  };
  const hosted = runHere({ ...NAMED, strategy, hasTicker: (ticker) => ticker === 'AAA' });
  void hosted.begin([session('2024-01-02'), session('2024-01-03')]);
  const of = { previous: '2024-01-03', decided: '2024-01-02', account, state: { seen: 1 } };
  return hosted.decide({ session: session('2024-01-04', more), ...of });
};

test('it is shown what a process is shown', () => {
  let shown: Day | undefined;
  void ask(
    (day) => {
      shown = day;
      return undefined;
    },
    {
      splits: { AAA: '2/1' },
      dividends: { AAA: 0.5 },
      universe: ['AAA', 'GONE'],
      series: { vix: { date: '2024-01-03', value: 7 } },
    },
  );
  expect(shown).toMatchObject({
    date: '2024-01-04',
    previous: '2024-01-03',
    decided: '2024-01-02',
    bars: { AAA: { ...bar, dividend: 0.5 } },
    universe: ['AAA'],
    series: { vix: { value: 7 } },
    parameters: { x: 2 },
    state: { seen: 1 },
    account,
  });
  expect(shown!.past.closes('AAA')).toEqual([5, 5, 10]);
  expect(shown!.past.of('AAA').volume).toEqual([200, 200, 100]);
});

test('nothing is an answer', () => {
  expect(ask(() => undefined)).toEqual({ targets: [], orders: [], cancel: [], amend: [], plot: {} });
});

test.each<[string, () => Answer, RegExp]>([
  [
    'an error',
    () => {
      throw new TypeError('a mistake');
    },
    /^TypeError: a mistake$/,
  ],
  ['NaN', () => ({ targets: [{ ticker: 'AAA', weight: Number.NaN }] }), /weight/],
  ['an unknown ticker', () => ({ targets: [{ ticker: 'BBB', weight: 1 }] }), /it names BBB/],
  ['a memory that is no JSON', () => ({ state: new Map() }), /state: must be JSON/],
  ['a memory with NaN in it', () => ({ state: { mean: [Number.NaN] } }), /state: must be JSON/],
])('it fails by %s, with its file', (_, says, reason) => {
  expect(() => ask(says)).toThrow(StrategyFault);
  expect(() => ask(says)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(reason), file: '/mine.ts' }),
  );
});

test('a parameter that it does not have is refused', () => {
  const strategy: Strategy = { history: 1, onSession: () => undefined };
  expect(() => runHere({ ...NAMED, strategy, parameters: { y: 1 } })).toThrow('it has no parameter y');
});
