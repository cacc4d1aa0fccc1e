import { beforeEach, describe, expect, it } from 'vitest';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { serve } from '../../events/messages/define.ts';
import { Pipeline, type PIPELINE_STATES, Tickers } from '../../events/messages/market.ts';
import { askMarket, type Market } from './ask-market.ts';
import { tickersOf } from './tickers.ts';

let status: (typeof PIPELINE_STATES)[number];
let listed: string[];
let asked: number;
let now: number;
let first: string | null;
let market: Market;
let tickers: ReturnType<typeof tickersOf>;
const hasTicker = (ticker: string) => tickers.has(ticker);

beforeEach(() => {
  status = 'ready';
  listed = ['AAA'];
  asked = 0;
  first = null;
  now = 0;
  const bus = new InProcessBus().connect(() => undefined);
  const pipeline = {
    tickers_loaded: 0,
    db_path: '',
    source: 'fake',
    synthetic: true,
    bars: 0,
    failed: [],
    notes: [],
  };
  serve(
    bus,
    Pipeline,
    'market',
    async () => ({ ...pipeline, first, last: first, updated_at: null, status }),
    onError,
  );
  serve(
    bus,
    Tickers,
    'market',
    async () => {
      asked += 1;
      return { initial: listed, index: '', count: listed.length };
    },
    onError,
  );
  market = askMarket(bus);
  tickers = tickersOf(market, () => now);
});

const onError = (error: unknown): void => {
  throw error;
};

describe('a market’s range', () => {
  it('is none while it is loaded for the first time: what there is by then is not all', async () => {
    first = '2024-01-02';
    expect(await market.range()).toEqual({ first, last: first });
    status = 'loading';
    expect(await market.range()).toBeNull();
  });
});

describe('tickers', () => {
  it('asks the market once for what it has', async () => {
    expect([await hasTicker('AAA'), await hasTicker('AAA')]).toEqual([true, true]);
    expect(asked).toBe(1);
  });

  it('does not ask again and again for one that is nowhere', async () => {
    expect(await hasTicker('BBB')).toBe(false);
    listed.push('BBB');
    now = 999;
    expect(await hasTicker('BBB')).toBe(false);
    now = 1_000;
    expect(await hasTicker('BBB')).toBe(true);
  });

  it('are asked for again when the market has changed, because a table may be gone', async () => {
    expect(await hasTicker('AAA')).toBe(true);
    listed = [];
    await tickers.refresh();
    expect(await hasTicker('AAA')).toBe(false);
  });

  it.each(['uninitialized', 'loading'] as const)(
    'says of none that it is nowhere while the market is %s, and knows it at once afterwards',
    async (early) => {
      status = early;
      await expect(hasTicker('BBB')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
      status = 'ready';
      listed.push('BBB');
      expect(await hasTicker('BBB')).toBe(true);
    },
  );
});
