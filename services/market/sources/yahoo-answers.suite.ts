import type { BarSource, Fetched } from './source.ts';
import { yahooSource } from './yahoo.ts';

/** A daily bar of Yahoo: the time of the opening in seconds, then open, high, low, close, volume. */
export type Quote = readonly [time: number, ...figures: (number | null)[]];

export const seconds = (iso: string): number => Date.parse(iso) / 1_000;

/** A body of `/v8/finance/chart`, by the types and examples of yahoo-finance2 3.14.3. */
export function chartBody({
  quotes = [],
  events,
  timezone = 'America/New_York',
  end = '2020-09-01T20:00:00Z',
}: {
  quotes?: readonly Quote[];
  events?: object;
  timezone?: string;
  end?: string;
}): string {
  const column = (at: number) => quotes.map((quote) => quote[at]);
  const period = (from: number, to: number) => ({
    timezone: 'EDT',
    start: seconds(end) + from * 3_600,
    end: seconds(end) + to * 3_600,
    gmtoffset: -14_400,
  });
  const meta = {
    currency: 'USD',
    symbol: 'AAPL',
    exchangeName: 'NMS',
    fullExchangeName: 'NasdaqGS',
    instrumentType: 'EQUITY',
    firstTradeDate: 345_479_400,
    regularMarketTime: seconds(end) + 1,
    hasPrePostMarketData: true,
    gmtoffset: -14_400,
    timezone: 'EDT',
    exchangeTimezoneName: timezone,
    regularMarketPrice: 134.18,
    chartPreviousClose: 124.81,
    priceHint: 2,
    currentTradingPeriod: { pre: period(-12, -6.5), regular: period(-6.5, 0), post: period(0, 4) },
    dataGranularity: '1d',
    range: '',
    validRanges: ['1d', '5d', '1mo', 'max'],
  };
  const indicators =
    quotes.length === 0
      ? { quote: [{}], adjclose: [{}] }
      : {
          quote: [{ open: column(1), high: column(2), low: column(3), close: column(4), volume: column(5) }],
          adjclose: [{ adjclose: column(4) }],
        };
  const result = {
    meta,
    ...(quotes.length === 0 ? {} : { timestamp: column(0) }),
    ...(events === undefined ? {} : { events }),
  };
  return JSON.stringify({ chart: { result: [{ ...result, indicators }], error: null } });
}

export const refusal = (code: string, description: string, status = 404) =>
  new Response(JSON.stringify({ chart: { result: null, error: { code, description } } }), { status });

/** Four days of Apple in 2020 with a 4:1 split on the 31st of August. Prices are in single precision, like Yahoo's. */
export const QUOTES: readonly Quote[] = [
  [
    seconds('2020-08-28T13:30:00Z'),
    126.01249694824219,
    126.44249725341797,
    124.57749938964844,
    124.80750274658203,
    187_151_760,
  ],
  [seconds('2020-08-31T13:30:00Z'), 127.58000183105469, 131, 126, 129.0399932861328, 225_702_688],
  [
    seconds('2020-09-01T13:30:00Z'),
    132.75999450683594,
    134.8000030517578,
    130.52999877929688,
    134.17999267578125,
    151_948_096,
  ],
];
export const EVENTS = {
  dividends: { '1596807000': { amount: 0.205, date: seconds('2020-08-07T13:30:00Z') } },
  splits: {
    '1598880600': { date: seconds('2020-08-31T13:30:00Z'), numerator: 4, denominator: 1, splitRatio: '4:1' },
  },
};

export const EVENING = '2020-09-01T21:00:00Z';

export type Answer = () => Response | Promise<Response>;
export const ok =
  (body: string): Answer =>
  () =>
    new Response(body, { headers: { 'set-cookie': 'A1=track; Domain=elsewhere.example' } });
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response('<html>Edge: not now</html>', { status: code, headers });
export const unreachable: Answer = () => Promise.reject(new TypeError('fetch failed'));

/** A source with these replies, one after the other (the last one repeatedly), and its requests and pauses. */
export function answering(answers: readonly Answer[], now = EVENING) {
  const asked: { url: URL; headers: Headers }[] = [];
  const pauses: number[] = [];
  let running = 0;
  let most = 0;
  const source = yahooSource({
    tickers: ['AAPL', 'MSFT'],
    index: '^GSPC',
    now: () => new Date(now),
    http: {
      fetch: async (input, init) => {
        const answer = answers[Math.min(asked.length, answers.length - 1)]!;
        asked.push({
          url: new URL(input instanceof Request ? input.url : input),
          headers: new Headers(init?.headers),
        });
        most = Math.max(most, (running += 1));
        await Promise.resolve();
        running -= 1;
        return answer();
      },
      pause: (ms, signal) => {
        signal.throwIfAborted();
        pauses.push(ms);
        return Promise.resolve();
      },
    },
  });
  return { source, asked, pauses, most: () => most };
}

/** Fetches all data of Apple, or from a date on. */
export const fetchAapl = (source: BarSource, since: string | null = null): Promise<Fetched> =>
  source.fetch('AAPL', since, new AbortController().signal);
