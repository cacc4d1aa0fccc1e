import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { InProcessBus } from '../../../events/bus/in-process.ts';
import { BelegError } from '../../../events/errors.ts';
import { serve } from '../../../events/messages/define.ts';
import { Prices, Tickers } from '../../../events/messages/market.ts';
import type { TickerBars } from './bars.ts';
import { collectBars } from './collect.ts';
import { dayOf, walk } from './walk.suite.ts';

const context = { correlationId: 'c', callId: 'c' };
const { signal } = new AbortController();
const onError = () => undefined;

type Asked = z.output<typeof Prices.request>;

describe('bars over the bus', () => {
  let bus: MessageBus;
  let asked: Asked[];
  let stored: TickerBars[];

  /** The newest bars up to a day, as the market service returns them. */
  function prices({ ticker, as_of, before, limit }: Asked) {
    const { dates, ...figures } = stored.find((bars) => bars.ticker === ticker)!;
    const bars = dates
      .map((date, at) => {
        const [open, high, low, close] = [figures.open, figures.high, figures.low, figures.close].map(
          (column) => column[at]!,
        ) as [number, number, number, number];
        return { date, open, high, low, close, volume: figures.volume[at]! };
      })
      .filter(({ date }) => date <= (as_of ?? '9999') && date < (before ?? '9999'));
    if (dates.every((date) => date > (as_of ?? '9999'))) throw new BelegError('MARKET_DATA_MISSING');
    return { bars: bars.slice(-limit) };
  }

  beforeEach(() => {
    bus = new InProcessBus().connect(onError);
    asked = [];
    stored = [
      walk('A', { to: 4_500 }),
      walk('B', { to: 2_000, seed: 2 }),
      walk('C', { from: 3_000, to: 3_100 }),
    ];
    const initial = ['A', 'B', 'C'];
    serve(bus, Tickers, 'market', async () => ({ initial, index: 'A', count: 3 }), onError);
    serve(
      bus,
      Prices,
      'market',
      async (request) => {
        asked.push(request);
        return prices(request);
      },
      onError,
    );
  });
  afterEach(() => bus.drain());

  it('are all that there are, page by page', async () => {
    expect(await collectBars(bus, null, signal, context)).toEqual(stored);
    expect(asked.map(({ ticker, before }) => [ticker, before])).toEqual([
      ['A', null],
      ['A', dayOf(2_500)],
      ['A', dayOf(500)],
      ['B', null],
      ['B', dayOf(0)],
      ['C', null],
    ]);
  });

  it('are all in shares of one day: later pages are as of the newest bar of the first', async () => {
    await collectBars(bus, null, signal, context);
    expect(asked.map(({ as_of }) => as_of)).toEqual([
      null,
      dayOf(4_499),
      dayOf(4_499),
      null,
      dayOf(1_999),
      null,
    ]);
  });

  it('end with the day that is asked for; a ticker that has none by then is left out', async () => {
    const bars = await collectBars(bus, dayOf(2_400), signal, context);
    expect(bars.map(({ ticker, dates }) => [ticker, dates.length, dates.at(-1)])).toEqual([
      ['A', 2_401, dayOf(2_400)],
      ['B', 2_000, dayOf(1_999)],
    ]);
    expect(asked.every(({ as_of }) => as_of === dayOf(2_400))).toBe(true);
  });

  it('are the newest ones where that is enough', async () => {
    const bars = await collectBars(bus, null, signal, context, { newest: 2_100 });
    expect(bars.map(({ dates }) => [dates.length, dates[0]])).toEqual([
      [2_100, dayOf(2_400)],
      [2_000, dayOf(0)],
      [100, dayOf(3_000)],
    ]);
    expect(asked[1]).toMatchObject({ limit: 100, before: dayOf(2_500) });
  });

  it('come with the faults of others', async () => {
    stored.pop();
    await expect(collectBars(bus, null, signal, context)).rejects.toMatchObject({ code: 'INTERNAL' });
    await bus.drain();
    bus = new InProcessBus().connect(onError);
    await expect(collectBars(bus, null, signal, context)).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
  });

  it('are not waited for once nobody wants them', async () => {
    const stop = AbortSignal.abort(new Error('enough'));
    await expect(collectBars(bus, null, stop, context)).rejects.toThrow('enough');
    expect(asked).toEqual([]);
  });
});
