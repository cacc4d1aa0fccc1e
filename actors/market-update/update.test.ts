import { describe, it } from 'vitest';
import { given } from '../given.suite.ts';
import { MARKET } from '../streams/models.ts';
import type { MarketEventDraft, TickerResult, UpdateCommand } from './update.ts';

const start: UpdateCommand = { type: 'start-update', update_id: 'u', source: 'csv', tickers: ['A', 'B'] };
const started: MarketEventDraft = {
  type: 'MarketUpdateStarted',
  data: { update_id: 'u', source: 'csv', tickers: ['A', 'B'] },
};
const figures = {
  bars: 2,
  splits: 0,
  dividends: 1,
  warnings: [{ date: '2020-01-02', kind: 'gap', detail: '9 weekdays' }],
  warnings_total: 1,
  first: '2020-01-01',
  last: '2020-01-02',
};
const good: TickerResult = { status: 'updated', ...figures };
const bad: TickerResult = { status: 'failed', faults: ['B.csv:2: …'] };
const updated = (ticker: string): MarketEventDraft => ({
  type: 'TickerUpdated',
  data: { update_id: 'u', ticker, ...figures },
});
const failed = (ticker: string): MarketEventDraft => ({
  type: 'TickerUpdateFailed',
  data: { update_id: 'u', ticker, faults: ['B.csv:2: …'] },
});
const finished: MarketEventDraft = {
  type: 'MarketUpdateFinished',
  data: { update_id: 'u', updated: 1, failed: 1 },
};
const record = (ticker: string, result: TickerResult): UpdateCommand => ({
  type: 'record-ticker',
  ticker,
  result,
});

describe('an update of the market data', () => {
  it('starts when none runs: at first, and after another', () => {
    given(MARKET).when(start).then(started);
    given(MARKET, started, updated('A'), failed('B'), finished).when(start).then(started);
  });

  it('refuses a second start', () => {
    given(MARKET, started).when(start).refuses('UPDATE_RUNNING');
    given(MARKET, started, updated('A')).when(start).refuses('UPDATE_RUNNING');
  });

  it('records what came of each ticker, and ends with the last', () => {
    given(MARKET, started).when(record('A', good)).then(updated('A'));
    given(MARKET, started, updated('A')).when(record('B', bad)).then(failed('B'), finished);
    given(MARKET, started, failed('B')).when(record('A', good)).then(updated('A'), finished);
  });

  it('has nothing to record of a ticker that is done, that it lacks, or when it is over', () => {
    given(MARKET, started, updated('A')).when(record('A', good)).thenNothing();
    given(MARKET, started).when(record('C', good)).thenNothing();
    given(MARKET).when(record('A', good)).thenNothing();
    given(MARKET, started, updated('A'), failed('B'), finished).when(record('B', good)).thenNothing();
  });

  it('is over at once where there is no ticker', () => {
    given(MARKET)
      .when({ ...start, tickers: [] })
      .then(
        { type: 'MarketUpdateStarted', data: { update_id: 'u', source: 'csv', tickers: [] } },
        { type: 'MarketUpdateFinished', data: { update_id: 'u', updated: 0, failed: 0 } },
      );
  });
});
