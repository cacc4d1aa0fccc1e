import { describe, expect, it } from 'vitest';
import {
  decide,
  evolve,
  initialState,
  type MarketEventDraft,
  type TickerResult,
  type UpdateCommand,
} from './update.ts';

const start: UpdateCommand = { type: 'StartUpdate', update_id: 'u', source: 'csv', tickers: ['A', 'B'] };
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
  type: 'RecordTicker',
  ticker,
  result,
});

const given = (...events: MarketEventDraft[]) => ({
  when: (command: UpdateCommand) => decide(command, events.reduce(evolve, initialState)),
});

describe('an update of the market data', () => {
  it('starts when none runs: at first, and after another', () => {
    expect(given().when(start)).toEqual([started]);
    expect(given(started, updated('A'), failed('B'), finished).when(start)).toEqual([started]);
  });

  it('refuses a second start', () => {
    const running = expect.objectContaining({ code: 'UPDATE_RUNNING' }) as Error;
    expect(() => given(started).when(start)).toThrow(running);
    expect(() => given(started, updated('A')).when(start)).toThrow(running);
  });

  it('records what came of each ticker, and ends with the last', () => {
    expect(given(started).when(record('A', good))).toEqual([updated('A')]);
    expect(given(started, updated('A')).when(record('B', bad))).toEqual([failed('B'), finished]);
    expect(given(started, failed('B')).when(record('A', good))).toEqual([updated('A'), finished]);
  });

  it('has nothing to record of a ticker that is done, that it lacks, or when it is over', () => {
    expect(given(started, updated('A')).when(record('A', good))).toEqual([]);
    expect(given(started).when(record('C', good))).toEqual([]);
    expect(given().when(record('A', good))).toEqual([]);
    expect(given(started, updated('A'), failed('B'), finished).when(record('B', good))).toEqual([]);
  });

  it('is over at once where there is no ticker', () => {
    expect(given().when({ ...start, tickers: [] })).toEqual([
      { type: 'MarketUpdateStarted', data: { update_id: 'u', source: 'csv', tickers: [] } },
      { type: 'MarketUpdateFinished', data: { update_id: 'u', updated: 0, failed: 0 } },
    ]);
  });
});
