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
import type { EquityPoint } from './account-history.ts';
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

/** What is kept of a close. Most backtests are only measured by their equity, so its fractions are computed when they are read. */
interface Invested {
  readonly point: EquityPoint;
  readonly value: Money;
  readonly cash: Money;
  /** The value of short positions: negative, or nothing. */
  readonly short: Money;
  readonly positions: number;
}

/** The positions of an account at each close. */
export class Holdings {
  readonly #invested: Invested[] = [];
  /** Empty unless `each` is set, because there are many. */
  readonly rows: Holding[] = [];
  readonly #each: boolean;

  constructor({ each }: { readonly each: boolean }) {
    this.#each = each;
  }

  get exposure(): readonly Exposure[] {
    return this.#invested.map(({ point, value, cash, short, positions }) => {
      // What is no cash is in positions, which says their sum without multiplying.
      const invested = value - cash;
      const net = shareOf(invested, point);
      const { session } = point;
      return { session, gross: short === 0n ? net : shareOf(invested - 2n * short, point), net, positions };
    });
  }

  take(point: EquityPoint, account: AccountState): void {
    let positions = 0;
    for (const { quantity } of account.positions.values()) if (quantity !== 0n) positions += 1;
    let short: Money = 0n;
    for (const ticker of account.shorts) {
      short += valueOf(account.positions.get(ticker)!.quantity, markOf(account, ticker));
    }
    this.#invested.push({ point, value: account.closeValue, cash: wholeCash(account), short, positions });
    if (this.#each) this.#keepEach(point, account);
  }

  #keepEach(point: EquityPoint, account: AccountState): void {
    for (const [ticker, { quantity }] of account.positions) {
      if (quantity === 0n) continue;
      const price = markOf(account, ticker);
      const value = valueOf(quantity, price);
      this.rows.push({
        session: point.session,
        ticker,
        quantity: quantityText(quantity),
        price: priceText(price),
        value: moneyText(value),
        weight: shareOf(value, point),
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

const shareOf = (value: Money, { value: total }: EquityPoint): number =>
  total > 0 ? moneyNumber(value) / total : 0;
