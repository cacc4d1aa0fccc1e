import { z } from 'zod';
import type { FeeModel, PaperRules } from '../../actors/paper-broker/rules.ts';
import { STRATEGY_NAMES, type StrategyName } from '../../actors/strategy/strategies.ts';
import type { TradingPolicy } from '../../actors/trading/commands.ts';
import { COLLAR_BPS } from '../../actors/trading/order-reserve.ts';
import { parseMoney, parsePrice, parseQuantity } from '../../events/decimal.ts';
import { decimal, Flag, listOf, whole } from '../foundation/settings-fields.ts';
import { isOwn, ownStrategies, type StrategySource } from '../strategies/named.ts';
import { SHIPPED_NAMES } from '../strategies/shipped-names.ts';

const bpsOf = (percent: string): bigint => BigInt(Math.round(Number(percent) * 100));

/** Percent with at most two decimals, as hundredths of a percent. */
const LimitPercent = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,2})?$/, 'must be a percentage with at most two decimals, without the % sign')
  .transform(bpsOf)
  .refine((bps) => bps > 0n, 'must be greater than 0')
  .optional();

const FEES =
  'must be none, per-share:0.005[,min=1][,max=1%], per-value:0.0015 or per-order:10 (amounts in the currency)';

const Fees = z
  .string()
  .default('per-share:0.005,min=1,max=1%')
  .transform((text, context): FeeModel => {
    try {
      return parseFees(text);
    } catch {
      context.addIssue({ code: 'custom', message: FEES });
      return z.NEVER;
    }
  });

/** @throws {RangeError} for a text that is not in the form that `FEES` describes. */
function parseFees(text: string): FeeModel {
  if (text === 'none') return { kind: 'none' };
  const [model = '', ...options] = text.split(',').map((part) => part.trim());
  const [kind, amount = ''] = model.split(':');
  if (parsePrice(amount) < 0n) throw new RangeError(text);
  if (kind === 'per-value' && options.length === 0) return { kind, rate: parsePrice(amount) };
  if (kind === 'per-order' && options.length === 0) return { kind, amount: parseMoney(amount) };
  if (kind !== 'per-share') throw new RangeError(text);
  let minimum = 0n;
  let maximum: bigint | null = null;
  for (const option of options) {
    const [name, value = ''] = option.split('=');
    if (name === 'min') minimum = parseMoney(value);
    else if (name === 'max' && value.endsWith('%')) maximum = parsePrice(value.slice(0, -1)) / 100n;
    else throw new RangeError(text);
  }
  if (minimum < 0n || (maximum !== null && maximum <= 0n)) throw new RangeError(text);
  return { kind: 'per-share', perShare: parsePrice(amount), minimum, maximum };
}

const NAMES: readonly string[] = [...STRATEGY_NAMES, ...SHIPPED_NAMES];
const isBuiltIn = (text: string): text is StrategyName => (STRATEGY_NAMES as string[]).includes(text);

