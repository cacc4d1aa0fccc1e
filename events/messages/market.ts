import { z } from 'zod';
import { RatioText } from '../decimal.ts';
import { SessionDate } from '../catalog/trading.ts';
import { defineRequest } from './define.ts';
import { MOST_A_REPLY } from './list-lengths.ts';
import { Ticker } from './ticker.ts';

const Figure = z.number();
const Volume = z.int().nonnegative();

/** The bar of a day. The message that carries it says whether its prices are as traded or split-adjusted. */
export const Bar = z.object({
  date: SessionDate,
  open: Figure,
  high: Figure,
  low: Figure,
  close: Figure,
  volume: Volume,
});

/** `GET /api/data/tickers`. */
export const TickerList = z.object({ initial: z.array(z.string()), index: z.string(), count: z.int() });

export const Tickers = defineRequest({
  subject: 'beleg.v1.qry.market.tickers',
  reply: TickerList,
});

export const PIPELINE_STATES = ['uninitialized', 'loading', 'updating', 'ready', 'stale', 'error'] as const;

/** `GET /api/data/pipeline/status`. `db_path` is the file's name without its folder. */
export const PipelineStatus = z.object({
  status: z.enum(PIPELINE_STATES),
  tickers_loaded: z.int(),
  db_path: z.string().describe('Name of the file, without its folder'),
  source: z.string().describe('Extension: where the bars come from'),
  synthetic: z.boolean().describe('Extension: true if the bars are synthetic, not from a real market'),
  bars: z.int().describe('Extension: number of bars stored'),
  first: z.string().nullable().describe('Extension: first day with a bar'),
  last: z.string().nullable().describe('Extension: last day with a bar'),
  updated_at: z.string().nullable().describe('Extension: time of the last update'),
  failed: z
    .array(z.object({ ticker: z.string(), faults: z.array(z.string()) }))
    .describe('Extension: what went wrong in the last update'),
  notes: z
    .array(z.string())
    .describe(
      'Extension: remarks on the data: what was derived from the files, what they do not contain, and what looks wrong (gaps, jumps)',
    ),
});

export const Pipeline = defineRequest({
  subject: 'beleg.v1.qry.market.pipeline',
  reply: PipelineStatus,
});

/** Starts an update. Rejects with `UPDATE_RUNNING` while another one runs. */
export const UpdateMarket = defineRequest({
  subject: 'beleg.v1.cmd.market.update',
  reply: z.object({
    status: z.literal('started'),
    update_id: z.string().describe('Extension: id of the update'),
  }),
});

/**
 * The fields of a request as of a day, where `null` is the newest stored day. Later bars and actions are ignored, and
 * prices are split-adjusted as they were known on that day. Rejects with `UNKNOWN_TICKER`, or with
 * `MARKET_DATA_MISSING` if the ticker has no bar up to that day.
 */
const asOf = { ticker: Ticker, as_of: SessionDate.nullable() };

/** Names of the features, in order; each feature is a number. */
export const FEATURES = [
  'return',
  'log_return',
  'return_5',
  'return_20',
  'volatility',
  'sma_ratio_10_30',
  'ema_12',
  'ema_26',
  'macd',
  'macd_signal',
  'rsi_14',
  'atr_14',
  'bollinger_percent_b',
  'momentum_12',
  'volume_zscore_20',
] as const;
export type FeatureName = (typeof FEATURES)[number];

const FeatureValues = z
  .object(
    Object.fromEntries(FEATURES.map((name) => [name, Figure.optional()])) as Record<
      FeatureName,
      z.ZodOptional<z.ZodNumber>
    >,
  )
  .required({ return: true, volatility: true });

/**
 * `GET /api/data/features/<ticker>`: the features of the ticker and of the index. A feature that needs more bars than
 * there are is missing. If `return` or `volatility` of the ticker cannot be given, the reply is `MARKET_DATA_MISSING`;
 * if one of the two is missing for the index, the reply leaves out the index. Timestamps are `YYYY-MM-DD HH:MM:SS`.
 */
export const FeaturesReply = z.object({
  ticker: z.string(),
  timestamp: z.string().describe('Time of the latest session, `YYYY-MM-DD HH:MM:SS`'),
  features: z
    .record(z.string(), FeatureValues.extend({ ticker: z.string(), timestamp: z.string() }))
    .describe('Features by ticker: the requested one and the index'),
});

