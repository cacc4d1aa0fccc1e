import { expect, test } from 'vitest';
import { parseQuantity, quantityText } from '../../events/decimal.ts';
import { HeldByStrategies } from './held-by-strategies.ts';

const closed = (fills: readonly (readonly [string | null, string])[], position: string): string[] => {
  const held = new HeldByStrategies();
  for (const [strategy, quantity] of fills) held.fill(strategy, parseQuantity(quantity));
  return held
    .closeAll(parseQuantity(position))
    .map(({ strategy, quantity }) => `${strategy ?? 'others'} ${quantityText(quantity)}`);
};

test('a position is closed for the strategies that hold it, the rest for others', () => {
  expect(closed([['a', '60']], '60')).toEqual(['a 60']);
  expect(
    closed(
      [
        ['b', '10'],
        ['a', '20'],
        ['b', '-10'],
        [null, '5'],
      ],
      '25',
    ),
  ).toEqual(['a 20', 'others 5']);
  expect(closed([['a', '-7']], '-7')).toEqual(['a -7']);
  expect(closed([], '3')).toEqual(['others 3']);
});

test('what was sold by hand was taken from the strategies in the order of their names', () => {
  expect(
    closed(
      [
        ['b', '10'],
        ['a', '10'],
        [null, '-12'],
      ],
      '8',
    ),
  ).toEqual(['b 8']);
});

test('a split changes what each holds', () => {
  const held = new HeldByStrategies();
  held.fill('a', parseQuantity('10'));
  held.split({ numerator: 2n, denominator: 1n });
  expect(held.closeAll(parseQuantity('20'))).toEqual([{ strategy: 'a', quantity: parseQuantity('20') }]);
});
