import { amount } from './format.ts';
import type { BacktestParameters } from './parameters.ts';

type Fees = BacktestParameters['fees'];

/** The settings of a backtest in words and with their units, for a report that others read. */
export function readableSettings({
  parameters: of,
  currency,
}: {
  readonly parameters: BacktestParameters;
  readonly currency: string;
}): readonly (readonly [name: string, value: string])[] {
  const limit = (value: number | null, unit: string): string =>
    value === null ? 'no limit' : `${exact(value)} ${unit}`;
  return [
    ...Object.entries(of.strategy).map(
      ([name, value]) =>
        [`Parameter ${name}`, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
    ['Opening cash', `${amount(of.cash)} ${currency}`],
    ['Fees of an order', feesOf(of.fees, currency)],
    ['Slippage of market and stop orders', `${exact(of.slippage_percent)} %`],
    ['Largest share of the volume of a bar', limit(of.volume_limit_percent, '%')],
    ['Smallest quantity', exact(of.lot)],
    ['Short positions', of.shorting ? 'allowed' : 'not allowed'],
    ['Sessions until the cash from a sale can be spent', exact(of.settlement_sessions)],
    ['Maintenance margin of short positions', `${exact(of.margin_percent)} %`],
    ['Cost of borrowing shares', `${exact(of.borrow_percent)} % a year`],
    ['Largest order', limit(of.max_order_value, currency)],
    ['Largest position', limit(of.max_position_percent, '% of the account')],
    ['Largest loss of a day', limit(of.max_daily_loss_percent, '%')],
    ['Risk-free rate', `${exact(of.risk_free_percent)} % a year`],
  ];
}

const exact = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 });

function feesOf(fees: Fees, currency: string): string {
  switch (fees.kind) {
    case 'none':
      return 'none';
    case 'per-value':
      return `${exact(fees.percent)} % of its value`;
    case 'per-order':
      return `${exact(fees.amount)} ${currency}`;
    case 'per-share': {
      const most =
        fees.maximum_percent === null ? '' : `, at most ${exact(fees.maximum_percent)} % of its value`;
      return `${exact(fees.per_share)} ${currency} a share, at least ${exact(fees.minimum)} ${currency}${most}`;
    }
  }
}
