import type { Prepared } from './prepared-push.ts';

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
export function createOutbox({ maxMessages, maxBytes }: OutboxLimits) {
  /** Messages by their number, in order of arrival, and states by their type: a map keeps the place of a key that is set again. */
  const waiting = new Map<string | number, Prepared | string>();
  let arrived = 0;
  /** The number of waiting messages that are not states. There are never many of them. */
  let messages = 0;
  let bytes = 0;
  let seq = 0;

  return {
    get size(): number {
      return waiting.size;
    },
    /** A push, or a reply as it is to be sent. `full`: it does not wait, and the client has missed something. */
    put(message: Prepared | string): Put {
      const keep = typeof message === 'string' ? 'all' : message.keep;
      if (keep === 'newest') {
        const { type } = message as Prepared;
        const replaced = waiting.has(type);
        waiting.set(type, message);
        return replaced ? 'replaced' : 'waits';
      }
      const part = keep === 'some' ? LINES_PART : 1;
      const size = bytesOf(message);
      const fits = messages < maxMessages * part && bytes + size <= maxBytes * part;
      // A single message waits however long it is, because the bus limits its size.
      if (!fits && messages > 0) return keep === 'some' ? 'left out' : 'full';
      waiting.set(++arrived, message);
      messages += 1;
      bytes += size;
      return 'waits';
    },
    /** The text of the next frame; `undefined` where nothing waits. */
    take(): string | undefined {
      for (const [key, message] of waiting) {
        waiting.delete(key);
        if (typeof key === 'number') {
          messages -= 1;
          bytes -= bytesOf(message);
        }
        if (typeof message === 'string') return message;
        seq += 1;
        return message.head + seq + message.tail;
      }
      return undefined;
    },
    clear(): void {
      waiting.clear();
      messages = 0;
      bytes = 0;
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

const bytesOf = (message: Prepared | string): number =>
  typeof message === 'string' ? message.length : message.bytes;
