import { describe, expect, it } from 'vitest';
import { moneyText, parseMoney, parsePrice, parseQuantity, quantityText } from '../../events/decimal.ts';
import { bookFill, flat, unrealized } from './position.ts';

/** Fills `quantity@price`, and what they leave: quantity, cost, realized. */
function after(...fills: string[]): [string, string, string] {
  const position = flat();
  for (const fill of fills) {
    const [quantity = '', price = '', fee = '0'] = fill.split(/[@/]/);
    bookFill(position, parseQuantity(quantity), parsePrice(price), parseMoney(fee));
  }
  return [quantityText(position.quantity), moneyText(position.cost), moneyText(position.realized)];
}

describe('a position at average cost', () => {
  it.each<[string[], [string, string, string]]>([
    [
      ['10@10', '5@12.5'],
      ['15', '162.5', '0'],
    ],
    [
      ['10@10', '5@12.5', '-6@20'],
      ['9', '97.5', '55'],
    ],
    [
      ['10@10', '-10@8'],
      ['0', '0', '-20'],
    ],
    [
      ['-10@10', '-10@12'],
      ['-20', '-220', '0'],
    ],
    [
      ['-10@10', '4@9'],
      ['-6', '-60', '4'],
    ],
    // Through zero: all of it closes, the rest takes the price that it crossed at.
    [
      ['10@10', '-15@12'],
      ['-5', '-60', '20'],
    ],
    [
      ['-10@10', '15@12'],
      ['5', '60', '-20'],
    ],
    [
      ['10@10/1', '-5@10/0.5'],
      ['5', '50', '-1.5'],
    ],
  ])('%j', (fills, expected) => {
    expect(after(...fills)).toEqual(expected);
  });

  it('loses nothing to rounding: what leaves with the last share is what was left', () => {
    const thirds = after('3@0.33333333', '-1@1', '-1@1', '-1@1');
    expect(thirds).toEqual(['0', '0', '2.00000001']);
  });

  it('is worth more or less than it cost', () => {
    const position = flat();
    bookFill(position, parseQuantity('-10'), parsePrice('10'), 0n);
    expect(unrealized(position, parsePrice('9'))).toBe(parseMoney('10'));
  });
});