/** The name of a built-in strategy, or the files of the operator's own. */
const StrategyText = z
  .string()
  .default('crossover')
  .transform((text, context): StrategyName | readonly StrategySource[] => {
    if (isBuiltIn(text)) return text;
    try {
      if (isOwn(text)) return ownStrategies(text);
      context.addIssue({
        code: 'custom',
        message: `must be one of ${NAMES.join(', ')}, a file that ends in .ts or .js, or exec: followed by a command`,
      });
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
    return z.NEVER;
  });

const PARAMETER = /^((?:[a-z0-9_-]+\.)?[A-Za-z_]\w*)=(-?\d+(?:\.\d+)?)$/;

/** A parameter: `lookback=120`, or `momentum.lookback=120` for one of several strategies. */
const StrategyParameters = z
  .string()
  .default('')
  .transform((text) => listOf(text).filter((part) => part !== ''))
  .refine((parts) => parts.every((part) => PARAMETER.test(part)), {
    message: 'must be numbers by name, separated by commas, like lookback=120',
  })
  .transform((parts) =>
    Object.fromEntries(
      parts.map((part) => {
        const [, name = '', value] = PARAMETER.exec(part) ?? [];
        return [name, Number(value)];
      }),
    ),
  );

/** The account, its limits, and the fees of the paper broker. */
export const TradingVariables = {
  TD_FEED_SPEED: decimal('sessions per second', { min: 0, max: 10_000 }, '1').describe(
    'sessions replayed per second, until you set another speed for the account; `0`: one by one, as `POST /api/trading/session/next` asks for them',
  ),
  TD_STRATEGY: StrategyText.meta({
    description: `${NAMES.map((name) => `\`${name}\``).join(', ')}, or your own: \`./mine.ts\`, \`exec:python3 my.py\`, several with a share each: \`a.ts=60%,momentum=40%\`; a file that is not there stops the start`,
    default: '`crossover`',
  }),
  TD_STRATEGY_PARAMS: StrategyParameters.meta({
    description:
      'parameters of your own strategy by name, like `lookback=120`; of one of several `momentum.lookback=120`',
    default: 'as the strategy declares them',
  }),
  TD_ACCOUNT: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens')
    .default('main')
    .describe(
      'name of the paper account, of lower-case letters, digits and hyphens; each keeps to the market data of its first start',
    ),
  TD_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a code like USD')
    .default('USD')
    .describe(
      'currency of the account; tickers that are in another one, where the source says so, are left out',
    ),
  TD_CASH: decimal('an amount', { min: 0.01, max: 1_000_000_000_000 }, '100000').describe(
    'opening cash of the account',
  ),
  TD_SHORTING: Flag.describe('allow short positions'),
  TD_LOT: decimal('the smallest quantity', { min: 0.000_001, max: 1_000_000 }, '1').describe(
    'smallest quantity; all quantities are multiples of it',
  ),
  TD_FEES: Fees.meta({
    description: 'fees of an order: per share, `per-value:0.0015`, `per-order:10` or `none`',
    default: '`per-share:0.005,min=1,max=1%`',
  }),
  TD_SLIPPAGE_BPS: decimal('hundredths of a percent', { min: 0, max: 1_000 }, '5').describe(
    'slippage of market and stop orders, in hundredths of a percent of the price',
  ),
  TD_VOLUME_LIMIT: decimal("a percentage of a bar's volume", { min: 0, max: 100 }, '10').describe(
    "largest share of a bar's volume that orders can fill, in percent; `0`: no limit, even for a bar without volume",
  ),
  TD_SETTLEMENT_SESSIONS: whole(0, 10, 0).describe('sessions until the cash from a sale can be spent'),
  TD_MAX_ORDER_VALUE: decimal('an amount', { min: 0, max: 1_000_000_000_000 }, '0').meta({
    description: 'largest value of one order',
    default: 'no limit',
  }),
  TD_MAX_POSITION_PERCENT: LimitPercent.meta({
    description: 'largest position, in percent of the account value',
    default: 'no limit',
  }),
  TD_MAX_DAILY_LOSS_PERCENT: LimitPercent.meta({
    description:
      'daily loss limit in percent: trading halts until the next session once the loss since the last close reaches it',
    default: 'no limit',
  }),
  TD_RISK_FREE_PERCENT: decimal('a percentage per year', { min: 0, max: 100 }, '0').describe(
    'risk-free rate a year, in percent: Sharpe and Sortino ratio and alpha count what is above it',
  ),
  TD_MARGIN_PERCENT: decimal('a percentage of short positions', { min: 0.01, max: 1_000 }, '30').describe(
    'maintenance margin: short positions are bought back if the account value falls below this percentage of them',
  ),
  TD_BORROW_PERCENT: decimal('a percentage per year', { min: 0, max: 1_000 }, '1').describe(
    'cost of borrowing shares, in percent per year',
  ),
};

/** The built-in strategy; none if the strategy is the operator's own. */
function strategyOf({
  TD_STRATEGY: strategy,
  TD_STRATEGY_PARAMS: parameters,
}: Pick<z.output<z.ZodObject<typeof TradingVariables>>, 'TD_STRATEGY' | 'TD_STRATEGY_PARAMS'>): {
  readonly strategy: StrategyName;
  readonly own?: OwnSettings;
} {
  return typeof strategy === 'string'
    ? { strategy }
    : { strategy: 'none', own: { sources: strategy, parameters } };
}

/** Strategies of the operator's own, with values for their parameters. */
export interface OwnSettings {
  readonly sources: readonly StrategySource[];
  readonly parameters: Readonly<Record<string, number>>;
}

export type TradingSettings = ReturnType<typeof readTradingSettings>;

/**
 * Reads the settings of trading.
 *
 * @param market the name of the account's market, and whether its sessions stop while nothing trades, as in every
 * replay.
 */
export function readTradingSettings(
  variables: z.output<z.ZodObject<typeof TradingVariables>>,
  market: { readonly source: string; readonly feedRests: boolean },
) {
  const lot = parseQuantity(variables.TD_LOT);
  const policy: TradingPolicy = {
    shorting: variables.TD_SHORTING,
    lot,
    collarBps: COLLAR_BPS,
    settlementSessions: variables.TD_SETTLEMENT_SESSIONS,
    maxOrderValue: parseMoney(variables.TD_MAX_ORDER_VALUE) || null,
    maxPositionBps: variables.TD_MAX_POSITION_PERCENT ?? null,
    maxDailyLossBps: variables.TD_MAX_DAILY_LOSS_PERCENT ?? null,
    maintenanceBps: bpsOf(variables.TD_MARGIN_PERCENT),
    borrowBps: bpsOf(variables.TD_BORROW_PERCENT),
  };
  const rules: PaperRules = {
    fees: variables.TD_FEES,
    slippage: parsePrice(variables.TD_SLIPPAGE_BPS) / 10_000n,
    volumeLimit: parsePrice(variables.TD_VOLUME_LIMIT) / 100n || null,
    lot,
  };
  return {
    account: variables.TD_ACCOUNT,
    currency: variables.TD_CURRENCY,
    cash: parseMoney(variables.TD_CASH),
    ...strategyOf(variables),
    /** Sessions a second. */
    feedSpeed: Number(variables.TD_FEED_SPEED),
    /** The rate of a year. */
    riskFreePercent: Number(variables.TD_RISK_FREE_PERCENT),
    ...market,
    policy,
    rules,
  };
}