export const Features = defineRequest({
  subject: 'beleg.v1.qry.market.features',
  request: z.strictObject(asOf),
  reply: FeaturesReply,
});

/** `GET /api/data/price/<ticker>`. */
export const LatestPriceReply = z.object({
  ticker: z.string(),
  date: z.string().describe('`YYYY-MM-DD HH:MM:SS`'),
  open: Figure,
  high: Figure,
  low: Figure,
  close: Figure,
  adj_close: Figure,
  volume: Volume,
});

export const LatestPrice = defineRequest({
  subject: 'beleg.v1.qry.market.price',
  request: z.strictObject(asOf),
  reply: LatestPriceReply,
});

/**
 * `GET /api/data/prices/<ticker>`: the newest `limit` bars in ascending order, split-adjusted. For earlier bars, ask
 * again with the first date as `before`.
 */
export const Prices = defineRequest({
  subject: 'beleg.v1.qry.market.prices',
  request: z.strictObject({
    ...asOf,
    limit: z.int().min(1).max(MOST_A_REPLY.prices),
    /** Only bars before this date. */
    before: SessionDate.nullable(),
  }),
  reply: z.object({ bars: z.array(Bar) }),
});

/**
 * `GET /api/data/corporate-actions/<ticker>`: the factor or amount by date. An amount is per share as it traded on its
 * day.
 */
export const CorporateActionsReply = z.object({
  ticker: z.string(),
  actions: z.object({
    splits: z
      .record(SessionDate, Figure)
      .describe('Ratio of new shares to old shares, by the day on which the split took effect'),
    dividends: z
      .record(SessionDate, Figure)
      .describe('Cash per share (not adjusted for later splits), by ex-date'),
  }),
});

export const CorporateActions = defineRequest({
  subject: 'beleg.v1.qry.market.actions',
  request: z.strictObject(asOf),
  reply: CorporateActionsReply,
});

/** One day of the whole market, prices as traded: what a broker matches orders with. */
export const Session = z.object({
  date: SessionDate,
  /** The bars by ticker. A ticker without a bar did not trade. */
  bars: z.record(
    z.string(),
    Bar.omit({ date: true }).extend({
      /** Further columns of the ticker's table, by name, with their values of this day. Absent if they have none. */
      columns: z.record(z.string(), Figure).optional(),
    }),
  ),
  /** Splits that take effect at this day's opening: new shares per old share. */
  splits: z.record(z.string(), RatioText),
  /** Dividends whose ex-date is this day: cash per share as it traded on this day. */
  dividends: z.record(z.string(), Figure),
  /**
   * The newest value of each series that was known at this day's close, and the date of that value. Missing if there
   * are no series.
   */
  series: z.record(z.string(), z.object({ date: SessionDate, value: Figure })).optional(),
  /** The tickers that strategies may buy on this day, by name. Missing if there is no restriction. */
  universe: z.array(z.string()).optional(),
  /** Tickers that no longer trade (see `GONE_AFTER`), each with its last day of trade. Missing if there are none. */
  gone: z.record(z.string(), SessionDate).optional(),
});
export type SessionData = z.output<typeof Session>;

/**
 * The sessions after a date, in order, up to `limit` (fewer if a reply would exceed 512 KiB, but at least one if there
 * is any). `after: null` starts at the beginning of this source's feed; then `warm_up` names the session before the
 * first one of the feed. `ticker`: only the bars of this ticker, which may be the index if it can be held.
 */
export const Sessions = defineRequest({
  subject: 'beleg.v1.qry.market.sessions',
  request: z.strictObject({
    after: SessionDate.nullable(),
    limit: z.int().min(1).max(MOST_A_REPLY.sessions),
    ticker: Ticker.optional(),
  }),
  reply: z.object({ sessions: z.array(Session), warm_up: SessionDate.nullable() }),
});

/** The session of one date, to finish a session that a crash cut off; `null` if there is none. */
export const SessionOn = defineRequest({
  subject: 'beleg.v1.qry.market.session',
  request: z.strictObject({ date: SessionDate }),
  reply: z.object({ session: Session.nullable() }),
});

/** The newest `count` closes of each ticker up to a day, split-adjusted, oldest first. Strategies warm up with them. */
export const RecentCloses = defineRequest({
  subject: 'beleg.v1.qry.market.closes',
  request: z.strictObject({ as_of: SessionDate.nullable(), count: z.int().min(1).max(500) }),
  reply: z.object({ closes: z.record(z.string(), z.array(Figure)) }),
});
