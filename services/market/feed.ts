import type { SessionData } from '../../events/messages/market.ts';
import { asTraded } from './adjust.ts';
import { FIRST_DATE } from './bars.ts';
import { dayBefore } from './calendar.ts';
import { readSessions } from './sessions.ts';
import type { BarSource } from './sources/source.ts';
import type { MarketStore } from './store.ts';

/** So many bars are below 512 KiB as JSON. */
const MAX_BARS = 3_200;
/** What a feed of finished data has before it. */
const YEAR = 252;
/** Of a source without an end, at one request: a feed that is further ahead comes nearer with each. */
const MAX_GENERATED = 5_000;

interface FeedOptions {
  readonly store: MarketStore;
  readonly source: BarSource;
  /** First session of the feed; `null`: where it suits the source. */
  readonly feedFrom: string | null;
  /** Tickers that nobody can trade are in no session. */
  readonly leaveOut: (ticker: string) => boolean;
}

/**
 * The market session by session. Only what an update has finished is shown: a session that some of the tickers are still
 * missing from would be a day on which they did not trade. A ticker whose update failed did not. One that the source no
 * longer lists keeps the bars it has: who holds it can still sell.
 */
export class Feed {
  readonly #options: FeedOptions;
  /** One at a time: each goes on from where the other ends. */
  #extending: Promise<unknown> = Promise.resolve();

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** The last session that is complete; `null` before the first load. */
  get completeUntil(): string | null {
    return this.#options.store.note('complete_until');
  }

  /** See `Sessions` in events/messages/market.ts. */
  async after(
    date: string | null,
    limit: number,
  ): Promise<{ sessions: SessionData[]; warm_up: string | null }> {
    const { store, source } = this.#options;
    if (this.completeUntil === null) return { sessions: [], warm_up: null };
    const warm_up = date === null ? this.#start() : null;
    const after = date ?? warm_up ?? FIRST_DATE;
    const tickers = store.read((bars) => bars.tickers()).length;
    const wanted = Math.min(limit, Math.max(1, Math.floor(MAX_BARS / Math.max(1, tickers))));
    const there = this.#read(after, wanted);
    const { extend } = source;
    if (there.length === wanted || extend === undefined) return { sessions: there, warm_up };
    const extending = this.#extending.then(() => this.#extendFor(after, wanted, extend));
    this.#extending = extending.catch(() => undefined);
    await extending;
    return { sessions: this.#read(after, wanted), warm_up };
  }

  on(date: string): SessionData | null {
    const [session] = this.#read(dayBefore(date), 1);
    return session?.date === date ? session : null;
  }

  /** The last session before the feed's first; `null` where the feed starts with the first session of all. */
  #start(): string | null {
    const { store, source, feedFrom } = this.#options;
    const end = this.completeUntil!;
    return store.read((bars) => {
      if (feedFrom !== null) return bars.dateBack(dayBefore(feedFrom), 0);
      return source.feedStart === 'end' ? end : bars.dateBack(end, YEAR);
    });
  }

  #read(after: string, limit: number): SessionData[] {
    const upTo = this.completeUntil;
    if (upTo === null) return [];
    return this.#options.store.read((bars) =>
      readSessions(bars, { after, upTo, limit }, this.#options.leaveOut, this.#isUnknown),
    );
  }

  /** What could not be fetched may have traded. */
  readonly #isUnknown = (ticker: string): boolean =>
    this.#options.store.state(ticker)?.outcome.status === 'failed';

  /** Until there are `wanted` sessions after a date. */
  async #extendFor(after: string, wanted: number, extend: NonNullable<BarSource['extend']>): Promise<void> {
    for (let made = 0; made < MAX_GENERATED;) {
      const from = this.completeUntil ?? FIRST_DATE;
      const missing = from < after ? YEAR : wanted - this.#read(after, wanted).length;
      if (missing === 0) return;
      const fetched = await extend(from, missing);
      const days = new Map([...fetched].map(([ticker, data]) => [ticker, asTraded(data)]));
      const ends = [...days.values()].map(({ bars }) => bars.at(-1)?.date ?? FIRST_DATE);
      const end = ends.reduce((latest, date) => (date > latest ? date : latest), from);
      if (end === from) return;
      this.#options.store.extend(days, end);
      made += missing;
    }
  }
}
