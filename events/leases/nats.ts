import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { NatsConnection } from 'nats';
import { BelegError } from '../errors.ts';
import { openBucket, isWrongRevision, LEASES_BUCKET } from '../nats/bucket.ts';
import { LEASE_MS, RETRY_MS } from './lease-times.ts';
import { assertLeaseName, type Leases, type OnWorkError } from './leases.ts';

interface NatsLeasesOptions {
  /** The name of this process, for people who read the bucket. */
  readonly holder: string;
  readonly onWorkError: OnWorkError;
  /** Called, for the log, when this process gets a lease, and when it loses one without giving it back. */
  readonly onHeld?: (lease: string) => void;
  readonly onLost?: (lease: string) => void;
  /**
   * Milliseconds after which the lease of a dead holder is free (default 3000). All processes of one cluster must have
   * the same value: it is a setting of the bucket.
   */
  readonly ttlMs?: number;
  /** Milliseconds until work that ended by itself is tried again (default 1000). */
  readonly retryMs?: number;
  /** Servers of a NATS cluster that keep the leases. */
  readonly replicas?: number | undefined;
}

/**
 * Leases in a NATS key-value bucket: a holder's entry expires `ttlMs` after its last renewal. It renews after a third
 * of that, and treats its lease as lost after three quarters, by its own monotonic clock and counted from before the
 * renewal was sent. So it has stopped before anyone else can begin.
 *
 * Rejects with `SERVICE_UNAVAILABLE` when the bucket cannot be opened. Afterwards NATS may go and come back: leases are
 * lost and won again.
 */
