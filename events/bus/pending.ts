import { BelegError } from '../errors.ts';
import type { Message, RequestOptions } from './bus.ts';

/** A request that waits for its reply. It ends once: what comes later changes nothing. */
export interface Pending {
  readonly reply: Promise<Message>;
  readonly resolve: (reply: Message) => void;
  readonly reject: (error: unknown) => void;
}

/** Ends by itself with `DEADLINE_EXCEEDED`, or with the signal's reason; `onEnd` is called once, whatever ended it. */
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
