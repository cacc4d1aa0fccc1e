import { expect, test } from 'vitest';
import type { SessionData } from '../../events/messages/market.ts';
import { foresightOf } from './foresight.ts';
import { drawing, riseOf, walks } from './walks.suite.ts';

const SESSIONS = walks(200);

function orderOf(action: 'buy' | 'sell' | null, ticker = 'AAA') {
  const order = { ticker, type: 'market', quantity: '100', reason: null } as const;
  const rest = { price: null, stop_price: null, time_in_force: 'day', reduce_only: false } as const;
  return { orders: action === null ? [] : [{ ...order, ...rest, action }] };
}

/** One order a session, with the action that `of` gives. */
const orders = (sessions: readonly SessionData[], of: (n: number) => 'buy' | 'sell' | null) =>
  new Map(sessions.map(({ date }, n) => [date, orderOf(of(n))]));
const byTomorrow = (n: number) => (riseOf(SESSIONS, n, 'AAA') > 0 ? 'buy' : 'sell');

test('orders that are right about the next close each time foresee it', () => {
  expect(foresightOf(orders(SESSIONS, byTomorrow), SESSIONS)).toMatch(
    /^its orders were right about the next close for 100 % of their value \(by chance 5\d %\), in 198 sessions: look for/,
  );
});

test('so do those that err now and then', () => {
  expect(
    foresightOf(
      orders(SESSIONS, (n) => (n % 10 === 0 ? 'buy' : byTomorrow(n))),
      SESSIONS,
    ),
  ).toMatch(/for 9\d % of their value/);
});

test('small orders against them, which bring a position back to its weight, do not hide that', () => {
  const right = orders(SESSIONS, (n) => (n % 2 === 0 ? byTomorrow(n) : null));
  const wrong = orders(SESSIONS, (n) => (byTomorrow(n) === 'buy' ? 'sell' : 'buy'));
  const both = [...right].map(([date, said]) => {
    const small = wrong.get(date)!.orders.map((order) => ({ ...order, quantity: '2' }));
    return [date, said.orders.length > 0 ? said : { orders: small }] as const;
  });
  expect(foresightOf(new Map(both), SESSIONS)).toMatch(/for 9\d % of their value/);
});

test.each<[string, (n: number) => 'buy' | 'sell' | null]>([
  ['always buy', () => 'buy'],
  ['go by the rise before', (n) => (n > 0 && riseOf(SESSIONS, n - 1, 'AAA') > 0 ? 'sell' : 'buy')],
  [
    'are drawn',
    (
      (draw) => () =>
        draw() < 0.5 ? 'buy' : 'sell'
    )(drawing(3)),
  ],
  ['are right, but few', (n) => (n % 10 === 0 ? byTomorrow(n) : null)],
  ['are none', () => null],
])('orders that %s do not', (_, of) => {
  expect(foresightOf(orders(SESSIONS, of), SESSIONS)).toBeNull();
});

test('where each rise follows from the one before, a rule may be right each time', () => {
  const wave = SESSIONS.map((session, n) => {
    const close = 100 + 10 * Math.sin(n / 9);
    return { ...session, splits: {}, bars: { AAA: { ...session.bars['AAA']!, close } } };
  });
  const right = orders(wave, (n) => (Math.sin((n + 1) / 9) > Math.sin(n / 9) ? 'buy' : 'sell'));
  expect(foresightOf(right, wave)).toBeNull();
});

test('nor do orders of a ticker that is noise about a fixed price, beside others that are not', () => {
  const draw = drawing(9);
  const pegged = SESSIONS.map((session) => {
    const close = 100 + (draw() - 0.5) / 2;
    return { ...session, bars: { ...session.bars, PEG: { ...session.bars['AAA']!, close } } };
  });
  const byToday = pegged.map(({ date, bars }): [string, ReturnType<typeof orderOf>] => [
    date,
    orderOf(bars['PEG'].close > 100 ? 'sell' : 'buy', 'PEG'),
  ]);
  expect(foresightOf(new Map(byToday), pegged)).toBeNull();
  expect(foresightOf(orders(pegged, byTomorrow), pegged)).toMatch(/for 100 % of their value/);
});