export async function openNatsLeases(
  connection: NatsConnection,
  { holder, onWorkError, onHeld, onLost, ttlMs = LEASE_MS, retryMs = RETRY_MS, replicas }: NatsLeasesOptions,
): Promise<Leases> {
  const renewMs = ttlMs / 3;
  const holdMs = (ttlMs * 3) / 4;
  const timeoutMs = holdMs - renewMs;
  const bucket = await openBucket(connection, {
    name: LEASES_BUCKET,
    history: 1,
    ttlMs,
    replicas,
    timeoutMs,
  }).catch(unavailable);
  const { kv } = bucket;
  const held = new Map<string, Lease>();

  /** Calls `onRelease` each time that a holder gives the lease back. */
  const subscribe = (name: string, onRelease: () => void): { unsubscribe(): void } | undefined => {
    try {
      return connection.subscribe(`$KV.${LEASES_BUCKET}.${name}`, {
        callback: (error, message) => {
          if (error === null && message.headers?.get('KV-Operation') === 'DEL') onRelease();
        },
      });
    } catch {
      // The connection is closing; the caller's signal ends the work.
      return undefined;
    }
  };

  /** Makes one attempt; `undefined` if another process has the lease, or NATS does not answer. */
  const take = async (name: string, token: string): Promise<Lease | undefined> => {
    try {
      const entry = await kv.get(name);
      // An entry of our own is left from a request whose answer was lost, or from a lease that we counted as lost, so
      // it may be taken again.
      if (entry?.operation === 'PUT' && entry.string() !== token) return undefined;
      const [sent, from] = [performance.now(), Date.now()];
      const revision = await kv.put(name, token, { previousSeq: entry?.revision ?? 0 });
      const written = { from, to: Date.now() };
      const until = sent + holdMs;
      // A damaged bucket would give the lease to every process at once, and take it away at the next renewal.
      if (await bucket.keeps(name, revision)) return { name, token, revision, written, until };
      // The entry cannot have expired yet, so a bucket that does not have it is damaged. A user who may not remove
      // entries waits for one who may.
      if (performance.now() < until) await bucket.removeUpTo(revision).catch(() => undefined);
      return undefined;
    } catch (error) {
      if (!isWrongRevision(error)) await bucket.ensure().catch(() => undefined);
      return undefined;
    }
  };

  /** Waits for the lease; `undefined` if `signal` aborted first. */
  const acquire = async (name: string, token: string, signal: AbortSignal): Promise<Lease | undefined> => {
    let released = new AbortController();
    // A release is announced by a message, but an expiry is not. So another attempt is also made after a while.
    const subscription = subscribe(name, () => released.abort());
    try {
      while (!signal.aborted) {
        released = new AbortController();
        const lease = await take(name, token);
        if (lease !== undefined) return lease;
        const over = AbortSignal.any([signal, released.signal]);
        await pause(ttlMs / 6, undefined, { signal: over }).catch(() => undefined);
      }
      return undefined;
    } finally {
      subscription?.unsubscribe();
    }
  };

  /** Renews the lease until the work is done, or aborts `lost` when the lease is lost. */
  const renew = async (lease: Lease, lost: AbortController, done: AbortSignal): Promise<void> => {
    const lose = (): void => lost.abort();
    // A process that stood still while it waited for the answer may get it after the lease has run out.
    const expireLater = (): NodeJS.Timeout => setTimeout(lose, Math.max(0, lease.until - performance.now()));
    const ended = AbortSignal.any([lost.signal, done]);
    let expiry = expireLater();
    let waitMs = renewMs;
    for (;;) {
      await pause(waitMs, undefined, { signal: ended }).catch(() => undefined);
      // The timers of a process that was suspended fire late and in any order.
      if (performance.now() >= lease.until) lose();
      if (ended.aborted) break;
      const [sent, from] = [performance.now(), Date.now()];
      try {
        lease.revision = await kv.update(lease.name, lease.token, lease.revision);
        lease.written = { from, to: Date.now() };
        waitMs = renewMs;
        if (ended.aborted) break;
        lease.until = sent + holdMs;
        clearTimeout(expiry);
        expiry = expireLater();
      } catch (error) {
        if (isWrongRevision(error)) lose();
        // Any other fault may pass before the lease runs out.
        waitMs = renewMs / 10;
      }
    }
    clearTimeout(expiry);
  };

  const hold = async (
    lease: Lease,
    work: (held: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> => {
    const { name } = lease;
    const lost = new AbortController();
    const done = new AbortController();
    held.set(name, lease);
    onHeld?.(name);
    lost.signal.addEventListener('abort', () => {
      held.delete(name);
      onLost?.(name);
    });
    const renewing = renew(lease, lost, done.signal);
    try {
      await work(AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      onWorkError(error, name);
    } finally {
      done.abort();
      await renewing;
      held.delete(name);
      // If the deletion fails, the entry expires, or belongs to another process already.
      await kv.delete(name, { previousSeq: lease.revision }).catch(() => undefined);
    }
  };

  return {
    async run(name, work, signal) {
      assertLeaseName(name);
      // The token is unique to this call: two calls in one process compete for the lease as two processes do.
      const token = `${holder} ${randomUUID()}`;
      while (!signal.aborted) {
        const lease = await acquire(name, token, signal);
        if (lease === undefined) return;
        await hold(lease, work, signal);
        await pause(retryMs, undefined, { signal }).catch(() => undefined);
      }
    },
    async list(prefix) {
      const names = (await bucket.keys('>').catch(unavailable)).filter((name) => name.startsWith(prefix));
      const entries = await Promise.all(names.map((name) => kv.get(name))).catch(unavailable);
      // A released lease leaves a deletion mark in the bucket until it would have expired.
      return names.filter((_, index) => entries[index]?.operation === 'PUT').sort();
    },
    // A process that stood still may ask before its timers have noticed that the lease is over.
    held: () =>
      [...held.values()]
        .filter(({ until }) => performance.now() < until)
        .map(({ name }) => name)
        .sort(),
    async clockAhead() {
      const lease = [...held.values()].find(({ until }) => performance.now() < until);
      if (lease === undefined) return 0;
      const { name, revision, written } = lease;
      const entry = await kv.get(name).catch(unavailable);
      // The lease may have been renewed meanwhile.
      if (entry?.revision !== revision) return 0;
      const stored = entry.created.getTime();
      return Math.max(0, written.from - stored) + Math.min(0, written.to - stored);
    },
  };
}

interface Lease {
  readonly name: string;
  readonly token: string;
  /** The revision of our last renewal. While the entry still has this revision, nobody else has written it. */
  revision: number;
  /** The times of our clock between which that renewal was written. */
  written: { readonly from: number; readonly to: number };
  /** When the lease ends, by the monotonic clock. */
  until: number;
}

function unavailable(cause: unknown): never {
  const detail = 'the leases in NATS cannot be reached';
  throw new BelegError('SERVICE_UNAVAILABLE', { detail, retryAfter: 1, cause });
}
