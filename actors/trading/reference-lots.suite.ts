import { expect } from 'vitest';
import {
  moneyNumber,
  parseMoney,
  parsePrice,
  parseQuantity,
  parseRatio,
  plainText,
  quantityNumber,
} from '../../events/decimal.ts';
import { expectClose, type CaseRunner, type ReferenceCase } from '../reference-cases.suite.ts';
import { lotBook, type ClosedTrade, type Matching } from './lots.ts';
import { TICKER, Trader, type SignedFill } from './trader.suite.ts';

const MATCHINGS = { fifo: 'fifo', lifo: 'lifo', flat_to_flat: 'flat-to-flat' } as const;

/** The closed trades of what the account has booked. */
function tradesOf({ account }: Trader, matching: Matching): ClosedTrade[] {
  const lots = lotBook(matching);
  return account.drafts.flatMap((draft): readonly ClosedTrade[] => {
    if (draft.type === 'OrderFilled') {
      const { action, quantity, price, fee, session } = draft.data;
      const size = parseQuantity(quantity);
      return lots.take({
        quantity: action === 'buy' ? size : -size,
        price: parsePrice(price),
        fee: parseMoney(fee),
        at: session,
      });
    }
    if (draft.type !== 'SplitApplied') return [];
    const { ratio, quantity, cash_in_lieu, session } = draft.data;
    return lots.split(parseRatio(ratio), parseQuantity(quantity), parseMoney(cash_in_lieu), session);
  });
}

/** Figures of single trades are stated as lists, figures of all of them together as numbers. */
function expectTrades(
  trades: ClosedTrade[],
  expected: Record<string, number | number[]>,
  reference: ReferenceCase,
): void {
  const sum = (figure: (trade: ClosedTrade) => bigint): bigint =>
    trades.reduce((total, trade) => total + figure(trade), 0n);
  const quantity = quantityNumber(sum((trade) => trade.quantity));
  const all: Record<string, number> = {
    pnl: moneyNumber(sum(({ pnl }) => pnl)),
    fees: moneyNumber(sum(({ fees }) => fees)),
    avg_entry: moneyNumber(sum(({ entryValue }) => entryValue)) / quantity,
    avg_exit: moneyNumber(sum(({ exitValue }) => exitValue)) / quantity,
  };
  for (const [name, stated] of Object.entries(expected)) {
    if (typeof stated === 'number') {
      expectClose(all[name]!, stated, reference);
      continue;
    }
    const figures = trades.map((trade) => moneyNumber(name === 'pnl' ? trade.pnl : trade.fees));
    expect(figures, `${reference.id}: ${name}`).toHaveLength(stated.length);
    for (const [index, figure] of figures.entries()) expectClose(figure, stated[index]!, reference);
  }
}

export const runLots: CaseRunner = (reference) => {
  const trader = new Trader();
  for (const fill of reference.input.fills as SignedFill[]) {
    trader.book(fill, { amount: reference.input.fee_per_order ?? 0 });
  }
  for (const [name, matching] of Object.entries(MATCHINGS)) {
    const stated = reference.expected[name];
    if (stated !== undefined) expectTrades(tradesOf(trader, matching), stated, reference);
  }
};

export const runLotsSplit: CaseRunner = (reference) => {
  const { input, expected } = reference;
  const trader = new Trader();
  trader.book(input.open, { amount: input.fee_per_order ?? 0 });
  trader.openSession('2024-01-02', { [TICKER]: parseRatio(plainText(input.split_new_per_old)) });
  trader.book(input.close, { amount: input.fee_per_order ?? 0 });
  const [trade, ...more] = tradesOf(trader, 'fifo');
  expect(more).toEqual([]);
  expectClose(quantityNumber(trade!.quantity), expected.quantity, reference);
  expectClose(
    moneyNumber(trade!.entryValue) / quantityNumber(trade!.quantity),
    expected.entry_price,
    reference,
  );
  expectClose(moneyNumber(trade!.pnl), expected.pnl, reference);
  expectClose(moneyNumber(trade!.fees), expected.fees, reference);
};
