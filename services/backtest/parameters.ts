import { RATE_ONE, type FeeModel, type PaperRules, type Rate } from '../../actors/paper-broker/rules.ts';
import type { TradingPolicy } from '../../actors/trading/commands.ts';
import { moneyNumber, priceNumber, quantityNumber, type Money } from '../../events/decimal.ts';

export type BacktestParameters = ReturnType<typeof parametersOf>;

/** The settings of a backtest with numbers for JSON: percentages as percent, `null` for a limit that is not set. */
export function parametersOf({
  cash,
  policy,
  rules,
  strategy,
  riskFreePercent,
}: {
  readonly cash: Money;
  readonly policy: TradingPolicy;
  readonly rules: PaperRules;
  readonly riskFreePercent: number;
  readonly strategy: { readonly parameters: Readonly<Record<string, unknown>> };
}) {
  return {
    cash: moneyNumber(cash),
    strategy: strategy.parameters,
    fees: feesOf(rules.fees),
    slippage_percent: percentOf(rules.slippage),
    volume_limit_percent: rules.volumeLimit === null ? null : percentOf(rules.volumeLimit),
    lot: quantityNumber(policy.lot),
    shorting: policy.shorting,
    settlement_sessions: policy.settlementSessions,
    margin_percent: percentOfBps(policy.maintenanceBps),
    borrow_percent: percentOfBps(policy.borrowBps),
    max_order_value: policy.maxOrderValue === null ? null : moneyNumber(policy.maxOrderValue),
    max_position_percent: policy.maxPositionBps === null ? null : percentOfBps(policy.maxPositionBps),
    max_daily_loss_percent: policy.maxDailyLossBps === null ? null : percentOfBps(policy.maxDailyLossBps),
    risk_free_percent: riskFreePercent,
  };
}

export const percentOf = (rate: Rate): number => (Number(rate) / Number(RATE_ONE)) * 100;
const percentOfBps = (bps: bigint): number => Number(bps) / 100;

function feesOf(fees: FeeModel) {
  switch (fees.kind) {
    case 'none':
      return { kind: fees.kind };
    case 'per-share':
      return {
        kind: fees.kind,
        per_share: priceNumber(fees.perShare),
        minimum: moneyNumber(fees.minimum),
        maximum_percent: fees.maximum === null ? null : percentOf(fees.maximum),
      };
    case 'per-value':
      return { kind: fees.kind, percent: percentOf(fees.rate) };
    case 'per-order':
      return { kind: fees.kind, amount: moneyNumber(fees.amount) };
  }
}
