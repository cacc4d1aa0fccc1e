import type { SessionData } from '../../events/messages/market.ts';
import type { Market } from './market.ts';

/** Sessions asked for at a time. */
const PAGE = 100;

/** The sessions of the market one after the other; the next page is fetched while there is still something of this one. */
export class SessionPages {
  readonly #market: Pick<Market, 'sessions'>;
  #page: SessionData[] = [];
  /** Asked for already: what comes after the page at hand. */
  #following: Promise<readonly SessionData[]> | undefined;

  constructor(market: Pick<Market, 'sessions'>) {
    this.#market = market;
  }

  /** The first session after a date; `null` where there is none yet. Rejects while the market service is away. */
  async next(after: string | null): Promise<SessionData | null> {
    this.#drop(after);
    if (this.#page.length === 0) {
      const following = this.#following ?? this.#fetch(after);
      this.#following = undefined;
      this.#page = [...(await following)];
      this.#drop(after);
    }
    const last = this.#page.at(-1);
    if (last !== undefined && this.#page.length <= PAGE / 2 && this.#following === undefined) {
      this.#following = this.#fetch(last.date);
      // Its fault is met when the page is turned.
      this.#following.catch(() => undefined);
    }
    return this.#page[0] ?? null;
  }

  /** The market has changed: what was fetched may be out of date. */
  forget(): void {
    this.#page = [];
    this.#following = undefined;
  }

  async #fetch(after: string | null): Promise<readonly SessionData[]> {
    return (await this.#market.sessions(after, PAGE)).sessions;
  }

  #drop(after: string | null): void {
    if (after !== null) this.#page = this.#page.filter(({ date }) => date > after);
  }
}
