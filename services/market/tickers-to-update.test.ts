import { describe, expect, it } from 'vitest';
import { indexOf, isIndexOnly, isNoFund, tickersToUpdate } from './tickers-to-update.ts';
import type { MarketSettings } from './settings.ts';
import { readSettings } from '../composition/settings.ts';
import type { BarSource } from './sources/source.ts';

const source = (tickers: string[], index: string | null = null): BarSource => ({
  name: 'test',
  synthetic: true,
  index,
  feedStart: 'end',
  tickers: () => Promise.resolve(tickers),
  fetch: () => Promise.reject(new Error('not asked')),
});

const settings = (tickers: string[] | null = null, index: string | null = null): MarketSettings => ({
  ...readSettings({}).market,
  tickers,
  index,
});

describe('the tickers of the market', () => {
  it('are those of the source, or those that are named, and the index where the source has it', async () => {
    const demo = source(['B', 'A', 'X'], 'X');
    expect(await tickersToUpdate(demo, settings())).toEqual(['B', 'A', 'X']);
    expect(await tickersToUpdate(demo, settings(['A', 'NONE']))).toEqual(['A', 'NONE', 'X']);
    expect(await tickersToUpdate(demo, settings(['A'], 'B'))).toEqual(['A', 'B']);
    expect(await tickersToUpdate(demo, settings(['A'], 'SPY'))).toEqual(['A']);
    expect(await tickersToUpdate(demo, settings(['X', 'A'], 'X'))).toEqual(['X', 'A']);
  });

  it('are compared with the index that is named, the source’s own, or a usual one', () => {
    expect(indexOf(source([], 'X'), settings(null, 'SPY'), ['QQQ'])).toBe('SPY');
    expect(indexOf(source([], 'X'), settings(), ['SPY'])).toBe('X');
    expect(indexOf(source([]), settings(), ['^GSPC', 'QQQ'])).toBe('QQQ');
    expect(indexOf(source([]), settings(), ['A'])).toBe('');
  });

  it('can be traded, but for indices; a fund that serves as one can', () => {
    const demo = source(['A', 'X'], 'X');
    expect(isIndexOnly(demo, settings(), 'X')).toBe(true);
    expect(isIndexOnly(demo, settings(['X']), 'X')).toBe(false);
    expect(isIndexOnly(demo, settings(), 'A')).toBe(false);
    expect(isIndexOnly(demo, settings(['^GSPC']), '^GSPC')).toBe(true);
    expect(isIndexOnly(source(['SPY']), settings(null, 'SPY'), 'SPY')).toBe(false);
    expect(isIndexOnly(source(['SPY']), settings(['A', 'SPY'], 'SPY'), 'SPY')).toBe(false);
    // `TD_TICKERS` does not name it, so it is not to be traded.
    expect(isIndexOnly(source(['SPY']), settings(['A'], 'SPY'), 'SPY')).toBe(true);
    expect(isNoFund(source(['SPY']), settings(['A'], 'SPY'), 'SPY')).toBe(false);
  });
});
