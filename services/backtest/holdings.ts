import { markOf, wholeCash } from '../../actors/trading/account-value.ts';
import type { AccountState } from '../../actors/trading/state.ts';
import {
  moneyNumber,
  moneyText,
  priceText,
  quantityText,
  valueOf,
  type Money,
} from '../../events/decimal.ts';
import { defined, meanOf } from './performance.ts';

/** How much of the account was invested at the close of a session, as fractions of its value. */
export interface Exposure {
  readonly session: string;
  /** Long plus short positions; above 1 if more is held than the account is worth. */
  readonly gross: number;
  /** Long minus short positions. */
  readonly net: number;
  readonly positions: number;
}

/** A position at the close of a session. Amounts are exact decimals; they are negative for a short position. */
interface Holding {
  readonly session: string;
  readonly ticker: string;
  readonly quantity: string;
  readonly price: string;
  readonly value: string;
  /** The value relative to the account. */
  readonly weight: number;
}

/**
 * The positions of an account at each close. They are kept in columns, because objects would take five times the
 * memory.
 */
export class Holdings {
  readonly #sessions: string[] = [];
  readonly #gross: number[] = [];
  readonly #net: number[] = [];
  readonly #positions: number[] = [];
  /** Empty unless `each` is set, because there are many. */
  readonly rows: Holding[] = [];
  readonly #each: boolean;

  constructor({ each }: { readonly each: boolean }) {
    this.#each = each;
  }

  get exposure(): readonly Exposure[] {
    return this.#sessions.map((session, at) => ({
      session,
      gross: this.#gross[at]!,
      net: this.#net[at]!,
      positions: this.#positions[at]!,
    }));
  }

  /** `value`: what the account is worth at the close. */
  take(session: string, value: number, account: AccountState): void {
    let positions = 0;
    for (const { quantity } of account.positions.values()) if (quantity !== 0n) positions += 1;
    // The value without cash is the value of the positions, so their sum needs no multiplication.
    const invested = positions === 0 ? 0n : account.closeValue - wholeCash(account);
    const net = shareOf(invested, value);
    let short: Money = 0n;
    for (const ticker of account.shorts) {
      short += valueOf(account.positions.get(ticker)!.quantity, markOf(account, ticker));
    }
    this.#sessions.push(session);
    this.#gross.push(short === 0n ? net : shareOf(invested - 2n * short, value));
    this.#net.push(net);
    this.#positions.push(positions);
    if (this.#each) this.#keepEach(session, value, account);
  }

  #keepEach(session: string, total: number, account: AccountState): void {
    for (const [ticker, { quantity }] of account.positions) {
      if (quantity === 0n) continue;
      const price = markOf(account, ticker);
      const value = valueOf(quantity, price);
      this.rows.push({
        session,
        ticker,
        quantity: quantityText(quantity),
        price: priceText(price),
        value: moneyText(value),
        weight: shareOf(value, total),
      });
    }
  }
}

/** How much of the account was invested: means over the closes, and the share of closes with a position. */
export function exposureOf(points: readonly Exposure[]) {
  return {
    gross: defined(meanOf(points.map(({ gross }) => gross))),
    net: defined(meanOf(points.map(({ net }) => net))),
    inMarket: defined(points.filter(({ positions }) => positions > 0).length / points.length),
  };
}

const shareOf = (value: Money, total: number): number =>
  value !== 0n && total > 0 ? moneyNumber(value) / total : 0;
