import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import type { FeeModel, PaperRules } from '../actors/paper-broker/rules.ts';
import { STRATEGY_NAMES } from '../actors/strategy/strategies.ts';
import type { TradingPolicy } from '../actors/trading/commands.ts';
import { COLLAR_BPS } from '../actors/trading/risk.ts';
import { parseMoney, parsePrice, parseQuantity } from '../events/decimal.ts';
import { Ticker } from '../events/messages/market.ts';
import type { NetworkSpec, TrainingSettings } from './models/network/spec.ts';
import { PROVIDERS } from './models/training/trainer-port.ts';
import { MODEL_FEATURES } from './models/data/features.ts';
import { Flag, Host, Keys, listOf, whole, wholeOrNull } from './config-fields.ts';

/** Where bars come from. */
type MarketSource =
  /** Synthetic, the same on every machine. */
  { readonly kind: 'demo' } | { readonly kind: 'csv'; readonly folder: string } | { readonly kind: 'yahoo' };

export type TradingSettings = ReturnType<typeof readTradingSettings>;
export type ModelSettings = TradingSettings['model'];

function decimal(what: string, { min, max }: { min: number; max: number }, fallback: string) {
  const message = `must be ${what}, ${min} to ${max}`;
  return z
    .string()
    .refine(
      (text) => /^\d{1,15}(\.\d{1,8})?$/.test(text) && Number(text) >= min && Number(text) <= max,
      message,
    )
    .default(fallback);
}

const bpsOf = (percent: string): bigint => BigInt(Math.round(Number(percent) * 100));

/** Percent with at most two decimals, as hundredths of a percent. */
const LimitPercent = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,2})?$/, 'must be a percentage with at most two decimals, without the % sign')
  .transform(bpsOf)
  .refine((bps) => bps > 0n, 'must be greater than 0')
  .optional();

const Source = z
  .string()
  .default('demo')
  .transform((text, context): MarketSource => {
    if (text === 'demo' || text === 'yahoo') return { kind: text };
    if (text.startsWith('csv:') && text.length > 4) return { kind: 'csv', folder: resolve(text.slice(4)) };
    context.addIssue({ code: 'custom', message: 'must be demo, yahoo, or csv: followed by a folder' });
    return z.NEVER;
  });

const TickerList = z
  .string()
  .transform((value) => [...new Set(listOf(value))])
  .refine((tickers) => tickers.every((ticker) => Ticker.safeParse(ticker).success), {
    message: 'must be tickers like AAPL, separated by commas',
  });

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

/** @throws {RangeError} for what is not in the form that `FEES` names. */
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

/** The trading service's part of the environment. */
export const TradingVariables = {
  TD_HOST: Host.describe(
    'address that the trading dashboard listens on; if other machines can reach it, set `TD_API_KEY`',
  ),
  TD_PORT: whole(0, 65_535, 8090).describe('port of the trading dashboard; `0`: any free port'),
  TD_API_KEY: Keys.describe('bearer key with full access'),
  TD_READ_KEY: Keys.describe('bearer key with read-only access'),
  TD_METRICS_INTERVAL_MS: whole(50, 3_600_000, 1_000).describe(
    'milliseconds between metrics sent to WebSocket clients',
  ),
  TD_SOURCE: Source.meta({
    description: 'market data: `demo` (synthetic), `csv:` followed by a folder, or `yahoo`',
    default: '`demo`',
  }),
  TD_TICKERS: TickerList.optional().meta({
    description: 'tickers to trade, separated by commas',
    default: 'all tickers of the source',
  }),
  TD_INDEX: Ticker.optional().meta({
    description: 'ticker of the index that the others are compared with',
    default: 'the index of the source',
  }),
  TD_FEED_FROM: z.iso
    .date('must be a date like 2020-01-31')
    .optional()
    .meta({ description: 'first session, as `YYYY-MM-DD`', default: 'a year before the last one' }),
  TD_FEED_SPEED: decimal('sessions per second', { min: 0.001, max: 10_000 }, '1').describe(
    'sessions replayed per second',
  ),
  TD_POLL_MINUTES: whole(1, 10_080, 60).describe('minutes between updates from Yahoo'),
  TD_STRATEGY: z
    .enum(STRATEGY_NAMES, `must be one of ${STRATEGY_NAMES.join(', ')}`)
    .default('crossover')
    .describe('`crossover`, `model` or `none`'),
  TD_ACCOUNT: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens')
    .default('main')
    .describe('name of the paper account; use a new account for each data source'),
  TD_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a code like USD')
    .default('USD')
    .describe('currency of the account'),
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
  TD_MARGIN_PERCENT: decimal('a percentage of short positions', { min: 0.01, max: 1_000 }, '30').describe(
    'maintenance margin: short positions are bought back if the account value falls below this percentage of them',
  ),
  TD_BORROW_PERCENT: decimal('a percentage per year', { min: 0, max: 1_000 }, '1').describe(
    'cost of borrowing shares, in percent per year',
  ),
};

