import { describe, expect, it } from 'vitest';
import { moneyText, parseMoney, parsePrice, parseQuantity } from '../../events/decimal.ts';
import { emptyBook, evolve } from './book.ts';
import { BAR, BookTrial, day, order } from './book.suite.ts';
import { decide } from './decide.ts';
import { RATE_ONE } from './rules.ts';

/** Our orders may be filled with 10 of the bar's 1,000 shares. */
const ONE_PERCENT = { volumeLimit: 1_000_000n };

const noBar = (n: number) => day(n, { bars: {} });
const gone = (n: number) => day(n, { bars: {}, gone: { XYZ: '2023-12-01' } });
const idle = (n: number) => day(n, { bars: { XYZ: { ...BAR, volume: 0 } } });
const split = (n: number, ratio: string) => day(n, { splits: { XYZ: ratio } });
/** A limit that no bar reaches. */
const far = (orderId: string, quantity = '10') => order(orderId, { type: 'limit', price: '50', quantity });

const limited = (orderId: string, time_in_force: 'day' | 'gtc' | 'ioc' | 'fok', quantity: string) =>
  order(orderId, { time_in_force, quantity });
const sell = (orderId: string, quantity: string) =>
  order(orderId, { action: 'sell', quantity, reduce_only: true });

/** Splits, triggers, fills, cuts and expiries, all in one session. */
function busy(): BookTrial {
  const trial = new BookTrial({ volumeLimit: 2_000_000n });
  trial.submit(order('bought'));
  trial.meet(day(2));
  trial.submit(
    order('stop', { type: 'stop_limit', stop_price: '206', price: '192', time_in_force: 'gtc' }),
    order('part', { quantity: '4', action: 'sell', reduce_only: true }),
    order('day', { type: 'limit', price: '196', time_in_force: 'day', quantity: '5' }),
    order('late', { action: 'sell', quantity: '9', reduce_only: true, time_in_force: 'day' }),
    far('far'),
    order('none', { time_in_force: 'ioc' }),
  );
  return trial;
}

/** Less than the purchases of the busy session cost. */
const SCARCE = { cash: parseMoney('2500'), salesSettle: true, marks: new Map() };

const orderOf = ({ data }: { data: object }) => ('order_id' in data ? data.order_id : null);

describe('a session', () => {
  it('is met once, and none before it', () => {
    const trial = new BookTrial();
    expect(trial.do({ type: 'session', session: day(3), funds: null })).toEqual(['through: 2024-01-03']);
    trial.submit(order('a'));
    expect(trial.do({ type: 'session', session: day(3), funds: null })).toEqual([]);
    expect(trial.do({ type: 'session', session: day(2), funds: null })).toEqual([]);
    expect(trial.do({ type: 'session', session: day(4), funds: null })).toEqual([
      'a 10 @ 100',
      'through: 2024-01-04',
    ]);
  });

  it('fills what its bars reach, and moves the position', () => {
    const trial = new BookTrial();
    trial.submit(
      order('a'),
      far('b'),
      order('c', { action: 'sell', type: 'limit', price: '104', quantity: '4' }),
    );
    expect(trial.meet(day(2))).toEqual(['a 10 @ 100', 'c 4 @ 104']);
    expect(trial.held()).toBe('6');
    trial.submit(order('d', { action: 'sell', quantity: '6' }));
    trial.meet(day(3));
    expect(trial.book.positions.size).toBe(0);
  });

  it('says that a stop was reached before it says what it filled', () => {
    const trial = new BookTrial();
    trial.submit(order('a', { type: 'stop', stop_price: '103' }));
    expect(trial.meet(day(2))).toEqual(['a triggered', 'a 10 @ 103']);
  });

  it('leaves orders of a ticker alone that did not trade: no bar, or one without volume', () => {
    const trial = new BookTrial({ volumeLimit: RATE_ONE });
    trial.submit(order('a'), order('b', { type: 'stop', stop_price: '103' }));
    expect(trial.meet(noBar(2))).toEqual([]);
    expect(trial.meet(day(3, { bars: { XYZ: { ...BAR, volume: 0 } } }))).toEqual([]);
    expect(trial.meet(day(4))).toEqual(['a 10 @ 100', 'b triggered', 'b 10 @ 103']);
  });

  it('names each trade by its order and its day', () => {
    const trial = new BookTrial(ONE_PERCENT);
    trial.submit(order('a', { quantity: '15' }));
    trial.meet(day(2));
    trial.meet(day(3));
    const trades = trial.drafts.filter((draft) => draft.type === 'PaperTradeExecuted');
    expect(trades.map(({ data }) => data.trade_id)).toEqual(['a/2024-01-02', 'a/2024-01-03']);
  });

  it('takes the fee of each fill of an order by what the order has paid, also after a split', () => {
    const fees = {
      kind: 'per-share',
      perShare: parsePrice('0.1'),
      minimum: parseMoney('1.5'),
      maximum: null,
    } as const;
    const trial = new BookTrial({ ...ONE_PERCENT, fees });
    trial.submit(order('a', { quantity: '40' }));
    for (const session of [day(2), split(3, '2/1'), day(4)]) trial.meet(session);
    const paid = trial.drafts.filter((draft) => draft.type === 'PaperTradeExecuted');
    expect(paid.map(({ data }) => data.fee)).toEqual(['1.5', '0.5', '1']);
    expect(moneyText(trial.book.open.get('a')!.traded.fees)).toBe('3');
  });
});

