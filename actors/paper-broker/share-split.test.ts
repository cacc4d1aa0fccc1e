import { describe, expect, it } from 'vitest';
import { parseQuantity, parseRatio, quantityText } from '../../events/decimal.ts';
import { splitPriceText, splitShares } from './share-split.ts';

const sharesAfter = (shares: string, ratio: string, lot = '1') =>
  quantityText(splitShares(parseQuantity(shares), parseRatio(ratio), parseQuantity(lot)));
const priceAfter = (price: string, ratio: string) => splitPriceText(price, parseRatio(ratio));

describe('shares after a split', () => {
  it('are whole lots, cut toward zero', () => {
    expect(sharesAfter('100', '2/1')).toBe('200');
    expect(sharesAfter('100', '10000/3333')).toBe('300');
    expect(sharesAfter('11', '1/3')).toBe('3');
    expect(sharesAfter('-11', '1/3')).toBe('-3');
    expect(sharesAfter('2', '1/3')).toBe('0');
    expect(sharesAfter('1', '1/3', '0.0001')).toBe('0.3333');
  });
});

describe('the price of an order after a split', () => {
  it('is to the cent, half a cent up', () => {
    expect(priceAfter('10', '10000/3333')).toBe('3.33');
    expect(priceAfter('10.01', '2/1')).toBe('5.01');
    expect(priceAfter('10', '1/20')).toBe('200');
  });

  it('is to the hundredth of a cent below 1', () => {
    expect(priceAfter('10', '30/1')).toBe('0.3333');
    expect(priceAfter('1', '1/1')).toBe('1');
  });

  it('does not become 0', () => {
    expect(priceAfter('0.0001', '7/1')).toBe('0.0001');
  });
});
