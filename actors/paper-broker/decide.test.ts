import { describe, expect, it } from 'vitest';
import { parseQuantity } from '../../events/decimal.ts';
import { BookTrial, day, order } from './book.suite.ts';

describe('submitting', () => {
  it('accepts an order', () => {
    expect(new BookTrial().submit(order('a'))).toEqual(['a accepted']);
  });

  it('is quiet for an id that it has seen: open, done, or rejected', () => {
    const trial = new BookTrial();
    trial.submit(
      order('open', { type: 'limit', price: '1' }),
      order('done'),
      order('bad', { quantity: '0' }),
    );
    trial.meet(day(2));
    for (const id of ['open', 'done', 'bad']) expect(trial.submit(order(id))).toEqual([]);
  });

  it('rejects what it cannot work, with a code', () => {
    const trial = new BookTrial({ lot: parseQuantity('5') });
    expect(
      trial.submit(
        order('none', { quantity: '0' }),
        order('less', { quantity: '-5' }),
        order('odd', { quantity: '12' }),
        order('limit', { type: 'limit' }),
        order('free', { type: 'limit', price: '0' }),
        order('stop', { type: 'stop', price: '1' }),
        order('stop-limit', { type: 'stop_limit', stop_price: '1' }),
        order('limit-stop', { type: 'stop_limit', price: '1' }),
        order('fine', { type: 'stop_limit', price: '1', stop_price: '1' }),
      ),
    ).toEqual([
      'none rejected: QUANTITY_STEP',
      'less rejected: QUANTITY_STEP',
      'odd rejected: QUANTITY_STEP',
      'limit rejected: PRICE_REQUIRED',
      'free rejected: PRICE_REQUIRED',
      'stop rejected: STOP_PRICE_REQUIRED',
      'stop-limit rejected: PRICE_REQUIRED',
      'limit-stop rejected: STOP_PRICE_REQUIRED',
      'fine accepted',
    ]);
  });
});

describe('cancelling', () => {
  it('ends an open order: no bar fills it any more', () => {
    const trial = new BookTrial();
    trial.submit(order('a'));
    expect(trial.cancel('a')).toEqual(['a cancelled: requested']);
    expect(trial.meet(day(2))).toEqual([]);
  });

  it('keeps what was filled before', () => {
    const trial = new BookTrial({ volumeLimit: 400_000n });
    trial.submit(order('a'));
    trial.meet(day(2));
    trial.cancel('a');
    expect(trial.held()).toBe('4');
  });

  it('of an order that it has not had comes before it: it is not taken any more', () => {
    const trial = new BookTrial();
    expect(trial.cancel('a')).toEqual(['a cancelled: requested']);
    expect(trial.submit(order('a'))).toEqual([]);
    expect(trial.meet(day(2))).toEqual([]);
  });

  it('is quiet for an order that is done, and for one that is cancelled already', () => {
    const trial = new BookTrial();
    trial.submit(order('a'));
    trial.meet(day(2));
    trial.cancel('b');
    for (const id of ['a', 'b']) expect(trial.cancel(id)).toEqual([]);
  });
});