describe('how long an order is good', () => {
  it('day: what the next bar of its ticker leaves of it expires, however many sessions of others come before', () => {
    const trial = new BookTrial(ONE_PERCENT);
    trial.submit(limited('a', 'day', '15'));
    expect(trial.meet(day(2))).toEqual(['a 10 @ 100', 'a expired']);
    trial.submit(limited('b', 'day', '5'));
    for (const n of [3, 4]) expect(trial.meet(day(n, { bars: { BTC: BAR } }))).toEqual([]);
    expect(trial.meet(day(5))).toEqual(['b 5 @ 100']);
    trial.submit({ ...far('c'), time_in_force: 'day' });
    expect(trial.meet(noBar(6))).toEqual([]);
    expect(trial.meet(idle(7))).toEqual(['c expired']);
  });

  it('day: a stop-limit that was triggered and not filled expires', () => {
    const trial = new BookTrial();
    trial.submit(order('a', { type: 'stop_limit', stop_price: '103', price: '96', time_in_force: 'day' }));
    expect(trial.meet(day(2))).toEqual(['a triggered', 'a expired']);
  });

  it('gtc: stays until it is filled, a triggered stop as a market order, a triggered stop-limit as a limit order', () => {
    const trial = new BookTrial(ONE_PERCENT);
    trial.submit(order('a', { type: 'stop', stop_price: '103', quantity: '15' }));
    trial.submit(order('b', { type: 'stop_limit', stop_price: '103', price: '96', quantity: '5' }));
    expect(trial.meet(day(2))).toEqual(['a triggered', 'a 10 @ 103', 'b triggered']);
    const lower = { open: 97, high: 99, low: 95, close: 98, volume: 1_000 };
    expect(trial.meet(day(3, { bars: { XYZ: lower } }))).toEqual(['a 5 @ 97', 'b 5 @ 96']);
  });

  it('ioc: takes what the bar gives, and no more', () => {
    const trial = new BookTrial(ONE_PERCENT);
    trial.submit(limited('a', 'ioc', '15'));
    expect(trial.meet(day(2))).toEqual(['a 10 @ 100', 'a cancelled: ioc']);
    trial.submit(limited('b', 'ioc', '10'), { ...far('c'), time_in_force: 'ioc' });
    expect(trial.meet(day(3))).toEqual(['b 10 @ 100', 'c cancelled: ioc']);
  });

  it('fok: the whole of it or nothing', () => {
    const trial = new BookTrial(ONE_PERCENT);
    trial.submit(limited('a', 'fok', '11'), limited('b', 'fok', '10'));
    expect(trial.meet(day(2))).toEqual(['a cancelled: fok', 'b 10 @ 100']);
    trial.submit(limited('c', 'fok', '1'));
    expect(trial.meet(noBar(3))).toEqual([]);
    expect(trial.meet(idle(4))).toEqual(['c cancelled: fok']);
  });
});

