import { DAY_MS } from '../../../events/dates.ts';
import { submitted } from '../../../events/catalog/order-submitted.suite.ts';
import { paperBrokerStream } from '../../../events/catalog/broker.ts';
import { MODELS_STREAM, trainingStream } from '../../../events/catalog/models.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import {
  answered,
  asked,
  drafted,
  retrieved,
  type ToldRecord,
  verified,
  type Draft,
} from './told-record.suite.ts';

const HASH = '3fa1c0de';

/** Regenerated once, then rated and commented on. */
export async function answeredAsk(record: ToldRecord, id: string = 'demo-1'): Promise<string> {
  await record.ask(id, 0, asked(id));
  await record.ask(id, 12, retrieved());
  await record.ask(id, 256, drafted(0));
  await record.ask(id, 4, verified(0, false));
  await record.ask(id, 130, drafted(1));
  await record.ask(id, 5, verified(1, true));
  await record.ask(id, 1, answered(id, 'answered', 1));
  const rating = { request_id: id, rating: 'up', feedback: 'Genau richtig', updated: false };
  await record.ask(id, 95_000, { type: 'AnswerRated', data: rating }, 'b0d1c2e3-5d1c-4f60');
  record.wait(3_600_000);
  await comment(record, id, 'An das Team weitergegeben');
  return id;
}

export async function comment(record: ToldRecord, id: string, text: string): Promise<void> {
  const draft: Draft = { type: 'CommentRecorded', data: { request_id: id, comment: text } };
  await record.add('comments', [draft], { request: id, call: `comment/${text}` });
}

export async function refusedAsk(record: ToldRecord, id: string = 'demo-2'): Promise<string> {
  await record.ask(id, 0, asked(id));
  await record.ask(id, 9, retrieved(false));
  await record.ask(id, 21, retrieved(false, true));
  await record.ask(id, 2, answered(id, 'refused', 0));
  return id;
}

export async function failedAsk(record: ToldRecord, id: string = 'demo-3'): Promise<string> {
  await record.ask(id, 0, asked(id));
  await record.ask(id, 11, retrieved());
  await record.ask(id, 30_000, {
    type: 'AskFailed',
    data: { request_id: id, code: 'MODEL_UNAVAILABLE' },
  });
  return id;
}

export const submission = (order_id: string, quantity: string = '100'): Draft => ({
  type: 'OrderSubmitted',
  data: submitted({
    order_id,
    type: 'limit',
    quantity,
    price: '187.5',
    time_in_force: 'gtc',
    origin: 'strategy',
    weights: HASH.repeat(8),
    session: '2026-02-27',
    reference_price: '187.1',
  }),
});

export const fill = (order_id: string, trade_id: string, quantity: string): Draft => ({
  type: 'OrderFilled',
  data: {
    order_id,
    ticker: 'AAPL',
    trade_id,
    action: 'buy',
    quantity,
    price: '187.4',
    fee: '1',
    session: '2026-03-02',
    settles_after: 0,
    cursor: '2',
  },
});

/** An order of the strategy that is filled in part and then cancelled by a client, with the broker's events. */
export async function cancelledOrder(
  record: ToldRecord,
  order_id: string = 'o-afbf52202cb3641f',
): Promise<string> {
  const account = accountStream('main');
  const broker = paperBrokerStream('main');
  const of = { order_id, ticker: 'AAPL' };
  const strategy = 'strategy/2026-02-27/AAPL';
  const { data } = submission(order_id);
  const { ticker, action, type, quantity, price, stop_price, time_in_force, reduce_only } = data;
  const accepted = {
    order_id,
    ticker,
    action,
    type,
    quantity,
    price,
    stop_price,
    time_in_force,
    reduce_only,
  };
  const trade = {
    order_id,
    trade_id: 't-1',
    quantity: '40',
    price: '187.4',
    fee: '1',
    session: '2026-03-02',
  };
  const ofBroker = (verb: string) => ({ request: order_id, call: `${verb}/${order_id}` });
  const reported = (cursor: string) => ({ request: order_id, call: `report/${cursor}` });

  await record.add(account, [submission(order_id)], { request: strategy, call: strategy });
  await record.wait(3).add(broker, [{ type: 'PaperOrderAccepted', data: accepted }], ofBroker('submit'));
  await record.wait(2).add(account, [{ type: 'OrderAccepted', data: { ...of, cursor: '1' } }], reported('1'));
  await record
    .wait(60_000)
    .add(broker, [{ type: 'PaperTradeExecuted', data: trade }], ofBroker('2026-03-02'));
  await record.wait(4).add(account, [fill(order_id, 't-1', '40')], reported('2'));
  await record.wait(DAY_MS).add(account, [{ type: 'OrderCancelRequested', data: of }], {
    request: 'desk-77',
    call: '7c1e0f5a-22d4',
  });
  await record
    .wait(2)
    .add(
      broker,
      [{ type: 'PaperOrderCancelled', data: { order_id, reason: 'requested' } }],
      ofBroker('cancel'),
    );
  await record
    .wait(1)
    .add(
      account,
      [{ type: 'OrderCancelled', data: { ...of, reason: 'cancelled on request', cursor: '3' } }],
      reported('3'),
    );
  return order_id;
}

