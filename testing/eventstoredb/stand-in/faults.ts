import { EventEmitter } from 'node:events';

/** `read` is a read that ends, `subscribe` one that does not. */
export type FaultMethod =
  | 'append'
  | 'batchAppend'
  | 'delete'
  | 'tombstone'
  | 'read'
  | 'subscribe'
  | 'serverFeatures'
  | 'gossip';

/**
 * `when` is for writes: with `before` (the default) nothing is written, with `after` it is. `afterEvents` is for `read`
 * and `subscribe`: the number of events that are sent first (default 0).
 */
export type Fault =
  /** Accepts the call and never answers. */
  | { kind: 'hang'; when?: 'before' | 'after'; afterEvents?: number }
  | { kind: 'delay'; ms: number; when?: 'before' | 'after' }
  /** Destroys all TCP connections. */
  | { kind: 'cut'; when?: 'before' | 'after'; afterEvents?: number }
  /** Closes the response stream cleanly: of a batch append without its reply, of a subscription, of a read. */
  | { kind: 'end'; when?: 'before' | 'after'; afterEvents?: number }
  | { kind: 'wrongExpectedVersion' }
  | { kind: 'unavailable' }
  | { kind: 'notLeader'; host: string; port: number }
  | { kind: 'accessDenied' };

/** An action on what is running now. */
export type FaultNow = 'cutConnections' | 'endBatchStreams' | 'endSubscriptions' | 'stallSubscriptions';

/** Faults on demand: each `inject` is used up by the next `count` calls of its method, in the order of injection. */
export class Faults {
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #queues = new Map<FaultMethod, Fault[]>();

  inject(method: FaultMethod, fault: Fault, count = 1): void {
    const queue = this.#queues.get(method) ?? [];
    for (let n = 0; n < count; n++) queue.push(fault);
    this.#queues.set(method, queue);
  }

  now(action: FaultNow): void {
    this.#events.emit(action);
  }

  /** Drops faults that were not used. Calls that already hang or stall stay so. */
  clear(): void {
    this.#queues.clear();
  }

  /** Is called by the server for the fault of this call. */
  take(method: FaultMethod): Fault | undefined {
    return this.#queues.get(method)?.shift();
  }

  /** Is called by the server; the returned function ends the listening. */
  onNow(action: FaultNow, listener: () => void): () => void {
    this.#events.on(action, listener);
    return () => this.#events.off(action, listener);
  }
}
