import { describe, expect, it } from 'vitest';
import { parsePrice, priceText } from '../../events/decimal.ts';
import { meetBar, type PricedBar, type WorkingOrder, slipped } from './fill.ts';

const bar = (open: string, high: string, low: string, close: string): PricedBar => ({
  open: parsePrice(open),
  high: parsePrice(high),
  low: parsePrice(low),
  close: parsePrice(close),
});

const UP_AND_DOWN = bar('100', '105', '95', '101');

const optional = (text: string | undefined) => (text === undefined ? null : parsePrice(text));

function order(
  action: 'buy' | 'sell',
  type: WorkingOrder['type'],
  prices: Partial<Record<'price' | 'stop_price', string>> = {},
  triggered = false,
): WorkingOrder {
  return { action, type, price: optional(prices.price), stop_price: optional(prices.stop_price), triggered };
}

/** `105`, `triggers`, `triggers 105`, or `-` for nothing. */
function meets(working: WorkingOrder, over: PricedBar, slippage = 0n): string {
  const { triggers, price } = meetBar(working, over, slippage);
  return [...(triggers ? ['triggers'] : []), ...(price === null ? [] : [priceText(price)])].join(' ') || '-';
}

const stopLimit = (action: 'buy' | 'sell', stop_price: string, price: string, triggered = false) =>
  order(action, 'stop_limit', { stop_price, price }, triggered);

const FIVE_BPS = 50_000n;

describe('a market order', () => {
  it('fills at the open, made worse by the slippage', () => {
    expect(meets(order('buy', 'market'), UP_AND_DOWN)).toBe('100');
    expect(meets(order('buy', 'market'), UP_AND_DOWN, FIVE_BPS)).toBe('100.05');
    expect(meets(order('sell', 'market'), UP_AND_DOWN, FIVE_BPS)).toBe('99.95');
  });

  it('rounds the slippage once, in the eighth place', () => {
    expect(priceText(slipped(parsePrice('0.33333333'), 'buy', FIVE_BPS))).toBe('0.3335');
    expect(priceText(slipped(parsePrice('0.33333333'), 'sell', FIVE_BPS))).toBe('0.33316666');
  });
});

describe('a limit order', () => {
  it('fills at its limit as soon as the bar touches it, and not a cent before', () => {
    expect(meets(order('buy', 'limit', { price: '95' }), UP_AND_DOWN)).toBe('95');
    expect(meets(order('buy', 'limit', { price: '94.99' }), UP_AND_DOWN)).toBe('-');
    expect(meets(order('sell', 'limit', { price: '105' }), UP_AND_DOWN)).toBe('105');
    expect(meets(order('sell', 'limit', { price: '105.01' }), UP_AND_DOWN)).toBe('-');
  });

  it('fills at the open where that is better', () => {
    expect(meets(order('buy', 'limit', { price: '103' }), UP_AND_DOWN)).toBe('100');
    expect(meets(order('sell', 'limit', { price: '97' }), UP_AND_DOWN)).toBe('100');
  });

  it('has no slippage', () => {
    expect(meets(order('buy', 'limit', { price: '103' }), UP_AND_DOWN, FIVE_BPS)).toBe('100');
    expect(meets(order('sell', 'limit', { price: '105' }), UP_AND_DOWN, FIVE_BPS)).toBe('105');
  });
});

describe('a stop order', () => {
  it('fills at its stop price as soon as the bar reaches it, and not a cent before', () => {
    expect(meets(order('buy', 'stop', { stop_price: '105' }), UP_AND_DOWN)).toBe('triggers 105');
    expect(meets(order('buy', 'stop', { stop_price: '105.01' }), UP_AND_DOWN)).toBe('-');
    expect(meets(order('sell', 'stop', { stop_price: '95' }), UP_AND_DOWN)).toBe('triggers 95');
    expect(meets(order('sell', 'stop', { stop_price: '94.99' }), UP_AND_DOWN)).toBe('-');
  });

  it('fills at the open where that is worse', () => {
    expect(meets(order('buy', 'stop', { stop_price: '99' }), UP_AND_DOWN)).toBe('triggers 100');
    expect(meets(order('sell', 'stop', { stop_price: '102' }), UP_AND_DOWN)).toBe('triggers 100');
  });

  it('has slippage', () => {
    expect(meets(order('buy', 'stop', { stop_price: '104' }), UP_AND_DOWN, FIVE_BPS)).toBe(
      'triggers 104.052',
    );
    expect(meets(order('sell', 'stop', { stop_price: '96' }), UP_AND_DOWN, FIVE_BPS)).toBe('triggers 95.952');
  });

  it('that was triggered before is a market order', () => {
    expect(meets(order('buy', 'stop', { stop_price: '200' }, true), UP_AND_DOWN, FIVE_BPS)).toBe('100.05');
  });
});

describe('a stop-limit order', () => {
  it('does nothing before its stop price is reached, wherever its limit is', () => {
    expect(meets(stopLimit('buy', '105.01', '110'), UP_AND_DOWN)).toBe('-');
    expect(meets(stopLimit('sell', '94.99', '90'), UP_AND_DOWN)).toBe('-');
  });

  it('triggered by the open, is a limit order for the whole bar', () => {
    expect(meets(stopLimit('buy', '99', '102'), UP_AND_DOWN)).toBe('triggers 100');
    expect(meets(stopLimit('buy', '99', '96'), UP_AND_DOWN)).toBe('triggers 96');
    expect(meets(stopLimit('buy', '99', '94'), UP_AND_DOWN)).toBe('triggers');
    expect(meets(stopLimit('sell', '101', '98'), UP_AND_DOWN)).toBe('triggers 100');
    expect(meets(stopLimit('sell', '101', '104'), UP_AND_DOWN)).toBe('triggers 104');
    expect(meets(stopLimit('sell', '101', '106'), UP_AND_DOWN)).toBe('triggers');
  });

  it('triggered within the bar, fills at the stop price where its limit allows that', () => {
    expect(meets(stopLimit('buy', '103', '104'), UP_AND_DOWN, FIVE_BPS)).toBe('triggers 103');
    expect(meets(stopLimit('buy', '103', '103'), UP_AND_DOWN)).toBe('triggers 103');
    expect(meets(stopLimit('sell', '97', '96'), UP_AND_DOWN, FIVE_BPS)).toBe('triggers 97');
  });

  it('does not take the low for later than the trigger: only the close is', () => {
    expect(meets(stopLimit('buy', '103', '100'), UP_AND_DOWN)).toBe('triggers');
    expect(meets(stopLimit('buy', '103', '101'), UP_AND_DOWN)).toBe('triggers 101');
    expect(meets(stopLimit('sell', '97', '102'), UP_AND_DOWN)).toBe('triggers');
    expect(meets(stopLimit('sell', '97', '101'), UP_AND_DOWN)).toBe('triggers 101');
  });

  it('that was triggered before is a limit order', () => {
    expect(meets(stopLimit('buy', '200', '96', true), UP_AND_DOWN)).toBe('96');
    expect(meets(stopLimit('sell', '1', '106', true), UP_AND_DOWN)).toBe('-');
  });
});
