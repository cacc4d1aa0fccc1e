import { mulDiv, valueOf, type Money, type Price, type Quantity } from '../../events/decimal.ts';
import { RATE_ONE, type FeeModel } from './rules.ts';

/**
 * What an order has traded so far, in shares as they were traded: a later split does not change the fees that the order
 * has cost.
 */
export interface Traded {
  readonly shares: Quantity;
  readonly value: Money;
  readonly fees: Money;
}

export const NOTHING_TRADED: Traded = { shares: 0n, value: 0n, fees: 0n };

/**
 * The fee of one more fill: the fee of the whole order with this fill, less what the order has paid. So a minimum is
 * paid once, however many fills the order takes. Never negative.
 */
export function fillFee(before: Traded, quantity: Quantity, price: Price, model: FeeModel): Money {
  const value = valueOf(quantity, price);
  switch (model.kind) {
    case 'none':
      return 0n;
    case 'per-value':
      return mulDiv(value, model.rate, RATE_ONE);
    case 'per-share':
      return unpaid(before, perShareFee(before.shares + quantity, before.value + value, model));
    case 'per-order':
      return unpaid(before, model.amount);
  }
}

/** The minimum wins over the maximum. Interactive Brokers instead charges the maximum where it is lower. */
function perShareFee(
  shares: Quantity,
  value: Money,
  { perShare, minimum, maximum }: Extract<FeeModel, { kind: 'per-share' }>,
): Money {
  const rated = valueOf(shares, perShare);
  const cap = maximum === null ? rated : mulDiv(value, maximum, RATE_ONE);
  const capped = rated < cap ? rated : cap;
  return capped > minimum ? capped : minimum;
}

const unpaid = ({ fees }: Traded, due: Money): Money => (due > fees ? due - fees : 0n);
