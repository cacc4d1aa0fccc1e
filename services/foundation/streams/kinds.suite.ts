import { dateOf, DAY_MS } from '../../../events/dates.ts';
import type { AnyStream } from '../../../actors/streams/define-stream.ts';
import { ASK, CHECKPOINTS, COMMENTS, ERASURES } from '../../../actors/streams/knowledge.ts';
import { MARKET, MODELS, TRAINING } from '../../../actors/streams/models.ts';
import { ACCOUNT, PAPER_BROKER } from '../../../actors/streams/trading.ts';
import { POLICY } from '../../../actors/trading/account.suite.ts';
import { answerData, askedBefore } from '../../../events/catalog/answer-given.suite.ts';
import { AnswerGiven } from '../../../events/catalog/knowledge.ts';
import type { DomainEvent } from '../../../events/define.ts';
import { parseMoney, parseQuantity } from '../../../events/decimal.ts';

/** A sample of a kind of stream: commands of which each adds an event, in any order. */
export interface Sample {
  readonly definition: AnyStream;
  readonly context?: unknown;
  /** The events before all others, as they were recorded and as commands. */
  readonly recorded?: (stream: string) => readonly DomainEvent<string, unknown>[];
  readonly begin?: unknown[];
  /** A different command for each `n`. */
  command(n: number): unknown;
}

const order = (n: number) => ({
  order_id: `o-${n}`,
  ticker: 'AAA',
  action: 'buy',
  type: 'market',
  quantity: parseQuantity('1'),
  price: null,
  stop_price: null,
  time_in_force: 'day',
  reduce_only: false,
});

const tickers = (count: number): string[] => Array.from({ length: count }, (_, n) => `T${n + 1}`);

const PLAN = {
  settings: {
    features: ['return'],
    sequence_length: 1,
    hidden_channels: 1,
    num_heads: 1,
    layers: 1,
    dropout: 0,
    batch_size: 1,
    epochs: 1,
    learning_rate: 1,
    seed: 1,
  },
  as_of: null,
  provider: 'cpu',
};

const part = { windows: 1, from: '2026-01-01', to: '2026-01-02' };
const PREPARED = {
  dataset: '',
  tickers: 1,
  train: part,
  validation: part,
  test: part,
  parameters: 1,
  steps: 1,
  step: 0,
  provider: 'cpu',
  fallback: null,
};

const EPOCH = {
  train_loss: 1,
  validation_loss: 1,
  validation: { return: 0, volatility: 0 },
  best: false,
};

/**
 * All kinds except `knowledge-index`, in which starts and ends alternate, so that no command adds an event in every
 * state.
 */
export const SAMPLES: readonly Sample[] = [
  {
    definition: ASK,
    recorded: (stream) => {
      const cause = {
        stream,
        at: '2026-01-15T08:00:00.000Z',
        correlationId: 'r',
        causationId: 'asked',
        key: 'r',
      };
      return [...askedBefore('r', cause), AnswerGiven.create(answerData('r'), cause)];
    },
    command: (n) => ({ request_id: 'r', rating: n % 2 === 0 ? 'up' : 'down', feedback: `what ${n} says` }),
  },
  {
    definition: MODELS,
    command: (n) => ({ type: 'open-run', run: `run-${n}` }),
  },
  {
    definition: COMMENTS,
    command: (n) => ({ request_id: `r-${n}`, comment: `what ${n} says` }),
  },
  {
    definition: ERASURES,
    command: (n) => ({ type: 'request-erasure', request_id: `r-${n}`, reason: 'asked', by: 'operator' }),
  },
  {
    definition: CHECKPOINTS,
    command: (n) => ({ size: n, root: '0'.repeat(64), position: '', frontier: [], heads: [], note: '' }),
  },
  {
    definition: MARKET,
    begin: [{ type: 'start-update', update_id: 'u', source: 'csv', tickers: tickers(10_100) }],
    command: (n) => ({
      type: 'record-ticker',
      ticker: `T${n}`,
      result: { status: 'failed', faults: ['none'] },
    }),
  },
  {
    definition: TRAINING,
    begin: [
      { type: 'start-training', run: 'run', plan: PLAN },
      { type: 'record-preparation', prepared: PREPARED },
    ],
    command: (n) => ({ type: 'record-epoch', epoch: { ...EPOCH, epoch: n, step: n } }),
  },
  {
    definition: ACCOUNT,
    context: POLICY,
    begin: [{ type: 'open', account: 'a', currency: 'USD', cash: parseMoney('1000') }],
    command: (n) => ({
      type: 'open-session',
      session: {
        date: dateOf(n * DAY_MS),
        bars: {},
        splits: {},
        dividends: {},
      },
    }),
  },
  {
    definition: PAPER_BROKER,
    context: { lot: parseQuantity('1') },
    command: (n) => ({ type: 'submit', order: order(n) }),
  },
];