describe("a bar's volume", () => {
  it('is shared by all our orders of the ticker, the oldest first', () => {
    const trial = new BookTrial(ONE_PERCENT);
    trial.submit(
      order('a', { quantity: '4' }),
      order('b', { quantity: '4', action: 'sell' }),
      order('c', { quantity: '4' }),
    );
    trial.submit(order('other', { ticker: 'ABC' }));
    const bars = { XYZ: BAR, ABC: BAR };
    expect(trial.meet(day(2, { bars }))).toEqual(['a 4 @ 100', 'b 4 @ 100', 'c 2 @ 100', 'other 10 @ 100']);
    expect(trial.meet(day(3, { bars }))).toEqual(['c 2 @ 100']);
  });

  it('is not taken by an order that the bar does not reach', () => {
    const trial = new BookTrial(ONE_PERCENT);
    trial.submit(far('a'), order('b'));
    expect(trial.meet(day(2))).toEqual(['b 10 @ 100']);
  });

  it('gives whole lots, none where it is too small for one', () => {
    const trial = new BookTrial({ ...ONE_PERCENT, lot: parseQuantity('4') });
    trial.submit(order('a', { quantity: '12' }));
    expect(trial.meet(day(2))).toEqual(['a 8 @ 100']);
    expect(trial.meet(day(3, { bars: { XYZ: { ...BAR, volume: 399 } } }))).toEqual([]);
  });

  it('gives whole lots also beside an order of a lot that is no longer traded', () => {
    const halves = new BookTrial({ lot: parseQuantity('0.5') });
    halves.submit(order('a', { quantity: '1.5' }));
    const trial = new BookTrial(ONE_PERCENT);
    for (const draft of halves.drafts) evolve(trial.book, draft);
    trial.submit(order('b', { quantity: '20' }));
    expect(trial.meet(day(2))).toEqual(['a 1.5 @ 100', 'b 8 @ 100']);
  });

  it('gives fractions of a share where those are traded', () => {
    const trial = new BookTrial({ ...ONE_PERCENT, lot: parseQuantity('0.01') });
    trial.submit(order('a'));
    expect(trial.meet(day(2, { bars: { XYZ: { ...BAR, volume: 123 } } }))).toEqual(['a 1.23 @ 100']);
  });
});

describe('an order that only reduces', () => {
  it('is cut to what is held', () => {
    const trial = new BookTrial();
    trial.submit(order('a'), sell('b', '15'));
    expect(trial.meet(day(2))).toEqual(['a 10 @ 100', 'b 10 @ 100', 'b cancelled: reduce_only']);
    expect(trial.held()).toBe('0');
  });

  it('is cancelled where nothing is held, or the position is on its own side', () => {
    const trial = new BookTrial();
    trial.submit(sell('a', '5'));
    expect(trial.meet(day(2))).toEqual(['a cancelled: reduce_only']);
    trial.submit(order('b'), order('c', { reduce_only: true }));
    expect(trial.meet(day(3))).toEqual(['b 10 @ 100', 'c cancelled: reduce_only']);
  });

  it('takes a short position to zero', () => {
    const trial = new BookTrial();
    trial.submit(order('a', { action: 'sell' }), order('b', { quantity: '12', reduce_only: true }));
    expect(trial.meet(day(2))).toEqual(['a 10 @ 100', 'b 10 @ 100', 'b cancelled: reduce_only']);
  });

  it('waits while its price is not reached, whatever is held', () => {
    const trial = new BookTrial();
    trial.submit({ ...far('a'), reduce_only: true });
    expect(trial.meet(day(2))).toEqual([]);
  });

  it('of two the younger one gets what the older one left', () => {
    const trial = new BookTrial();
    trial.submit(order('a'), sell('b', '7'), sell('c', '7'));
    expect(trial.meet(day(2))).toEqual(['a 10 @ 100', 'b 7 @ 100', 'c 3 @ 100', 'c cancelled: reduce_only']);
  });

  it('is not done while only the volume is missing', () => {
    const trial = new BookTrial();
    trial.submit(order('a', { quantity: '20' }));
    trial.meet(day(2));
    const limited = new BookTrial(ONE_PERCENT);
    for (const draft of trial.drafts) evolve(limited.book, draft);
    limited.submit(sell('b', '20'));
    expect(limited.meet(day(3))).toEqual(['b 10 @ 100']);
    expect(limited.meet(day(4))).toEqual(['b 10 @ 100']);
  });
});

