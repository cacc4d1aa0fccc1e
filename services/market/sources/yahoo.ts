import { DAY_MS } from '../../../events/dates.ts';
import { isBelegError } from '../../../events/errors.ts';
import { dayBefore } from '../calendar.ts';
import { SourceFaults, type BarSource } from './source.ts';
import { fetchedOf } from './yahoo-chart.ts';
import { pause, yahooHttp, YahooRefusal, type YahooHttpOptions } from './yahoo-http.ts';

/** A day before the beginning of Yahoo's data. */
const BEGINNING = '1900-01-01';

interface YahooOptions {
  readonly tickers: readonly string[];
  readonly index: string | null;
  readonly now: () => Date;
  /** Replaces the network and the waiting in tests. */
  readonly http?: YahooHttpOptions;
}

/**
 * Daily bars, splits and dividends from Yahoo Finance by yahoo-finance2, one ticker at a time and slowly. Yahoo has no
 * official interface and promises nothing. Nothing is written to disk, no cookie is kept, and no new version is looked
 * up.
 */
export function yahooSource({ tickers, index, now, http }: YahooOptions): BarSource {
  const requests = yahooHttp(http ?? { fetch: globalThis.fetch, pause });
  let client: ReturnType<typeof openClient> | null = null;

  return {
    name: 'yahoo',
    synthetic: false,
    index,
    feedStart: 'end',
    tickers: () => Promise.resolve(index === null || tickers.includes(index) ? tickers : [...tickers, index]),
    async fetch(ticker, since, signal) {
      if (since !== null && Date.parse(since) - DAY_MS >= now().getTime()) return NOTHING;
      client ??= openClient();
      try {
        const chart = await (
          await client
        ).chart(
          ticker,
          // The request begins a day earlier, because the exchange's day may begin before the day in UTC.
          {
            period1: since === null ? BEGINNING : dayBefore(since),
            period2: now(),
            interval: '1d',
            events: 'div|split',
          },
          { fetch: (url, init) => requests.get(url, init ?? {}, signal) },
        );
        return fetchedOf(chart, since, now());
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof SourceFaults || isBelegError(error)) throw error;
        if (since !== null && isNothingNew(error)) return NOTHING;
        throw new SourceFaults([`${ticker}: ${meaning(error)}`]);
      }
    },
  };
}

const NOTHING = {
  bars: [],
  splits: [],
  dividends: [],
  convention: { bars: 'split-adjusted', dividends: 'split-adjusted' },
} as const;

const quiet = (): void => undefined;

/**
 * Imports the client with the first request, because the import takes long. The client prints nothing and does not look
 * for a newer version.
 */
async function openClient() {
  const [{ default: createYahooFinance }, { default: chart }] = await Promise.all([
    import('yahoo-finance2/createYahooFinance'),
    import('yahoo-finance2/modules/chart'),
  ]);
  return new (createYahooFinance({ modules: { chart } }))({
    versionCheck: false,
    suppressNotices: ['yahooSurvey'],
    validation: { logErrors: false, logOptionsErrors: false },
    logger: { info: quiet, warn: quiet, error: quiet, debug: quiet, dir: quiet },
  });
}

/** `Data doesn't exist for startDate = …` means that there was no session since. */
const isNothingNew = (error: unknown): boolean =>
  error instanceof YahooRefusal &&
  error.code === 'Bad Request' &&
  error.message.startsWith("Data doesn't exist");

/** Explains Yahoo's refusal of a ticker to people. */
function meaning(error: unknown): string {
  if (!(error instanceof YahooRefusal)) return 'Yahoo’s answer has an unknown format';
  if (error.code === 'Not Found') return 'Yahoo does not know this ticker, or it is delisted';
  return `Yahoo refused the request: ${error.message}`;
}
