import type { Market } from './market.ts';
import type { Timer } from './timer.ts';

/** Milliseconds in which the market is not asked again for a ticker that it does not have. */
const FRESH_MS = 1_000;

/** The market's tickers, kept here: it is asked only for one that was not in its list. */
export class Tickers {
  readonly #market: Pick<Market, 'tickers'>;
  readonly #timer: Pick<Timer, 'now'>;
  #known: ReadonlySet<string> = new Set();
  #asked = -Infinity;
  #asking: Promise<void> | undefined;

  constructor(market: Pick<Market, 'tickers'>, timer: Pick<Timer, 'now'>) {
    this.#market = market;
    this.#timer = timer;
  }

  /** Rejects where it is in no list here, and the market service is away. */
  async has(ticker: string): Promise<boolean> {
    if (!this.#known.has(ticker) && this.#timer.now() - this.#asked >= FRESH_MS) await this.#ask();
    return this.#known.has(ticker);
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#fetch().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #fetch(): Promise<void> {
    this.#known = new Set(await this.#market.tickers());
    this.#asked = this.#timer.now();
  }
}
