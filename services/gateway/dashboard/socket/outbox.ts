import type { Prepared } from './prepared-push.ts';

export interface OutboxLimits {
  /** The most messages that may wait for one client. */
  readonly maxMessages: number;
  readonly maxBytes: number;
}

/** Above this share of the limits lines are left out, so that the rest is free for messages that must not be lost. */
const LINES_PART = 0.25;

/** The result of adding a message. */
type Put = 'waits' | 'replaced' | 'left out' | 'full';

/**
 * The queue of messages for one client. A new state replaces an older one in its place, so that a client that is always
 * behind still gets it; it may then be newer than events after it. Messages get their numbers when they are sent, so
 * that replaced or omitted ones leave no gap.
 */
export function createOutbox({ maxMessages, maxBytes }: OutboxLimits) {
  /** Messages by number in order of arrival, and states by type. A `Map` keeps the place of a key that is set again. */
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
    /** Adds a push or the text of a reply. The result `full` means that the client misses this message. */
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
      // The limits never stop a message that waits alone, because the bus limits its size.
      if (!fits && messages > 0) return keep === 'some' ? 'left out' : 'full';
      waiting.set(++arrived, message);
      messages += 1;
      bytes += size;
      return 'waits';
    },
    /** Takes out the text of the next frame; `undefined` if nothing waits. */
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
