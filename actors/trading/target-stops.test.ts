import { beforeEach, describe, expect, it } from 'vitest';
import { Desk } from './desk.suite.ts';

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
  desk.session([100, 100, 100, 100]);
});

const target = (quantity: number, more: object = {}) => ({ targets: [{ ticker: 'AAA', quantity, ...more }] });

describe('a target with a stop', () => {
  it('has the stop with the fill, for what was filled', () => {
    desk.says(target(100, { stop: 92 }));
    expect(desk.session([101, 102, 99, 100])).toEqual([expect.stringContaining('buy 100 at 101')]);
    expect(desk.open).toEqual([expect.stringContaining('sell 100 stop 92')]);
    expect(desk.session([91, 93, 90, 92])).toEqual([expect.stringContaining('sell 100 at 91')]);
    expect(desk.held).toBe(0);
  });

  it('said again keeps the stop that is there, and another one takes its place', () => {
    desk.says(target(100, { stop: 92 }));
    desk.session([100, 100, 100, 100]);
    const [before] = desk.open;
    desk.says(target(100, { stop: 92 }));
    expect(desk.open).toEqual([before]);
    desk.says(target(100, { stop: 95 }));
    desk.session([100, 100, 100, 100]);
    desk.says(target(100, { stop: 96 }));
    expect(desk.open).toEqual([expect.stringContaining('sell 100 stop 96')]);
  });

  it('that falls has a smaller stop, and sells only what is held', () => {
    desk.says(target(100, { stop: 92 }));
    desk.session([100, 100, 100, 100]);
    desk.says(target(40, { stop: 92 }));
    expect(desk.session([100, 100, 100, 100])).toEqual([expect.stringContaining('sell 60 at 100')]);
    expect(desk.open).toEqual([expect.stringContaining('sell 40 stop 92')]);
  });

  it('of nothing sells all, and no stop is left', () => {
    desk.says(target(100, { trailing_stop: { percent: 5 } }));
    desk.session([100, 110, 100, 105]);
    desk.says(target(0));
    expect(desk.session([105, 105, 105, 105])).toEqual([expect.stringContaining('sell 100 at 105')]);
    expect(desk.open).toEqual([]);
  });

  it('trails from the fill on, through a split', () => {
    desk.says(target(100, { trailing_stop: { amount: 8 } }));
    desk.session([102, 110, 100, 108]);
    expect(desk.open).toEqual([expect.stringContaining('sell 100 stop 94')]);
    // 2 for 1: 47 behind a high of 56 by 4 is 52.
    desk.session([54, 56, 53, 55], { split: '2/1', dividend: 0.3 });
    expect(desk.open).toEqual([expect.stringContaining('sell 200 stop 52')]);
    expect(desk.session([51, 52, 50, 51])).toEqual([expect.stringContaining('sell 200 at 51')]);
  });

  it.each([{ percent: 10 }, { amount: 12 }])(
    'that falls keeps the trailing stop where it is: %j',
    (trail) => {
      desk.says(target(100, { trailing_stop: trail }));
      desk.session([100, 100, 100, 100]);
      desk.session([100, 120, 100, 118]);
      desk.session([110, 112, 109, 110]);
      expect(desk.open).toEqual([expect.stringContaining('sell 100 stop 108')]);
      desk.says(target(40, { trailing_stop: trail }));
      expect(desk.session([110, 111, 109, 110])).toEqual([expect.stringContaining('sell 60 at 110')]);
      expect(desk.open).toEqual([expect.stringContaining('sell 40 stop 108')]);
      desk.session([55, 55.5, 54.5, 55], { split: '2/1' });
      desk.says(target(60, { trailing_stop: 'percent' in trail ? trail : { amount: 6 } }));
      desk.session([55, 55.5, 54.5, 55]);
      expect(desk.open).toEqual([expect.stringContaining('sell 60 stop 54')]);
      expect(desk.session([54, 54, 53, 53])).toEqual([expect.stringContaining('sell 60 at 54')]);
      expect(desk.held).toBe(0);
    },
  );

  it('that rises has one trailing stop for all, where it had come to for the first', () => {
    const trail = { trailing_stop: { percent: 10 } };
    desk.says(target(50, trail));
    desk.session([100, 100, 100, 100]);
    desk.session([100, 120, 100, 118]);
    desk.says(target(100, trail));
    desk.session([110, 111, 109, 110]);
    expect(desk.open).toEqual([
      expect.stringContaining('sell 50 stop 108'),
      expect.stringContaining('sell 50 stop 99'),
    ]);
    desk.says(target(100, trail));
    expect(desk.open).toEqual([expect.stringContaining('sell 100 stop 108')]);
    expect(desk.session([107, 107, 106, 106])).toEqual([expect.stringContaining('sell 100 at 107')]);
    expect(desk.held).toBe(0);
  });

  it('keeps the lower trailing stop of a short position', () => {
    desk = new Desk({ shorting: true });
    desk.session([100, 100, 100, 100]);
    desk.says(target(-100, { trailing_stop: { percent: 10 } }));
    desk.session([100, 100, 100, 100]);
    desk.session([100, 100, 80, 82]);
    desk.session([86, 87, 85, 86]);
    desk.says(target(-40, { trailing_stop: { percent: 10 } }));
    expect(desk.session([86, 87, 85, 86])).toEqual([expect.stringContaining('buy 60 at 86')]);
    expect(desk.open).toEqual([expect.stringContaining('buy 40 stop 88')]);
  });

  it('trails exactly as far behind after a split: only prices that somebody said are rounded', () => {
    desk.says(target(100, { trailing_stop: { percent: 8 } }));
    desk.session([100, 100, 100, 100]);
    desk.session([100, 100.11, 100, 100]);
    desk.session([25, 25, 25, 25], { split: '4/1' });
    // 100.11 less 8 % is 92.1012.
    expect(desk.open).toEqual([expect.stringContaining('sell 400 stop 23.0253')]);
    expect(desk.order('2024-01-02-0-stop-1')).toMatchObject({ price: 23.0253, stop_price: 23.0253 });
  });

  it('with another trailing stop has that one, behind the last price', () => {
    desk.says(target(100, { trailing_stop: { percent: 10 } }));
    desk.session([100, 100, 100, 100]);
    desk.session([100, 120, 100, 118]);
    desk.session([110, 112, 109, 110]);
    desk.says(target(100, { trailing_stop: { percent: 20 } }));
    expect(desk.open.at(-1)).toContain('sell 100 stop 88');
  });

  it.each([{ trailing_stop: { percent: 10 } }, { stop: 92 }])(
    'covers all of a position that its tolerance leaves alone: %j',
    (stop) => {
      desk.says(target(100, stop));
      desk.session([100, 100, 100, 100]);
      const before = desk.open;
      desk.says(target(90, { ...stop, tolerance: 0.2 }));
      expect(desk.open).toEqual(before);
      expect(desk.session([85, 85, 85, 85])).toEqual([expect.stringContaining('sell 100 at 85')]);
      expect(desk.held).toBe(0);
    },
  );

  it('covers what cannot be sold yet', () => {
    desk.says(target(100, { stop: 92 }));
    desk.session([100, 100, 100, 100]);
    desk.says({
      ...target(40, { stop: 92 }),
      orders: [{ ticker: 'AAA', action: 'buy', quantity: 1, type: 'limit', price: 50, time_in_force: 'gtc' }],
    });
    desk.session([100, 100, 100, 100]);
    expect(desk.held).toBe(40);
    desk.says(target(20, { stop: 92 }));
    expect(desk.session([91, 91, 91, 91])).toEqual([expect.stringContaining('sell 40 at 91')]);
    expect(desk.held).toBe(0);
  });

  it.each([
    [{ trailing_stop: { percent: 5 } }, 'trailing stop'],
    [{ stop: 92 }, 'stop loss'],
  ])('has one name for %j, whether it comes with the position or later', (stop, name) => {
    const names = (): unknown[] => [...desk.reasons.values()].filter((reason) => reason !== null);
    desk.says(target(100, stop));
    desk.session([100, 100, 100, 100]);
    expect(names()).toEqual([name]);
    desk = new Desk();
    desk.session([100, 100, 100, 100]);
    desk.says(target(100));
    desk.session([100, 100, 100, 100]);
    desk.says(target(100, stop));
    expect(names()).toEqual([name]);
  });

  it('does not stand once its stop was filled before it was reached', () => {
    desk = new Desk({}, { volumeLimit: 1_000_000n });
    desk.session([100, 100, 100, 100]);
    desk.says(target(100, { stop: 92 }));
    // 1 % of 3,000 shares.
    desk.session([100, 100, 100, 100], { volume: 3_000 });
    expect(desk.held).toBe(30);
    desk.session([91, 91, 91, 91]);
    desk.says({});
    expect(desk.open).toEqual([]);
    expect(desk.session([90, 90, 90, 90])).toEqual([]);
    expect(desk.held).toBe(0);
  });
});

it('a strategy places orders with a bracket and with a stop that trails', () => {
  desk.says({
    orders: [
      { ticker: 'AAA', action: 'buy', quantity: 10, bracket: { take_profit: 120, stop_loss: 90 } },
      {
        ticker: 'AAA',
        action: 'buy',
        quantity: 5,
        type: 'stop',
        trail: { amount: 30 },
        time_in_force: 'gtc',
      },
    ],
  });
  desk.session([100, 101, 99, 100]);
  expect(desk.open).toEqual([
    expect.stringContaining('buy 5 stop 129'),
    expect.stringContaining('sell 10 limit 120'),
    expect.stringContaining('sell 10 stop 90'),
  ]);
});
