import { createActor, fromPromise, SimulatedClock, waitFor, type Actor } from 'xstate';
import { describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { startedAt } from '../lifecycle.ts';
import { stateText } from '../state-text.ts';
import { updateMachine, type UpdateNotice, type UpdateRequest } from './machine.ts';
import { decide, evolve, initialState, type MarketEventDraft, type TickerResult } from './update.ts';

const request: UpdateRequest = {
  updateId: 'u',
  source: 'csv',
  tickers: ['A', 'B', 'C'],
  full: true,
  correlationId: 'r',
  callId: 'call-1',
};
const result: TickerResult = {
  status: 'updated',
  bars: 1,
  splits: 0,
  dividends: 0,
  warnings: [],
  warnings_total: 0,
  first: null,
  last: null,
};
const away = (retryAfter?: number) =>
  new BelegError('SERVICE_UNAVAILABLE', retryAfter === undefined ? {} : { retryAfter });

/** The machine over a stream in memory: what each ticker gives, and faults of the store, try by try. */
function machine(
  tickers: (ticker: string, tries: number) => TickerResult,
  faults: (Error | null)[] = [],
  stream: MarketEventDraft[] = [],
) {
  const clock = new SimulatedClock();
  const state = stream.reduce(evolve, initialState());
  const tried: string[] = [];
  const actor = createActor(
    startedAt(updateMachine, state.status).provide({
      actors: {
        // oxlint-disable-next-line typescript/require-await
        update: fromPromise(async ({ input: { ticker } }) => {
          tried.push(ticker);
          return tickers(ticker, tried.filter((other) => other === ticker).length);
        }),
        // oxlint-disable-next-line typescript/require-await
        record: fromPromise(async ({ input: { command } }) => {
          const fault = faults.shift() ?? null;
          if (fault !== null) throw fault;
          stream.push(...decide(command, stream.reduce(evolve, initialState())));
          return stream.reduce(evolve, initialState());
        }),
      },
    }),
    { clock, input: { request, state } },
  );
  const notices: string[] = [];
  for (const type of ['started', 'rejected', 'finished', 'fenced'] as const) {
    actor.on(type, (notice: UpdateNotice) => notices.push(notice.type));
  }
  const types = () =>
    stream.map((event) => `${event.type} ${'ticker' in event.data ? event.data.ticker : ''}`.trim());
  const is = (state: string) => waitFor(actor, ({ value }) => stateText(value) === state);
  return { actor, clock, stream, tried, notices, types, is };
}

/** Resolves once the start is on record. */
function begin(actor: Actor<typeof updateMachine>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  actor.on('started', () => resolve());
  actor.on('rejected', ({ error }) => reject(error));
  actor.start();
  return promise;
}

const DONE = [
  'MarketUpdateStarted',
  'TickerUpdated A',
  'TickerUpdated B',
  'TickerUpdated C',
  'MarketUpdateFinished',
];

describe('the market update machine', () => {
  it('goes ticker by ticker, each on record before the next', async () => {
    const { actor, tried, types, notices, is } = machine(() => {
      // Everything before the present ticker is on record.
      expect(types()).toEqual(DONE.slice(0, tried.length));
      return result;
    });
    await begin(actor);
    await is('finished');
    expect(types()).toEqual(DONE);
    expect(notices).toEqual(['started', 'finished']);
  });

  it('records the faults of one ticker and goes on', async () => {
    const { actor, stream, types, is } = machine((ticker) => {
      if (ticker === 'A') return { status: 'failed', faults: ['A.csv:2: bad'] };
      if (ticker === 'B') throw new TypeError('a mistake in the program');
      return result;
    });
    await begin(actor);
    await is('finished');
    expect(types()).toEqual([
      'MarketUpdateStarted',
      'TickerUpdateFailed A',
      'TickerUpdateFailed B',
      'TickerUpdated C',
      'MarketUpdateFinished',
    ]);
    expect(stream[1]!.data).toMatchObject({ faults: ['A.csv:2: bad'] });
    expect(stream[2]!.data).toMatchObject({ faults: ['The service failed to answer'] });
    expect(stream.at(-1)!.data).toEqual({ update_id: 'u', updated: 1, failed: 2 });
  });

  it('waits longer and longer for a source that is away, as long as it says, and then fails the ticker', async () => {
    const { actor, clock, tried, types, is } = machine((ticker, tries) => {
      if (ticker === 'A' && tries < 4) throw away(tries === 2 ? 30 : undefined);
      return result;
    });
    await begin(actor);
    for (const [tries, ms] of [1_000, 30_000, 4_000].entries()) {
      await is('running.waitingForSource');
      clock.increment(ms - 1);
      expect(tried).toHaveLength(tries + 1);
      clock.increment(1);
    }
    await is('finished');
    expect(tried).toEqual(['A', 'A', 'A', 'A', 'B', 'C']);
    expect(types()).toEqual(DONE);
  });

  it('tries the next tickers once after one for which the source was away all along', async () => {
    const { actor, clock, tried, stream, is } = machine((ticker) => {
      if (ticker !== 'C') throw away();
      return result;
    });
    await begin(actor);
    for (const ms of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000]) {
      await is('running.waitingForSource');
      clock.increment(ms);
    }
    await is('finished');
    expect(tried).toEqual([...Array.from({ length: 7 }, () => 'A'), 'B', 'C']);
    expect(stream.at(-1)!.data).toEqual({ update_id: 'u', updated: 1, failed: 2 });
  });

  it('rejects an update whose start cannot be recorded', async () => {
    const { actor, stream } = machine(() => result, [new BelegError('STORE_UNAVAILABLE')]);
    await expect(begin(actor)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(actor.getSnapshot().value).toBe('givenUp');
    expect(stream).toEqual([]);
  });

  it('waits for a store that is away, and updates nothing twice', async () => {
    const gone = new BelegError('STORE_UNAVAILABLE');
    const { actor, clock, tried, types, is } = machine(() => result, [null, gone, gone]);
    await begin(actor);
    for (const ms of [1_000, 2_000]) {
      await is('running.waitingForStore');
      clock.increment(ms);
    }
    await is('finished');
    expect(types()).toEqual(DONE);
    expect(tried).toEqual(['A', 'B', 'C']);
  });

  it('stops when another process has written to its stream', async () => {
    const { actor, notices, tried, types, is } = machine(
      () => result,
      [null, new BelegError('WRONG_EXPECTED_REVISION')],
    );
    await begin(actor);
    await is('givenUp');
    expect(notices).toEqual(['started', 'fenced']);
    expect(tried).toEqual(['A']);
    expect(types()).toEqual(['MarketUpdateStarted']);
  });

  // The last ticker and the end are one append.
  it.each([1, 2, 3])('goes on after a crash with what is not on record (%d events are)', async (recorded) => {
    const before = machine(() => result);
    await begin(before.actor);
    await before.is('finished');
    const survived = before.stream.slice(0, recorded);

    const { actor, tried, types, is } = machine(() => result, [], survived);
    actor.start();
    await is('finished');
    expect(types()).toEqual(DONE);
    expect(tried).toEqual(['A', 'B', 'C'].slice(recorded - 1));
  });
});
