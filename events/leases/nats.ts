import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { NatsConnection } from 'nats';
import { BelegError } from '../errors.ts';
import { openBucket, isWrongRevision } from '../nats/bucket.ts';
import { assertLeaseName, type Leases, type OnWorkError } from './leases.ts';

const BUCKET = 'beleg_leases';

type OpenBucket = Awaited<ReturnType<typeof openBucket>>;

interface NatsLeasesOptions {
  /** Who this process is, for people who look into the bucket. */
  readonly holder: string;
  readonly onWorkError: OnWorkError;
  /**
   * Milliseconds after which the lease of a dead holder is free (default 3000). All processes of one cluster must agree:
   * it is a setting of the bucket.
   */
  readonly ttlMs?: number;
  /** Milliseconds until work that ended by itself is tried again (default 1000). */
  readonly retryMs?: number;
  /** Servers of a NATS cluster that keep the leases. */
  readonly replicas?: number | undefined;
}

/**
 * Leases in a NATS key-value bucket: a holder's entry expires `ttlMs` after its last renewal. It renews in a third of
 * that, and counts its lease as lost after three quarters, on its own monotonic clock and from before the renewal was
 * sent: so it has stopped before anyone else can begin, whenever the server took it.
 *
 * Rejects with `SERVICE_UNAVAILABLE` when the bucket cannot be opened. Afterwards NATS may go and come back: leases are
 * lost and won again.
 */
export async function openNatsLeases(
  connection: NatsConnection,
  options: NatsLeasesOptions,
): Promise<Leases> {
  const ttlMs = options.ttlMs ?? 3000;
  try {
    const bucket = await openBucket(connection, {
      name: BUCKET,
      history: 1,
      ttlMs,
      replicas: options.replicas,
      timeoutMs: holdMs(ttlMs) - renewMs(ttlMs),
    });
    return new NatsLeases(connection, bucket, options, ttlMs);
  } catch (cause) {
    throw unavailable(cause);
  }
}

const renewMs = (ttlMs: number): number => ttlMs / 3;
const holdMs = (ttlMs: number): number => (ttlMs * 3) / 4;

interface Lease {
  readonly name: string;
  readonly token: string;
  /** Of our last renewal: nobody else has written the entry while it still has this one. */
  revision: number;
  /** On the monotonic clock. */
  until: number;
}

class NatsLeases implements Leases {
  readonly #connection: NatsConnection;
  readonly #bucket: OpenBucket;
  readonly #options: NatsLeasesOptions;
  readonly #ttlMs: number;
  readonly #held = new Set<string>();

  constructor(connection: NatsConnection, bucket: OpenBucket, options: NatsLeasesOptions, ttlMs: number) {
    this.#connection = connection;
    this.#bucket = bucket;
    this.#options = options;
    this.#ttlMs = ttlMs;
  }

