import { BelegError, isBelegError } from '../errors.ts';
import type { Message, MessageHandler, RequestOptions } from './bus.ts';
import { snapshot } from './message.ts';
import { errorReply } from './reply.ts';

/** Called with the error that a handler threw. It must not throw itself. */
export type OnHandlerError = (error: unknown, subject: string) => void;

/**
 * The running handlers of one connection. A bus that drains waits for them here, because the client libraries do not
 * know when handlers end.
 */
export class Handlers {
  readonly #running = new Set<Promise<unknown>>();
  readonly #onError: OnHandlerError;

  constructor(onError: OnHandlerError) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#running.size;
  }

  /**
   * Starts the handler at once. Resolves with its result, which may be undefined, or with an error reply if it throws.
   */
  run(handler: MessageHandler, message: Message): Promise<Message | undefined> {
    const running = this.#run(handler, message);
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
    return running;
  }

  /** Resolves when no handler is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #run(handler: MessageHandler, message: Message): Promise<Message | undefined> {
    try {
      const answer = await handler(message);
      if (answer === undefined) return undefined;
      return snapshot(message.subject, answer.data, answer.headers);
    } catch (error) {
      this.#onError(error, message.subject);
      const known = isBelegError(error, 'PAYLOAD_TOO_LARGE') ? error : new BelegError('INTERNAL');
      const { data, headers } = errorReply(known);
      return snapshot(message.subject, data, headers);
    }
  }
}

/**
 * A request that waits for its reply. Only the first call of `resolve` or `reject` ends the wait; later calls change
 * nothing.
 */
export interface Pending {
  readonly reply: Promise<Message>;
  readonly resolve: (reply: Message) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Waits for a reply. Rejects with `DEADLINE_EXCEEDED` after the time, or with the signal's reason; `onEnd` is called
 * once, however the wait ends.
 */
export function waitForReply({ timeoutMs, signal }: RequestOptions, onEnd: () => void): Pending {
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  let ended = false;
  const end = (how: () => void) => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    onEnd();
    how();
  };
  const fail = (error: unknown) => end(() => reject(error));
  const onAbort = () => fail(signal?.reason);
  const timer = setTimeout(() => fail(new BelegError('DEADLINE_EXCEEDED')), timeoutMs);
  signal?.addEventListener('abort', onAbort);
  return { reply: promise, resolve: (reply) => end(() => resolve(reply)), reject: fail };
}

/** The waiting time for several replies is counted in this many parts. */
const PARTS = 10;

/**
 * The replies to a request that goes to all responders. Resolves after the time, or as soon as all expected replies
 * have arrived. If this process stalls, the stall counts as at most one part of the time, so that replies that arrived
 * meanwhile are still taken.
 */
export function repliesOf({ timeoutMs, signal }: RequestOptions, onEnd: () => void) {
  const { promise, resolve, reject } = Promise.withResolvers<Message[]>();
  const replies: Message[] = [];
  let expected = Infinity;
  const end = (how: () => void): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    onEnd();
    how();
  };
  const endOnceComplete = (): void => {
    if (replies.length >= expected) end(() => resolve(replies));
  };
  const onAbort = () => end(() => reject(signal?.reason));
  let parts = 0;
  const wait = (): NodeJS.Timeout =>
    setTimeout(() => {
      if (++parts === PARTS) end(() => resolve(replies));
      else timer = wait();
    }, timeoutMs / PARTS);
  let timer = wait();
  signal?.addEventListener('abort', onAbort);
  return {
    all: promise,
    add: (reply: Message): void => {
      replies.push(reply);
      endOnceComplete();
    },
    expect: (count: number): void => {
      expected = count;
      endOnceComplete();
    },
    fail: (error: unknown): void => end(() => reject(error)),
  };
}
