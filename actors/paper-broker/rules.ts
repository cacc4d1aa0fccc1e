import type { Money, Price, Quantity } from '../../events/decimal.ts';

/** A share of something, in 10^-8: `1_000_000n` is 1 %. */
export type Rate = bigint;

/** The rate of 100 %. */
export const RATE_ONE: Rate = 100_000_000n;

/** The broker's fees. */
export type FeeModel =
  | { readonly kind: 'none' }
  /**
   * A fee for each share: at least `minimum` for a whole order over all its fills, and at most a share of the order's
   * value.
   */
  | {
      readonly kind: 'per-share';
      readonly perShare: Price;
      readonly minimum: Money;
      readonly maximum: Rate | null;
    }
  /** A fee that is a share of the traded value. */
  | { readonly kind: 'per-value'; readonly rate: Rate }
  /** A fixed fee for each order, charged with its first fill. */
  | { readonly kind: 'per-order'; readonly amount: Money };

/** How the paper broker fills orders. */
export interface PaperRules {
  readonly fees: FeeModel;
  /** How much worse the price of market and stop orders is. */
  readonly slippage: Rate;
  /** The share of a bar's volume that all our orders together may take; `null`: as much as they like. */
  readonly volumeLimit: Rate | null;
  /** The smallest quantity that is traded. */
  readonly lot: Quantity;
}
