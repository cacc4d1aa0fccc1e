import {
  abs,
  mulDiv,
  valueOf,
  type Money,
  type Price,
  type Quantity,
  type Ratio,
} from '../../events/decimal.ts';

/**
 * How closing trades are matched with opening ones: the oldest lot first, the newest first, or everything between two
 * moments without a position as one trade.
 */
export type Matching = 'fifo' | 'lifo' | 'flat-to-flat';

interface Fill {
  /** Negative for a sale. */
  readonly quantity: Quantity;
  readonly price: Price;
  readonly fee: Money;
  /** The session of the fill. */
  readonly at: string;
}

export interface ClosedTrade {
  readonly side: 'long' | 'short';
  /** The closed quantity, in shares at the time of closing. */
  readonly quantity: Quantity;
  readonly opened: string;
  readonly closed: string;
  /** Quantity times price at the entry and at the exit. Divided by the quantity, these give the average prices. */
  readonly entryValue: Money;
  readonly exitValue: Money;
  /** The profit before fees. */
  readonly pnl: Money;
  readonly fees: Money;
}

/** Shares that were opened together and are not closed yet. All lots of a position have the same side. */
interface Lot {
  quantity: Quantity;
  value: Money;
  /** The fee of the entry. It is charged to the first trade that closes a part of the lot. */
  fee: Money;
  readonly opened: string;
  /** The part that is closed already, for matching `flat-to-flat`, where a trade lasts until everything is closed. */
  closed: ReturnType<typeof nothing>;
}

const nothing = () => ({ quantity: 0n, entryValue: 0n, exitValue: 0n, fees: 0n });

/**
 * The closed trades of one ticker. The fee of an entry goes to the first trade that closes a part of it, the fee of an
 * exit to the first trade that it closes; profit is gross.
 *
 * @example
 * const lots = lotBook('fifo');
 * for (const fill of fills) trades.push(...lots.take(fill));
 */
export function lotBook(matching: Matching) {
  const lots: Lot[] = [];
  let isLong = true;

  /**
   * Closes up to `shares`, beginning with the lot at `next`. The first trade bears the fee, even one of no shares.
   * Returns the fee that is still to be charged.
   */
  function closeLots(
    shares: Quantity,
    exitValueOf: (closing: Quantity) => Money,
    fee: Money,
    at: string,
    next: 0 | -1,
  ): { readonly trades: readonly ClosedTrade[]; readonly left: Quantity; readonly due: Money } {
    const trades: ClosedTrade[] = [];
    let left = shares;
    let due = fee;
    while (left > 0n && lots.length > 0) {
      const lot = lots.at(next)!;
      const closing = left < lot.quantity ? left : lot.quantity;
      close(lot, closing, exitValueOf(closing), due);
      due = 0n;
      left -= closing;
      if (lot.quantity === 0n) lots.splice(next, 1);
      if (lot.quantity === 0n || matching !== 'flat-to-flat') trades.push(finish(lot, at));
    }
    return { trades, left, due };
  }

  function open(long: boolean, quantity: Quantity, value: Money, fee: Money, opened: string): void {
    isLong = long;
    const whole = matching === 'flat-to-flat' ? lots[0] : undefined;
    if (whole === undefined) {
      lots.push({ quantity, value, fee, opened, closed: nothing() });
      return;
    }
    whole.quantity += quantity;
    whole.value += value;
    whole.fee += fee;
  }

  function finish(lot: Lot, closed: string): ClosedTrade {
    const { quantity, entryValue, exitValue, fees } = lot.closed;
    lot.closed = nothing();
    return {
      side: isLong ? 'long' : 'short',
      quantity,
      opened: lot.opened,
      closed,
      entryValue,
      exitValue,
      pnl: isLong ? exitValue - entryValue : entryValue - exitValue,
      fees,
    };
  }

  return {
    /** Returns the trades that a fill closes. A quantity beyond that opens a position on the other side. */
    take({ quantity, price, fee, at }: Fill): readonly ClosedTrade[] {
      const long = quantity > 0n;
      const shares = abs(quantity);
      const next = matching === 'lifo' ? -1 : 0;
      const { trades, left, due } =
        isLong === long
          ? { trades: [], left: shares, due: fee }
          : closeLots(shares, (closing) => valueOf(closing, price), fee, at, next);
      if (left > 0n) open(long, left, valueOf(left, price), due, at);
      return trades;
    },
    /**
     * Applies a split: new shares for old ones at the same value. `kept` is the quantity of the position afterwards; a
     * fraction beyond it is closed for `cash`.
     */
    split({ numerator, denominator }: Ratio, kept: Quantity, cash: Money, at: string) {
      let total = 0n;
      for (const lot of lots) {
        lot.quantity = mulDiv(lot.quantity, numerator, denominator);
        lot.closed.quantity = mulDiv(lot.closed.quantity, numerator, denominator);
        total += lot.quantity;
      }
      const fraction = total - abs(kept);
      const lot = lots[0];
      if (lot === undefined || fraction === 0n) return [];
      if (fraction < 0n) {
        lot.quantity -= fraction;
        return [];
      }
      return closeLots(fraction, (closing) => mulDiv(abs(cash), closing, fraction), 0n, at, 0).trades;
    },
  };
}

export type LotBook = ReturnType<typeof lotBook>;

function close(lot: Lot, quantity: Quantity, exitValue: Money, fee: Money): void {
  const entryValue = quantity === lot.quantity ? lot.value : mulDiv(lot.value, quantity, lot.quantity);
  lot.closed.quantity += quantity;
  lot.closed.entryValue += entryValue;
  lot.closed.exitValue += exitValue;
  lot.closed.fees += lot.fee + fee;
  lot.quantity -= quantity;
  lot.value -= entryValue;
  lot.fee = 0n;
}
