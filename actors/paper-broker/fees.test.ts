import { describe, expect, it } from 'vitest';
import {
  moneyText,
  parseMoney,
  parsePrice,
  parseQuantity,
  valueOf,
  type Money,
} from '../../events/decimal.ts';
import { fillFee, NOTHING_TRADED, type Traded } from './fees.ts';
import type { FeeModel } from './rules.ts';

/** The fee of each fill of one order. */
function fees(model: FeeModel, fills: readonly (readonly [quantity: string, price: string])[]): string[] {
  let traded: Traded = NOTHING_TRADED;
  return fills.map(([shares, at]) => {
    const [quantity, price] = [parseQuantity(shares), parsePrice(at)];
    const fee: Money = fillFee(traded, quantity, price, model);
    traded = {
      shares: traded.shares + quantity,
      value: traded.value + valueOf(quantity, price),
      fees: traded.fees + fee,
    };
    return moneyText(fee);
  });
}

const perShare = (rate: string, minimum = '0', maximum: bigint | null = null): FeeModel => ({
  kind: 'per-share',
  perShare: parsePrice(rate),
  minimum: parseMoney(minimum),
  maximum,
});

describe('the fee of a fill', () => {
  it('is nothing without a model', () => {
    expect(fees({ kind: 'none' }, [['10', '100']])).toEqual(['0']);
  });

  it('per share: the minimum is paid once, over all fills of the order', () => {
    const fills = [
      ['230', '100'],
      ['170', '100'],
      ['100', '100'],
    ] as const;
    expect(fees(perShare('0.0075'), fills)).toEqual(['1.725', '1.275', '0.75']);
    expect(fees(perShare('0.0075', '3.5'), fills)).toEqual(['3.5', '0', '0.25']);
    expect(fees(perShare('0.0075', '5.5'), fills)).toEqual(['5.5', '0', '0']);
  });

  it('per share: at most a share of what the order is worth, over all fills', () => {
    const onePercent = 1_000_000n;
    expect(fees(perShare('0.5', '0', onePercent), [['100', '20']])).toEqual(['20']);
    const fills = [
      ['100', '20'],
      ['100', '90'],
    ] as const;
    // 1 % of 2,000; then 0.5 for each of 200 shares, which is less than 1 % of 11,000.
    expect(fees(perShare('0.5', '0', onePercent), fills)).toEqual(['20', '80']);
  });

  it('per share: the minimum wins over the maximum', () => {
    expect(fees(perShare('0.005', '1', 500_000n), [['1', '100']])).toEqual(['1']);
  });

  it('per value: a share of each fill, of a sale as well', () => {
    expect(
      fees({ kind: 'per-value', rate: 150_000n }, [
        ['230', '100'],
        ['170', '101'],
      ]),
    ).toEqual(['34.5', '25.755']);
  });

  it('per order: with the first fill only', () => {
    expect(
      fees({ kind: 'per-order', amount: parseMoney('10') }, [
        ['1', '100'],
        ['1', '100'],
      ]),
    ).toEqual(['10', '0']);
  });

  it('is never negative, also where the model has changed since the order paid more', () => {
    const paid: Traded = { shares: parseQuantity('10'), value: 0n, fees: parseMoney('5') };
    for (const model of [perShare('0.01'), { kind: 'per-order', amount: parseMoney('1') }] as const) {
      expect(fillFee(paid, parseQuantity('1'), parsePrice('100'), model)).toBe(0n);
    }
  });
});
