import { markOf, unsettledCash } from '../../actors/trading/account-value.ts';
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

/** The positions of an account at each close. */
export class Holdings {
  readonly exposure: Exposure[] = [];
  /** Empty unless `each` is set, because there are many. */
  readonly rows: Holding[] = [];
  readonly #each: boolean;

  constructor({ each }: { readonly each: boolean }) {
    this.#each = each;
  }

  take({ session, value: total }: EquityPoint, account: AccountState): void {
    const share = (value: Money): number => (total > 0 ? moneyNumber(value) / total : 0);
    // What is no cash is in positions, which says their sum without multiplying.
    const net = account.closeValue - account.cash - unsettledCash(account);
    let gross = net;
    let positions = 0;
    for (const [ticker, { quantity }] of account.positions) {
      if (quantity === 0n) continue;
      positions += 1;
      if (quantity < 0n) gross -= 2n * valueOf(quantity, markOf(account, ticker));
      if (!this.#each) continue;
      const price = markOf(account, ticker);
      const value = valueOf(quantity, price);
      this.rows.push({
        session,
        ticker,
        quantity: quantityText(quantity),
        price: priceText(price),
        value: moneyText(value),
        weight: share(value),
      });
    }
    const long = share(net);
    this.exposure.push({ session, gross: gross === net ? long : share(gross), net: long, positions });
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
