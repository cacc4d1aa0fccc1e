import { describe, expect, it } from 'vitest';
import { SourceFaults } from './source.ts';
import {
  answering,
  chartBody,
  EVENING,
  EVENTS,
  fetchAapl,
  ok,
  QUOTES,
  refusal,
  seconds,
  status,
  unreachable,
  type Quote,
} from './yahoo-answers.suite.ts';
import { yahooSource } from './yahoo.ts';

const days = async (timezone: string, ...times: string[]) => {
  const quotes = times.map((time): Quote => [seconds(time), 1, 1, 1, 1, 1]);
  return (await fetchAapl(answering([ok(chartBody({ quotes, timezone }))]).source)).bars.map(
    ({ date }) => date,
  );
};

const now = () => new Date(EVENING);

const nothingNew = () =>
  refusal('Bad Request', "Data doesn't exist for startDate = 1598918400, endDate = 1598990400", 400);

describe('what Yahoo answers', () => {
  it('is bars, splits and dividends in today’s shares, in the decimals that were meant', async () => {
    const { source, asked } = answering([ok(chartBody({ quotes: QUOTES, events: EVENTS }))]);
    expect(await fetchAapl(source)).toEqual({
      bars: [
        {
          date: '2020-08-28',
          open: 126.0125,
          high: 126.4425,
          low: 124.5775,
          close: 124.8075,
          volume: 187_151_760,
        },
        { date: '2020-08-31', open: 127.58, high: 131, low: 126, close: 129.04, volume: 225_702_688 },
        { date: '2020-09-01', open: 132.76, high: 134.8, low: 130.53, close: 134.18, volume: 151_948_096 },
      ],
      splits: [{ date: '2020-08-31', ratio: '4/1' }],
      dividends: [{ date: '2020-08-07', amount: 0.205 }],
      convention: { bars: 'split-adjusted', dividends: 'split-adjusted' },
      currency: 'USD',
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]!.url.pathname).toBe('/v8/finance/chart/AAPL');
    expect(Object.fromEntries(asked[0]!.url.searchParams)).toMatchObject({
      interval: '1d',
      events: 'div|split',
    });
  });

  it('goes on from a date: asked for from the day before, given from that day', async () => {
    const { source, asked } = answering([ok(chartBody({ quotes: QUOTES, events: EVENTS }))]);
    const { bars, splits, dividends } = await fetchAapl(source, '2020-08-31');
    expect(bars.map(({ date }) => date)).toEqual(['2020-08-31', '2020-09-01']);
    expect(splits).toHaveLength(1);
    expect(dividends).toEqual([]);
    expect(asked[0]!.url.searchParams.get('period1')).toBe(String(seconds('2020-08-30T00:00:00Z')));
    expect(asked[0]!.url.searchParams.get('period2')).toBe(String(seconds(EVENING)));
  });

  it('leaves out the day that is not over, but not its split, which all prices are in already', async () => {
    const events = {
      splits: { x: { ...EVENTS.splits['1598880600'], date: seconds('2020-09-01T13:30:00Z') } },
    };
    const body = ok(chartBody({ quotes: QUOTES, events }));
    for (const [now, last] of [
      ['2020-09-01T19:00:00Z', '2020-08-31'],
      ['2020-09-01T20:29:00Z', '2020-08-31'],
      ['2020-09-01T20:30:00Z', '2020-09-01'],
      ['2020-09-02T03:00:00Z', '2020-09-01'],
      ['2020-09-05T12:00:00Z', '2020-09-01'],
    ] as const) {
      const { bars, splits } = await fetchAapl(answering([body], now).source);
      expect([now, bars.at(-1)!.date]).toEqual([now, last]);
      expect(splits).toEqual([{ date: '2020-09-01', ratio: '4/1' }]);
    }
  });

  it('skips days without a trade, and takes the later one of two bars of a day', async () => {
    const { source } = answering([
      ok(
        chartBody({
          quotes: [
            [seconds('2020-08-27T13:30:00Z'), null, null, null, null, null],
            [seconds('2020-08-28T13:30:00Z'), 1, 1, 1, 1, 5],
            [seconds('2020-08-28T19:59:00Z'), 2, 2, 2, 2, null],
            [seconds('2020-08-31T13:30:00Z'), 0, 1, 0, 1, 5],
          ],
        }),
      ),
    ]);
    expect((await fetchAapl(source)).bars).toEqual([
      { date: '2020-08-28', open: 2, high: 2, low: 2, close: 2, volume: 0 },
    ]);
  });

  it('is dated by the exchange’s own calendar, summer and winter', async () => {
    expect(await days('Australia/Sydney', '2020-01-13T23:00:00Z', '2020-07-14T00:00:00Z')).toEqual([
      '2020-01-14',
      '2020-07-14',
    ]);
    expect(await days('Europe/London', '2020-01-14T00:00:00Z', '2020-07-13T23:00:00Z')).toEqual([
      '2020-01-14',
      '2020-07-14',
    ]);
  });

  it('keeps what single precision cannot hold', async () => {
    const quotes: Quote[] = [[seconds('2020-08-28T13:30:00Z'), 0.1, 123_456.75, 0.1, 123_456.789, 1]];
    const { bars } = await fetchAapl(answering([ok(chartBody({ quotes }))]).source);
    expect(bars[0]).toMatchObject({ open: 0.1, high: 123_456.75, low: 0.1, close: 123_456.789 });
  });

  it('may be nothing new', async () => {
    expect((await fetchAapl(answering([ok(chartBody({}))]).source, '2020-09-01')).bars).toEqual([]);
    expect((await fetchAapl(answering([nothingNew]).source, '2020-09-01')).bars).toEqual([]);
    await expect(fetchAapl(answering([nothingNew]).source)).rejects.toThrow(SourceFaults);
    const { source, asked } = answering([nothingNew]);
    expect((await fetchAapl(source, '2020-09-03')).bars).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe('a fault of one ticker', () => {
  it.each([
    [
      'no such ticker',
      () => refusal('Not Found', 'No data found, symbol may be delisted'),
      'AAPL: Yahoo does not know this ticker, or it is delisted',
    ],
    [
      'another refusal',
      () => refusal('Unauthorized', 'Invalid Crumb', 401),
      'AAPL: Yahoo refused the request: Invalid Crumb',
    ],
    [
      'a status without a reason',
      status(403),
      'AAPL: Yahoo refused the request: it answered with status 403',
    ],
    ['a page for people', status(200), 'AAPL: Yahoo’s answer has an unknown format'],
    [
      'another shape',
      () => Response.json({ chart: { result: [{ indicators: {} }], error: null } }),
      'AAPL: Yahoo’s answer has an unknown format',
    ],
    [
      'a split that is none',
      ok(
        chartBody({
          quotes: QUOTES,
          events: { splits: { x: { ...EVENTS.splits['1598880600'], denominator: 0 } } },
        }),
      ),
      '2020-08-31: a split of 4 for 0 is not a valid ratio',
    ],
    [
      'a place nobody knows',
      ok(chartBody({ quotes: QUOTES, timezone: 'Moon/Sea' })),
      'Yahoo sent an unknown time zone: Moon/Sea',
    ],
  ] as const)('%s', async (_, answer, message) => {
    const { source, asked } = answering([answer]);
    const error = await fetchAapl(source).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(SourceFaults);
    expect((error as SourceFaults).faults).toEqual([message]);
    expect(asked).toHaveLength(1);
  });
});

describe('the source', () => {
  it('has the tickers that it was told, and the index among them', async () => {
    const { source } = answering([unreachable]);
    expect(source).toMatchObject({ name: 'yahoo', synthetic: false, index: '^GSPC', feedStart: 'end' });
    expect(await source.tickers()).toEqual(['AAPL', 'MSFT', '^GSPC']);
    expect(await yahooSource({ tickers: ['A', 'B'], index: 'A', now }).tickers()).toEqual(['A', 'B']);
    expect(await yahooSource({ tickers: ['A'], index: null, now }).tickers()).toEqual(['A']);
  });
});