  async run(name: string, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    assertLeaseName(name);
    // Of this call alone: two calls in one process compete as two processes do.
    const token = `${this.#options.holder} ${randomUUID()}`;
    while (!signal.aborted) {
      const lease = await this.#acquire(name, token, signal);
      if (lease === undefined) return;
      await this.#hold(lease, work, signal);
      await pause(this.#options.retryMs ?? 1000, undefined, { signal }).catch(() => undefined);
    }
  }

  async list(prefix: string): Promise<string[]> {
    try {
      const names = (await this.#bucket.keys('>')).filter((name) => name.startsWith(prefix));
      const entries = await Promise.all(names.map((name) => this.#bucket.kv.get(name)));
      // What was given back leaves a mark for as long as the lease would have lasted.
      return names.filter((_, index) => entries[index]?.operation === 'PUT').sort();
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  held(): string[] {
    return [...this.#held].sort();
  }

  /** `undefined` when `signal` aborted first. */
  async #acquire(name: string, token: string, signal: AbortSignal): Promise<Lease | undefined> {
    let released = Promise.withResolvers<void>();
    // Writes to a bucket are plain messages too: one tells of a release at once. An expiry tells nothing, so look again.
    const subscription = this.#subscribe(name, () => released.resolve());
    try {
      while (!signal.aborted) {
        released = Promise.withResolvers();
        const lease = await this.#take(name, token);
        if (lease !== undefined) return lease;
        const timer = new AbortController();
        const wait = AbortSignal.any([signal, timer.signal]);
        await Promise.race([
          released.promise,
          pause(this.#ttlMs / 6, undefined, { signal: wait }).catch(() => undefined),
        ]);
        timer.abort();
      }
      return undefined;
    } finally {
      subscription?.unsubscribe();
    }
  }

  #subscribe(name: string, onRelease: () => void): { unsubscribe(): void } | undefined {
    try {
      return this.#connection.subscribe(`$KV.${BUCKET}.${name}`, {
        callback: (error, message) => {
          if (error === null && message.headers?.get('KV-Operation') === 'DEL') onRelease();
        },
      });
    } catch {
      // The connection is closing: the caller's signal ends this.
      return undefined;
    }
  }

  /** One attempt; `undefined` when another has it, or NATS does not answer. */
  async #take(name: string, token: string): Promise<Lease | undefined> {
    const { kv } = this.#bucket;
    try {
      const entry = await kv.get(name);
      // An entry of our own is from a request whose answer was lost, or from a lease that we counted as lost.
      if (entry?.operation === 'PUT' && entry.string() !== token) return undefined;
      const sent = performance.now();
      const revision = await kv.put(name, token, { previousSeq: entry?.revision ?? 0 });
      return { name, token, revision, until: sent + holdMs(this.#ttlMs) };
    } catch (error) {
      if (!isWrongRevision(error)) await this.#bucket.ensure().catch(() => undefined);
      return undefined;
    }
  }

  async #hold(lease: Lease, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const done = new AbortController();
    this.#held.add(lease.name);
    lost.signal.addEventListener('abort', () => this.#held.delete(lease.name));
    const renewing = this.#renew(lease, lost, done.signal);
    try {
      await work(AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      this.#options.onWorkError(error, lease.name);
    } finally {
      done.abort();
      await renewing;
      this.#held.delete(lease.name);
      // Where this fails the entry expires, or is no longer ours.
      await this.#bucket.kv.delete(lease.name, { previousSeq: lease.revision }).catch(() => undefined);
    }
  }

  /** Renews until the work is done, or aborts `lost`. */
  async #renew(lease: Lease, lost: AbortController, done: AbortSignal): Promise<void> {
    const lose = (): void => lost.abort();
    const expireLater = (): NodeJS.Timeout => setTimeout(lose, lease.until - performance.now());
    const ended = AbortSignal.any([lost.signal, done]);
    let expiry = expireLater();
    let waitMs = renewMs(this.#ttlMs);
    for (;;) {
      await pause(waitMs, undefined, { signal: ended }).catch(() => undefined);
      // A process that was suspended finds its timers late, in any order.
      if (performance.now() >= lease.until) lose();
      if (ended.aborted) break;
      const sent = performance.now();
      try {
        lease.revision = await this.#bucket.kv.update(lease.name, lease.token, lease.revision);
        waitMs = renewMs(this.#ttlMs);
        if (ended.aborted) break;
        lease.until = sent + holdMs(this.#ttlMs);
        clearTimeout(expiry);
        expiry = expireLater();
      } catch (error) {
        if (isWrongRevision(error)) lose();
        // Anything else may pass before the lease runs out.
        waitMs = renewMs(this.#ttlMs) / 10;
      }
    }
    clearTimeout(expiry);
  }
}

function unavailable(cause: unknown): BelegError {
  return new BelegError('SERVICE_UNAVAILABLE', { detail: 'NATS does not answer', retryAfter: 1, cause });
}
