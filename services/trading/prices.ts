import { mulDiv, parseRatio, priceOf, type Price } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';

/** The last close of each ticker as traded, converted to present shares. Orders are valued with these. */
export class Prices {
  #last = new Map<string, Price>();
  #gone: SessionData['gone'] = {};
  /** The session up to which splits are in the prices. */
  #session: string | null = null;

  last(ticker: string): Price | null {
    return this.#last.get(ticker) ?? null;
  }

  /** The last day on which a ticker traded, if it no longer does; `null` for all other tickers. */
  goneSince(ticker: string): string | null {
    return this.#gone?.[ticker] ?? null;
  }

  get all(): ReadonlyMap<string, Price> {
    return this.#last;
  }

  /** Takes over the closes of a market up to a session, newest last. */
  begin(
    session: string | null,
    closes: ReadonlyMap<string, readonly number[]>,
    gone?: SessionData['gone'],
  ): void {
    this.#session = session;
    this.#gone = gone;
    this.#last = new Map();
    for (const [ticker, series] of closes) {
      const newest = series.at(-1);
      if (newest !== undefined) this.#last.set(ticker, priceOf(newest));
    }
  }

  /** To be called when a session begins: its splits take effect. No effect for a session that has begun already. */
  open({ date, splits, gone }: SessionData): void {
    if (this.#session !== null && date <= this.#session) return;
    this.#session = date;
    this.#gone = gone;
    for (const [ticker, text] of Object.entries(splits)) {
      const price = this.#last.get(ticker);
      if (price === undefined) continue;
      const { numerator, denominator } = parseRatio(text);
      this.#last.set(ticker, mulDiv(price, denominator, numerator));
    }
  }

  close(closes: ReadonlyMap<string, Price>): void {
    for (const [ticker, close] of closes) this.#last.set(ticker, close);
  }
}
