import { z } from 'zod';
import {
  DividendPaid,
  MarginCalled,
  PositionSettled,
  StrategyDecided,
  StrategyHalted,
  TradingHalted,
} from '../../events/catalog/trading.ts';
import { AccountFigures, BenchmarkFigures, ClosedTradeView } from '../../events/messages/performance.ts';
import { Order, Position } from '../../events/messages/trading.ts';

const Day = z.iso.date();
const Curve = z.array(
  z.object({
    session: Day,
    value: z.number(),
    flow: z
      .number()
      .optional()
      .describe('Cash that came in from outside since the close before; negative: left'),
  }),
);

const Fees = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('per-share'),
    per_share: z.number(),
    minimum: z.number(),
    maximum_percent: z.number().nullable(),
  }),
  z.object({ kind: z.literal('per-value'), percent: z.number() }),
  z.object({ kind: z.literal('per-order'), amount: z.number() }),
]);

const Parameters = z.object({
  cash: z.number(),
  strategy: z.record(z.string(), z.json()),
  fees: Fees,
  slippage_percent: z.number(),
  volume_limit_percent: z.number().nullable(),
  lot: z.number(),
  shorting: z.boolean(),
  settlement_sessions: z.int(),
  margin_percent: z.number(),
  borrow_percent: z.number(),
  max_order_value: z.number().nullable(),
  max_position_percent: z.number().nullable(),
  max_daily_loss_percent: z.number().nullable(),
  risk_free_percent: z.number(),
});

/** `result.json` of `beleg backtest --out`, which `--json` also prints. Shares are fractions: 0.1 is 10 %. */
export const BacktestResult = AccountFigures.extend({
  strategy: z.string(),
  parameters: Parameters.describe('What it was run with'),
  source: z.string().describe('Where the bars come from'),
  synthetic: z.boolean(),
  tickers: z.array(z.string()),
  data: z.string().describe('SHA-256 of the sessions: the same bars, splits and dividends have the same'),
  version: z.string().describe('Of the program that made it'),
  command: z.string().describe('What repeats it, with every setting that can change the result'),
  notes: z.array(z.string()).describe('What has to be known before the figures are believed'),
  earlierNotes: z.array(z.string()).describe('Notes on data that concern only days before the test'),
  model: z
    .object({
      weights: z.string().describe('SHA-256 of the file of weights'),
      trainedUntil: z.string().nullable(),
      inSample: z.int().describe('Sessions of which training knew'),
    })
    .nullable(),
  bars: z.int().describe('Bars that were traded on'),
  positions: z.record(z.string(), Position).describe('What is held at the end, by ticker'),
  settlements: z.array(
    PositionSettled.schema.extend({ quantity: z.number(), price: z.number(), amount: z.number() }),
  ),
  marginCalls: z.array(MarginCalled.schema.extend({ value: z.number(), required: z.number() })),
  dividendsPaid: z.array(
    DividendPaid.schema.extend({ per_share: z.number(), quantity: z.number(), amount: z.number() }),
  ),
  halts: z.array(TradingHalted.schema.extend({ session: z.string(), resumed: z.string().nullable() })),
  strategiesHalted: z.array(StrategyHalted.schema),
  ownStrategies: z.array(
    z.object({
      name: z.string(),
      source: z.string(),
      hash: z.string().describe('SHA-256 of its files'),
      parameters: z.record(z.string(), z.number()),
      share: z.number().nullable(),
      capital: z.number().nullable(),
      status: z.enum(['running', 'stopped', 'halted']),
      fault: z.string().nullable(),
      profit: z.number(),
    }),
  ),
  decisions: z
    .array(StrategyDecided.schema)
    .optional()
    .describe('What strategies of your own wanted in each session, what they got, and what they plot'),
  unmet: z.array(z.object({ reason: z.string(), count: z.int(), first: z.string() })),
  orders: z.array(Order),
  fills: z.array(
    z.object({
      session: Day,
      order_id: z.string(),
      ticker: z.string(),
      action: z.enum(['buy', 'sell']),
      quantity: z.number(),
      price: z.number(),
      fee: z.number(),
    }),
  ),
  trades: AccountFigures.shape.trades.extend({ list: z.array(ClosedTradeView) }),
  benchmarks: z.array(BenchmarkFigures.extend({ equity: Curve })),
  equity: Curve.describe('The value at the close of each session'),
}).meta({ title: 'Result of a backtest' });
export type BacktestResult = z.output<typeof BacktestResult>;

/** The JSON Schema (2020-12), for programs that read a result. */
export const resultSchema = (): object => z.toJSONSchema(BacktestResult, { io: 'output' });