const PART = { windows: 120_400, from: '2015-01-02', to: '2023-12-29' };
const SETTINGS = {
  features: ['return_1', 'volatility_20'],
  sequence_length: 60,
  hidden_channels: 32,
  num_heads: 4,
  layers: 2,
  dropout: 0.1,
  batch_size: 256,
  epochs: 3,
  learning_rate: 0.001,
  seed: 7,
};
const SCORE = { return: 0.012, volatility: 0.43 };
const WEIGHTS = HASH.repeat(8);

const prepared = (run: string, step: number): Draft => ({
  type: 'TrainingPrepared',
  data: {
    run,
    dataset: HASH.repeat(8),
    tickers: 24,
    train: PART,
    validation: PART,
    test: PART,
    parameters: 31_234,
    steps: 1_413,
    step,
    provider: 'cpu',
    fallback: null,
  },
});

const epochDone = (run: string, epoch: number, loss: number): Draft => ({
  type: 'TrainingEpochFinished',
  data: {
    run,
    epoch,
    step: epoch * 471,
    train_loss: loss - 0.01,
    validation_loss: loss,
    validation: { return: 0.011, volatility: 0.41 },
    best: true,
  },
});

/** Interrupted by a shutdown after two epochs, and resumed. */
export async function resumedTraining(record: ToldRecord, run: string = '0197a3c92e4f7b1a'): Promise<string> {
  const stream = trainingStream(run);
  const add = (ms: number, draft: Draft, call: string, to: string = stream) =>
    record.wait(ms).add(to, [draft], { request: 'train-1', call });
  await add(0, draftOf('TrainingRunOpened', run), 'c-1', MODELS_STREAM);
  await add(0, draftOf('TrainingStarted', run), 'c-1');
  await add(8_200, prepared(run, 0), 'c-1');
  await add(61_000, epochDone(run, 1, 0.982), 'c-1/1');
  await add(60_400, epochDone(run, 2, 0.951), 'c-1/2');
  await add(20_000, draftOf('TrainingInterrupted', run), 'c-1/3');
  await add(7_200_000, draftOf('TrainingResumed', run), 'c-2');
  await add(6_100, prepared(run, 942), 'c-2');
  await add(60_900, epochDone(run, 3, 0.944), 'c-2/3');
  await add(900, draftOf('TrainingFinished', run), 'c-2/4');
  await add(15, draftOf('ModelPutToUse', run), 'c-2', MODELS_STREAM);
  return run;
}

/** One event of each type of a run, an update or a reindex. */
export function draftOf(type: string, id: string): Draft {
  const request_id = id;
  const scores = { network: SCORE, ridge: SCORE, mean: { return: 0, volatility: 0 } };
  const days = { first: '2020-01-02', last: '2026-02-27' };
  const bars = { bars: 12, splits: 0, dividends: 1, warnings: [], warnings_total: 0, ...days };
  const index = { index: HASH.repeat(8), passages: 120, sources: 40, added: 2, changed: 1, removed: 0 };
  const drafts: Record<string, Record<string, unknown>> = {
    TrainingRunOpened: { run: id },
    TrainingStarted: { run: id, settings: SETTINGS, as_of: '2026-02-27', source: 'csv', provider: 'cpu' },
    TrainingPrepared: prepared(id, 0).data,
    TrainingEpochFinished: epochDone(id, 1, 0.982).data,
    TrainingStopRequested: { run: id },
    TrainingInterrupted: { run: id, reason: 'shutdown', detail: null, step: 1_100 },
    TrainingResumed: { run: id },
    TrainingFinished: { run: id, weights: WEIGHTS, best_epoch: 3, step: 1_413, scores },
    TrainingFailed: { run: id, fault: 'diverged', detail: 'the loss is no number', step: 12 },
    ModelPutToUse: { weights: WEIGHTS, cause: 'trained', run: id },
    MarketUpdateStarted: { update_id: id, source: 'csv', tickers: ['AAPL', 'MSFT'] },
    TickerUpdated: { update_id: id, ticker: 'AAPL', ...bars },
    TickerUpdateFailed: { update_id: id, ticker: 'MSFT', faults: ['MSFT.csv:2: no number'] },
    MarketUpdateFinished: { update_id: id, updated: 1, failed: 1 },
    ReindexStarted: { request_id },
    IndexBuilt: { ...index, duration_ms: 2_140, built_at: '2026-03-02T08:30:02.000Z' },
    ReindexFailed: { code: 'KB_INVALID', faults: 3 },
  };
  return { type, data: drafts[type]! };
}
