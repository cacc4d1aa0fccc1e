import { describe, expect, it } from 'vitest';
import { moneyText, parseMoney, parsePrice, parseQuantity, quantityText } from '../../events/decimal.ts';
import { lotBook, type ClosedTrade, type Matching } from './lots.ts';

const fill = (text: string, at: string) => {
  const [quantity = '', price = ''] = text.split('@');
  return { quantity: parseQuantity(quantity), price: parsePrice(price), fee: parseMoney('1'), at };
};

/** Side, quantity, days, profit and fees of each closed trade; the n-th fill is on day n, its fee is 1. */
function trades(matching: Matching, ...fills: string[]): string[] {
  const lots = lotBook(matching);
  return fills.flatMap((text, index) => lots.take(fill(text, String(index + 1)))).map(line);
}

const line = ({ side, quantity, opened, closed, pnl, fees }: ClosedTrade): string =>
  `${side} ${quantityText(quantity)} ${opened}-${closed} ${moneyText(pnl)} ${moneyText(fees)}`;

describe('closed trades', () => {
  const fills = ['10@10', '10@11', '-15@12', '-5@13'];

  it('by the oldest lot first', () => {
    expect(trades('fifo', ...fills)).toEqual(['long 10 1-3 20 2', 'long 5 2-3 5 1', 'long 5 2-4 10 1']);
  });

  it('by the newest lot first', () => {
    expect(trades('lifo', ...fills)).toEqual(['long 10 2-3 10 2', 'long 5 1-3 10 1', 'long 5 1-4 15 1']);
  });

  it('from flat to flat', () => {
    expect(trades('flat-to-flat', ...fills)).toEqual(['long 20 1-4 35 4']);
  });

  it.each<[Matching]>([['fifo'], ['lifo'], ['flat-to-flat']])(
    'through zero, %s: one ends and another begins',
    (matching) => {
      expect(trades(matching, '-10@10', '15@8', '-5@9')).toEqual(['short 10 1-2 20 2', 'long 5 2-3 5 1']);
    },
  );

  it('leave out what is open', () => {
    expect(trades('fifo', '10@10')).toEqual([]);
    expect(trades('flat-to-flat', '10@10', '-9@10')).toEqual([]);
  });
});

describe('a split', () => {
  const twoForOne = { numerator: 2n, denominator: 1n };

  it('leaves profit as it is', () => {
    const lots = lotBook('fifo');
    lots.take(fill('10@10', '1'));
    expect(lots.split(twoForOne, parseQuantity('20'), 0n, '2')).toEqual([]);
    expect(lots.take(fill('-20@6', '3')).map(line)).toEqual(['long 20 1-3 20 2']);
  });

  it.each<[Matching, string[]]>([
    ['fifo', ['long 0.5 1-2 1 1', 'long 1 1-3 5 1']],
    ['flat-to-flat', ['long 1.5 1-3 6 2']],
  ])('closes the fraction that is paid for, %s', (matching, expected) => {
    const lots = lotBook(matching);
    lots.take(fill('15@1', '1'));
    const tenth = { numerator: 1n, denominator: 10n };
    const paid = lots.split(tenth, parseQuantity('1'), parseMoney('6'), '2');
    expect([...paid, ...lots.take(fill('-1@15', '3'))].map(line)).toEqual(expected);
  });

  it('counts what was closed before in new shares', () => {
    const lots = lotBook('flat-to-flat');
    lots.take(fill('10@10', '1'));
    lots.take(fill('-4@12', '2'));
    lots.split(twoForOne, parseQuantity('12'), 0n, '3');
    expect(lots.take(fill('-12@6', '4')).map(line)).toEqual(['long 20 1-4 20 3']);
  });

  it('that leaves a lot without shares charges a fee once: to its trade, or to what the fill opens', () => {
    const tenth = { numerator: 1n, denominator: 10n };
    const lots = lotBook('fifo');
    lots.take(fill('0.00000001@10', '1'));
    lots.take(fill('10@10', '2'));
    lots.split(tenth, parseQuantity('1'), 0n, '3');
    expect(lots.take(fill('-1@100', '4')).map(({ fees }) => moneyText(fees))).toEqual(['2', '1']);

    const dust = lotBook('fifo');
    dust.take(fill('0.00000001@10', '1'));
    dust.split(tenth, parseQuantity('0'), 0n, '2');
    expect(dust.take(fill('-1@10', '3')).map(({ fees }) => moneyText(fees))).toEqual(['2']);
    expect(dust.take(fill('1@10', '4')).map(({ fees }) => moneyText(fees))).toEqual(['1']);
  });

  it('leaves no remainder where a lot’s share is not exact', () => {
    const lots = lotBook('fifo');
    for (const at of ['1', '2', '3']) lots.take(fill('1@1', at));
    expect(lots.split({ numerator: 1n, denominator: 3n }, parseQuantity('1'), 0n, '4')).toEqual([]);
    const closed = lots.take(fill('-1@3', '5'));
    expect(closed.reduce((sum, { quantity }) => sum + quantity, 0n)).toBe(parseQuantity('1'));
    expect(lots.take(fill('-1@3', '6'))).toEqual([]);
  });
});
