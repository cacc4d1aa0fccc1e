import type { Prepared } from './prepared.ts';

export interface OutboxLimits {
  /** Messages that may wait for one client. */
  readonly maxMessages: number;
  readonly maxBytes: number;
}

/** Lines are left out from this part of the limits on: the rest is for what must not be lost. */
const LINES_PART = 0.25;

/** What was done with a message that was put in. */
type Put = 'waits' | 'replaced' | 'left out' | 'full';

/**
 * What waits for one client, in order. A state waits in the place of the one it replaces, so that a client that is
 * always behind still gets it; it may then tell of more than the events behind it. Numbers are given on the way out:
 * what is replaced or left out leaves no gap in them.
 */
export class Outbox {
  readonly #limits: OutboxLimits;
  /** By number in order of arrival, states by their type: a map keeps a key that is set again in its place. */
  readonly #waiting = new Map<string | number, Prepared | string>();
  #arrived = 0;
  /** Of what waits and is no state: those are few, whatever happens. */
  #messages = 0;
  #bytes = 0;
  #seq = 0;

  constructor(limits: OutboxLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** A push, or a reply as it is to be sent. `full`: it does not wait, and the client has missed something. */
  put(message: Prepared | string): Put {
    const keep = typeof message === 'string' ? 'all' : message.keep;
    if (keep === 'newest') {
      const { type } = message as Prepared;
      const replaced = this.#waiting.has(type);
      this.#waiting.set(type, message);
      return replaced ? 'replaced' : 'waits';
    }
    const { maxMessages, maxBytes } = this.#limits;
    const part = keep === 'some' ? LINES_PART : 1;
    const bytes = bytesOf(message);
    const fits = this.#messages < maxMessages * part && this.#bytes + bytes <= maxBytes * part;
    // One message alone waits however long it is: the bus has its own limit.
    if (!fits && this.#messages > 0) return keep === 'some' ? 'left out' : 'full';
    this.#waiting.set(++this.#arrived, message);
    this.#messages += 1;
    this.#bytes += bytes;
    return 'waits';
  }

  /** The text of the next frame; `undefined` where nothing waits. */
  take(): string | undefined {
    for (const [key, message] of this.#waiting) {
      this.#waiting.delete(key);
      if (typeof key === 'number') {
        this.#messages -= 1;
        this.#bytes -= bytesOf(message);
      }
      if (typeof message === 'string') return message;
      this.#seq += 1;
      return message.head + this.#seq + message.tail;
    }
    return undefined;
  }

  clear(): void {
    this.#waiting.clear();
    this.#messages = 0;
    this.#bytes = 0;
  }
}

const bytesOf = (message: Prepared | string): number =>
  typeof message === 'string' ? message.length : message.bytes;
