import type { MessageBus } from '../../../events/bus/bus.ts';
import { SessionClosed } from '../../../events/catalog/trading.ts';
import { call, type CallContext } from '../../../events/messages/define.ts';
import { Sessions } from '../../../events/messages/market.ts';
import { TradingStatus } from '../../../events/messages/trading.ts';
import { followEvents, onEvent } from './published.ts';

/** Market data does not wait longer for a trading service that is slow to say how late it is. */
const TIMEOUT_MS = 2_000;

/** What day it is by the feed: bars and actions after it have not happened yet. */
export class FeedClock {
  readonly #bus: MessageBus;
  #session: string | null = null;

  constructor(bus: MessageBus) {
    this.#bus = bus;
    followEvents(bus, [onEvent(SessionClosed, ({ session }) => this.#set(session))]);
  }

  /**
   * The last closed session, or the one before the feed's first; `null` for the newest data there is, while no trading
   * service says otherwise.
   */
  async session(context: CallContext): Promise<string | null> {
    if (this.#session === null) this.#set(await this.#ask(context).catch(() => null));
    return this.#session;
  }

  async #ask(context: CallContext): Promise<string | null> {
    const timeout = { timeoutMs: TIMEOUT_MS };
    const { session } = await call(this.#bus, TradingStatus, {}, context, timeout);
    if (session !== null) return session;
    const { warm_up } = await call(this.#bus, Sessions, { after: null, limit: 1 }, context, timeout);
    return warm_up;
  }

  #set(session: string | null): void {
    // A reply may be older than the event that came meanwhile, and an event may come twice.
    if (session !== null && (this.#session === null || session > this.#session)) this.#session = session;
  }
}
