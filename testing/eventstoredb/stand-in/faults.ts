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
 * `when` is for writes: `before` (the default) leaves nothing written, `after` leaves it written. `afterEvents` is for
 * `read` and `subscribe`: so many events are sent first (default 0).
 */
export type Fault =
  /** Accepts and never answers. */
  | { kind: 'hang'; when?: 'before' | 'after'; afterEvents?: number }
  | { kind: 'delay'; ms: number; when?: 'before' | 'after' }
  /** Destroys the TCP connections, all of them. */
  | { kind: 'cut'; when?: 'before' | 'after'; afterEvents?: number }
  /** Closes the response stream cleanly: of a batch append without its answer, of a subscription, of a read. */
  | { kind: 'end'; when?: 'before' | 'after'; afterEvents?: number }
  | { kind: 'wrongExpectedVersion' }
  | { kind: 'unavailable' }
  | { kind: 'notLeader'; host: string; port: number }
  | { kind: 'accessDenied' };

/** What happens at once to what is running. */
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

  /** What was injected and not used is forgotten. What hangs or stalls already goes on doing so. */
  clear(): void {
    this.#queues.clear();
  }

  /** For the server: the fault of this call. */
  take(method: FaultMethod): Fault | undefined {
    return this.#queues.get(method)?.shift();
  }

  /** For the server; the result ends it. */
  onNow(action: FaultNow, listener: () => void): () => void {
    this.#events.on(action, listener);
    return () => this.#events.off(action, listener);
  }
}
