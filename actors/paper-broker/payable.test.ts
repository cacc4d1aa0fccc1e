import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moneyText, parseMoney, parsePrice, parseQuantity } from '../../events/decimal.ts';
import type { Funds } from '../trading/broker.ts';
import type { FeeModel } from './rules.ts';
import { BookTrial, day, order } from './book.suite.ts';

const can = (cash: string, more: Partial<Funds> = {}): Funds => ({
  cash: parseMoney(cash),
  salesSettle: true,
  marks: new Map(),
  ...more,
});

const ONE_EACH = { fees: { kind: 'per-order', amount: parseMoney('1') } } as const;
const at = (open: number) => ({ bars: { XYZ: { open, high: open, low: open, close: open, volume: 1_000 } } });

describe('a market order that opens exposure', () => {
  it('is cut to what can be paid, fee included, and says what was missing', () => {
    const trial = new BookTrial(ONE_EACH);
    trial.submit(order('a'));
    expect(trial.meet(day(2), can('1000'))).toEqual([
      'a 9 @ 100',
      'a cancelled: INSUFFICIENT_FUNDS: 10 at 100 with a fee of 1 cost 1001, 1 more than the 1000 that could be paid',
    ]);
  });

  it('is filled where the last hundredth pays for it', () => {
    const trial = new BookTrial(ONE_EACH);
    trial.submit(order('a'));
    expect(trial.meet(day(2), can('1001'))).toEqual(['a 10 @ 100']);
  });

  it('is rejected where not even a lot can be paid', () => {
    const trial = new BookTrial();
    trial.submit(order('a'));
    expect(trial.meet(day(2), can('99'))).toEqual([
      'a rejected: INSUFFICIENT_FUNDS: 10 at 100 with a fee of 0 cost 1000, 901 more than the 99 that could be paid',
    ]);
  });

  it('good for its whole or nothing is not cut', () => {
    const trial = new BookTrial();
    trial.submit(order('a', { time_in_force: 'fok' }));
    expect(trial.meet(day(2), can('999'))).toEqual([
      expect.stringMatching('^a rejected: INSUFFICIENT_FUNDS'),
    ]);
  });

  it('gets what orders before it left, and what a sale before it brought', () => {
    const trial = new BookTrial();
    trial.submit(order('held'));
    trial.meet(day(2), can('1000'));
    trial.submit(order('a'), order('sold', { action: 'sell', quantity: '5' }), order('b'));
    expect(trial.meet(day(3), can('1200')).map((words) => words.slice(0, 20))).toEqual([
      'a 10 @ 100',
      'sold 5 @ 100',
      'b 7 @ 100',
      'b cancelled: INSUFFI',
    ]);
  });

  it('gets nothing of a sale whose cash settles later', () => {
    const trial = new BookTrial();
    trial.submit(order('held'));
    trial.meet(day(2), can('1000'));
    trial.submit(order('sold', { action: 'sell' }), order('b'));
    expect(trial.meet(day(3), can('0', { salesSettle: false }))[1]).toMatch(/^b rejected/u);
  });
});

describe('an order of another type', () => {
  it('is rejected, whatever part of it could be paid', () => {
    const trial = new BookTrial(ONE_EACH);
    trial.submit(
      order('limit', { type: 'limit', price: '100' }),
      order('stop', { type: 'stop', stop_price: '103' }),
    );
    expect(trial.meet(day(2), can('1000.5'))).toEqual([
      'limit rejected: INSUFFICIENT_FUNDS: 10 at 100 with a fee of 1 cost 1001, 0.5 more than the 1000.5 that could be paid',
      'stop triggered',
      'stop rejected: INSUFFICIENT_FUNDS: 10 at 103 with a fee of 1 cost 1031, 30.5 more than the 1000.5 that could be paid',
    ]);
  });

  it('that has traded before is cancelled: its rest cannot be paid', () => {
    const trial = new BookTrial({ volumeLimit: 500_000n });
    trial.submit(order('a', { type: 'limit', price: '100' }));
    expect(trial.meet(day(2), can('1000'))).toEqual(['a 5 @ 100']);
    expect(trial.meet(day(3), can('100'))).toEqual([
      expect.stringMatching('^a cancelled: INSUFFICIENT_FUNDS: 5 at 100'),
    ]);
  });
});

describe('what closes a position', () => {
  it('is never held back', () => {
    const trial = new BookTrial(ONE_EACH);
    trial.submit(order('short', { action: 'sell' }));
    trial.meet(day(2), can('2000'));
    trial.submit(order('back'));
    expect(trial.meet(day(3, at(500)), can('10'))).toEqual(['back 10 @ 500']);
  });

  it('frees what it tied up for what goes beyond it', () => {
    const trial = new BookTrial();
    trial.submit(order('short', { action: 'sell' }));
    trial.meet(day(2), can('2000'));
    trial.submit(order('turn', { quantity: '25' }));
    // 3,000 of cash buy back 10 at 100, and 20 more.
    const funds = can('3000', { marks: new Map([['XYZ', parsePrice('100')]]) });
    expect(trial.meet(day(3), funds)).toEqual(['turn 25 @ 100']);
  });

  it('at a worse price leaves less for others', () => {
    const trial = new BookTrial();
    trial.submit(order('short', { action: 'sell', quantity: '100' }));
    trial.meet(day(2, at(10)), can('2000'));
    trial.submit(order('back', { quantity: '100' }), order('more', { quantity: '100' }));
    const funds = can('3000', { marks: new Map([['XYZ', parsePrice('10')]]) });
    expect(trial.meet(day(3, at(25)), funds).slice(0, 2)).toEqual(['back 100 @ 25', 'more 20 @ 25']);
  });
});

describe('a short sale', () => {
  it('ties up as much as it brings, twice where the cash settles later', () => {
    const trial = new BookTrial();
    trial.submit(order('a', { action: 'sell', quantity: '15' }), order('b', { action: 'sell' }));
    expect(trial.meet(day(2), can('2000')).map((words) => words.slice(0, 12))).toEqual([
      'a 15 @ 100',
      'b 5 @ 100',
      'b cancelled:',
    ]);
  });
});

describe('whatever is ordered', () => {
  const drawn = fc.record({
    cash: fc.integer({ min: 0, max: 30_000 }).map(String),
    prices: fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 }),
    quantities: fc.array(fc.integer({ min: 1, max: 200 }).map(String), { minLength: 1, maxLength: 5 }),
    fees: fc.constantFrom<FeeModel>(
      { kind: 'none' },
      { kind: 'per-value', rate: 150_000n },
      { kind: 'per-order', amount: parseMoney('7.5') },
      { kind: 'per-share', perShare: parsePrice('0.005'), minimum: parseMoney('1'), maximum: 1_000_000n },
    ),
  });

  it('no fill leaves less than nothing', () => {
    fc.assert(
      fc.property(drawn, ({ cash, prices, quantities, fees }) => {
        const trial = new BookTrial({ fees });
        let left = parseMoney(cash);
        for (const [n, price] of prices.entries()) {
          trial.submit(...quantities.map((quantity, nth) => order(`${n}-${nth}`, { quantity })));
          const before = trial.drafts.length;
          trial.meet(day(n + 2, at(price)), can(moneyText(left)));
          for (const { type, data } of trial.drafts.slice(before)) {
            if (type !== 'PaperTradeExecuted') continue;
            left -= parseQuantity(data.quantity) * parsePrice(data.price) + parseMoney(data.fee);
            expect(left).toBeGreaterThanOrEqual(0n);
          }
        }
      }),
    );
  });
});
