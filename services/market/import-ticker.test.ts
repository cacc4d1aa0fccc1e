import { beforeEach, describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { importTicker } from './import-ticker.ts';
import { SourceFaults, type BarSource, type Fetched, type SourceBar } from './sources/source.ts';
import { openMarketStore, type MarketStore } from './store.ts';

let store: MarketStore;
let asked: (string | null)[];
beforeEach(() => {
  store = openMarketStore(':memory:');
  asked = [];
});

const bar = (day: number, close: number, more: Partial<SourceBar> = {}): SourceBar => {
  const date = `2024-01-${String(day).padStart(2, '0')}`;
  return { date, open: close, high: close, low: close, close, volume: 100, ...more };
};

const now = () => new Date('2024-02-01T00:00:00Z');

function run(
  fetched: Partial<Fetched> | Error,
  { updateId = 'u', full = true }: { updateId?: string; full?: boolean } = {},
) {
  const source: BarSource = {
    name: 'test',
    synthetic: true,
    index: null,
    feedStart: 'end',
    tickers: () => Promise.resolve(['A']),
    fetch: (_, since) => {
      asked.push(since);
      if (fetched instanceof Error) return Promise.reject(fetched);
      const convention = { bars: 'as-traded', dividends: 'as-traded' } as const;
      return Promise.resolve({ bars: [], splits: [], dividends: [], convention, ...fetched });
    },
  };
  return importTicker({ store, source, now }, { ticker: 'A', updateId, full }, new AbortController().signal);
}

describe('importing a ticker', () => {
  it('asks for all, or for what came since the last bar, that one included', async () => {
    await run({ bars: [bar(2, 10), bar(3, 11)] });
    await run({ bars: [bar(3, 11), bar(4, 12)] }, { updateId: 'v', full: false });
    await run({}, { updateId: 'w' });
    expect(asked).toEqual([null, '2024-01-03', null]);
    expect(store.state('A')).toMatchObject({ bars: 3, last: '2024-01-04' });
  });

  it('warns of what does not fit to the bar before those that are new', async () => {
    await run({ bars: [bar(2, 10)] });
    const result = await run({ bars: [bar(3, 30)] }, { updateId: 'v', full: false });
    expect(result).toMatchObject({ warnings_total: 1, warnings: [{ date: '2024-01-03', kind: 'jump' }] });
  });

  it('stores what was paid, and so needs no correction when a share is split later', async () => {
    const convention = { bars: 'split-adjusted', dividends: 'split-adjusted' } as const;
    const splits = [{ date: '2024-01-04', ratio: '4/1' }];
    await run({ bars: [bar(2, 100)], convention });
    const dividends = [{ date: '2024-01-03', amount: 0.25 }];
    const bars = [bar(2, 25, { volume: 400 }), bar(3, 25.5), bar(4, 26)];
    const result = await run({ bars, splits, dividends, convention }, { updateId: 'v', full: false });
    expect(result).toMatchObject({ bars: 2, splits: 1, dividends: 1 });
    expect(store.read((table) => table.of('A', 9)).map(({ close }) => close)).toEqual([100, 102, 26]);
    expect(store.read((table) => table.dividendsOf('A'))).toMatchObject([{ amount: 1 }]);
  });

  it('has the result of the same update from the store, without the source', async () => {
    const result = await run({ bars: [bar(2, 10)] });
    expect(await run(new Error('not asked'))).toEqual(result);
    expect(asked).toHaveLength(1);
  });

  it('ends with the faults that the source tells, and leaves what is stored', async () => {
    await run({ bars: [bar(2, 10)] });
    expect(await run(new SourceFaults(['A: unknown']), { updateId: 'v' })).toEqual({
      status: 'failed',
      faults: ['A: unknown'],
    });
    expect(store.state('A')).toMatchObject({ bars: 1, update_id: 'u' });
  });

  it.each([
    [{ bars: [bar(2, Number.NaN)] }, 'A 2024-01-02: a price is not greater than 0'],
    [{ bars: [bar(2, 1, { low: 0 })] }, 'A 2024-01-02: a price is not greater than 0'],
    [{ bars: [bar(2, 1, { volume: 1.5 })] }, 'A 2024-01-02: the volume is not a whole number of shares'],
    [{ bars: [bar(3, 1), bar(2, 1)] }, 'A 2024-01-02: the date appears twice or out of order'],
    [{ bars: [bar(2, 1), bar(2, 1)] }, 'A 2024-01-02: the date appears twice or out of order'],
    [{ splits: [{ date: '2024-01-02', ratio: '0/1' }] }, 'A 2024-01-02: the split is not a ratio'],
    [{ dividends: [{ date: '2024-01-02', amount: -1 }] }, 'A 2024-01-02: the dividend is not greater than 0'],
  ])('takes nothing that readers could not rest on: %#', async (fetched, fault) => {
    expect(await run(fetched)).toEqual({ status: 'failed', faults: [fault] });
    expect(store.state('A')).toBeNull();
  });

  it('leaves it to others what to do while the source is away', async () => {
    await expect(run(new BelegError('SERVICE_UNAVAILABLE'))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