/** Size and training of the model that predicts returns. */
export const TrainingVariables = {
  TD_MODEL_SEQUENCE_LENGTH: whole(4, 512, 60).describe(
    'days in a window; saved weights only fit the network size they were trained with',
  ),
  TD_MODEL_HIDDEN_CHANNELS: whole(8, 512, 64).describe(
    'hidden channels; must be a multiple of the number of heads',
  ),
  TD_MODEL_NUM_HEADS: whole(1, 16, 4).describe('number of attention heads'),
  TD_MODEL_LAYERS: whole(1, 8, 2).describe('number of layers'),
  TD_MODEL_DROPOUT: decimal('a share', { min: 0, max: 0.9 }, '0.1').describe('dropout during training'),
  TD_MODEL_BATCH_SIZE: whole(1, 1_024, 32).describe('windows per training step'),
  TD_MODEL_EPOCHS: whole(1, 1_000, 10).describe('number of epochs'),
  TD_MODEL_LEARNING_RATE: decimal('a rate', { min: 0.000_001, max: 1 }, '0.001').describe('learning rate'),
  TD_MODEL_SEED: whole(0, 999_999_999, 1).describe(
    'random seed: the same seed and data give exactly the same weights',
  ),
  TD_MODEL_PROVIDER: z
    .enum(PROVIDERS, `must be one of ${PROVIDERS.join(', ')}`)
    .default('cpu')
    .describe(
      'device to train on: `cpu`, `webgpu`, `cuda` or `dml`; if it cannot be used, `cpu` is used and the log says why',
    ),
  TD_MODEL_THREADS: wholeOrNull(0, 256).meta({
    description: 'threads used for training',
    default: 'number of processors minus one',
  }),
};

export function readTradingSettings(
  variables: z.output<z.ZodObject<typeof TradingVariables & typeof TrainingVariables>>,
  dataDir: string,
) {
  const { TD_SOURCE: source } = variables;
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
  const spec: NetworkSpec = {
    features: MODEL_FEATURES.length,
    sequence_length: variables.TD_MODEL_SEQUENCE_LENGTH,
    hidden_channels: variables.TD_MODEL_HIDDEN_CHANNELS,
    num_heads: variables.TD_MODEL_NUM_HEADS,
    layers: variables.TD_MODEL_LAYERS,
    dropout: Number(variables.TD_MODEL_DROPOUT),
  };
  const training: TrainingSettings = {
    batch_size: variables.TD_MODEL_BATCH_SIZE,
    epochs: variables.TD_MODEL_EPOCHS,
    learning_rate: Number(variables.TD_MODEL_LEARNING_RATE),
    seed: variables.TD_MODEL_SEED,
  };
  return {
    dashboard: {
      host: variables.TD_HOST,
      /** 0 lets the system choose. */
      port: variables.TD_PORT,
      /** Each opens everything; none: open on this machine. */
      apiKeys: variables.TD_API_KEY,
      /** Each opens what changes nothing. */
      readKeys: variables.TD_READ_KEY,
      metricsIntervalMs: variables.TD_METRICS_INTERVAL_MS,
    },
    market: {
      source,
      /** Tickers to fetch (yahoo) or to take of those that are there; `null`: the source's own list. */
      tickers: variables.TD_TICKERS ?? null,
      /** The ticker that the others are compared with; `null`: the source's own. */
      index: variables.TD_INDEX ?? null,
      // A source of its own file: what another one gave is not mixed in.
      dbPath: join(
        dataDir,
        `market-${source.kind === 'csv' ? `csv-${basename(source.folder)}` : source.kind}.db`,
      ),
      /** First session of the feed, `YYYY-MM-DD`; `null`: what suits the source. */
      feedFrom: variables.TD_FEED_FROM ?? null,
      /** Minutes between updates of a source that goes on by itself (yahoo). */
      pollMinutes: variables.TD_POLL_MINUTES,
    },
    trading: {
      account: variables.TD_ACCOUNT,
      currency: variables.TD_CURRENCY,
      cash: parseMoney(variables.TD_CASH),
      strategy: variables.TD_STRATEGY,
      /** Sessions a second. */
      feedSpeed: Number(variables.TD_FEED_SPEED),
      /** No session comes while nothing trades: the synthetic market has no end. */
      feedRests: source.kind === 'demo',
      policy,
      rules,
    },
    model: {
      spec,
      training,
      /** Where training is to compute. */
      provider: variables.TD_MODEL_PROVIDER,
      /** Threads of training; `null`: one less than there are, at least one. */
      threads: variables.TD_MODEL_THREADS,
      /** Weights, runs and their checkpoints. */
      folder: join(dataDir, 'models'),
    },
  };
}

/** Faults that take more than one variable to see. */
export function tradingFaults(env: Readonly<Record<string, string>>): string[] {
  const faults: string[] = [];
  const tradeKeys = listOf(env['TD_API_KEY'] ?? '');
  if (listOf(env['TD_READ_KEY'] ?? '').some((key) => tradeKeys.includes(key))) {
    faults.push('TD_READ_KEY: must not contain a key of TD_API_KEY, or readers could trade');
  }
  const channels = Number(env['TD_MODEL_HIDDEN_CHANNELS'] ?? 64);
  const heads = Number(env['TD_MODEL_NUM_HEADS'] ?? 4);
  if (channels % heads !== 0) {
    faults.push(`TD_MODEL_HIDDEN_CHANNELS: must be a multiple of TD_MODEL_NUM_HEADS, which is ${heads}`);
  }
  if (env['TD_SOURCE'] === 'yahoo' && env['TD_TICKERS'] === undefined) {
    faults.push('TD_TICKERS: required with TD_SOURCE=yahoo, for example AAPL,MSFT');
  }
  return faults;
}