describe('a split', () => {
  it('changes the position and the open orders of its ticker before they meet the bar', () => {
    const trial = new BookTrial();
    trial.submit(order('a'));
    trial.meet(day(2));
    trial.submit(
      order('b', { type: 'stop_limit', action: 'sell', quantity: '5', stop_price: '300', price: '180' }),
    );
    trial.submit(order('other', { ticker: 'ABC', type: 'limit', price: '1' }));
    expect(trial.meet(split(3, '2/1'))).toEqual([
      'XYZ split 2/1: 20',
      'b adjusted',
      'b triggered',
      'b 10 @ 100',
    ]);
    expect(trial.held()).toBe('10');
    expect(trial.open('other')).toBe('0 of 10 @ 1');
  });

  it('cuts positions to whole lots, toward zero', () => {
    for (const [action, held] of [
      ['buy', '3'],
      ['sell', '-3'],
    ] as const) {
      const trial = new BookTrial();
      trial.submit(order('a', { action, quantity: '11' }));
      trial.meet(day(2));
      trial.meet(split(3, '1/3'));
      expect(trial.held()).toBe(held);
    }
  });

  it('cuts what is filled and what is left of an order each by itself, and rounds its prices', () => {
    const trial = new BookTrial(ONE_PERCENT);
    trial.submit(order('a', { type: 'limit', price: '100', quantity: '15' }));
    trial.meet(day(2));
    trial.meet(day(3, { bars: {}, splits: { XYZ: '10/3' } }));
    expect(trial.open('a')).toBe('33 of 49 @ 30');
    trial.meet(day(4, { bars: {}, splits: { XYZ: '70/1' } }));
    expect(trial.open('a')).toBe('2310 of 3430 @ 0.4286');
  });

  it('cancels an order of which no lot is left', () => {
    const trial = new BookTrial();
    trial.submit(far('a', '9'));
    expect(trial.meet(split(2, '1/10'))).toEqual(['a cancelled: split']);
  });

  it('of a ticker that is neither held nor ordered changes nothing', () => {
    const trial = new BookTrial();
    expect(trial.meet(day(2, { splits: { ABC: '2/1' } }))).toEqual([]);
  });
});

describe('a session of which a part is on record', () => {
  it('is finished as if it had never been broken off, wherever between two orders that was', () => {
    const session = split(3, '2/1');
    const whole = busy();
    whole.do({ type: 'session', session, funds: SCARCE });
    const drafts = whole.drafts.slice(busy().drafts.length);
    expect(drafts.length).toBeGreaterThan(12);
    let cuts = 0;
    for (let cut = 1; cut < drafts.length; cut++) {
      if (orderOf(drafts[cut - 1]!) === orderOf(drafts[cut]!)) continue;
      cuts += 1;
      const broken = busy();
      for (const draft of drafts.slice(0, cut)) evolve(broken.book, draft);
      broken.do({ type: 'session', session, funds: SCARCE });
      expect(broken.drafts.slice(busy().drafts.length)).toEqual(drafts.slice(cut));
      expect(broken.book).toEqual(whole.book);
    }
    expect(cuts).toBeGreaterThan(8);
  });
});

describe('deciding', () => {
  it('does not change the book', () => {
    const trial = new BookTrial(ONE_PERCENT);
    trial.submit(order('a', { quantity: '15' }), far('b'));
    trial.meet(day(2));
    const copy = trial.drafts.reduce(evolve, emptyBook());
    decide({ type: 'session', session: split(3, '2/1'), funds: null }, trial.book, {
      ...ONE_PERCENT,
      fees: { kind: 'none' },
      slippage: 0n,
      lot: 1n,
    });
    expect(trial.book).toEqual(copy);
  });
});

describe('a ticker that no longer trades', () => {
  it('leaves no position, and no order, whenever that came', () => {
    const trial = new BookTrial();
    trial.submit(order('bought'));
    trial.meet(day(2));
    trial.submit(sell('closing', '10'), far('far'), order('other', { ticker: 'ABC' }));
    expect(trial.meet(noBar(3))).toEqual([]);
    expect(trial.meet(gone(4))).toEqual(['XYZ settled', 'closing expired', 'far expired']);
    expect(trial.held()).toBe('0');
    trial.submit(far('late'));
    expect(trial.meet(gone(5))).toEqual(['late expired']);
  });

  it('is settled where nothing is ordered, too', () => {
    const trial = new BookTrial();
    trial.submit(order('bought'));
    trial.meet(day(2));
    expect(trial.meet(gone(3))).toEqual(['XYZ settled']);
    expect(trial.meet(gone(4))).toEqual([]);
  });
});

describe('a bar without volume', () => {
  it('fills nothing where a share of the volume is the limit, and all of it where there is none', () => {
    const limited = new BookTrial(ONE_PERCENT);
    limited.submit(order('a'));
    expect(limited.meet(idle(2))).toEqual([]);
    const unlimited = new BookTrial();
    unlimited.submit(order('a'));
    expect(unlimited.meet(idle(2))).toEqual(['a 10 @ 100']);
  });
});
