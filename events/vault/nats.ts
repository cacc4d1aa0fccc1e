import { setTimeout as pause } from 'node:timers/promises';
import { ErrorCode, Events, NatsError, type NatsConnection, type Subscription } from 'nats';
import { BelegError } from '../errors.ts';
import { openBucket } from '../nats/bucket.ts';
import { Recent } from '../bounded-map.ts';
import { backoff, RETRY_PAUSES } from '../retry-pauses.ts';
import { KeyCache } from './key-cache.ts';
import { hashName, inBatches, KEYS_BUCKET, NatsKeys, NotKept, unavailable } from './nats-keys.ts';
import { isKeyOf, openText, sealText } from './seal.ts';
import {
  UnopenableText,
  type KeyCheck,
  type KeyState,
  type Sealed,
  type SealedText,
  type Vault,
} from './vault.ts';

/** The subject that tells the vaults of other processes, by the hash of a name, to forget an erased key. */
const ERASED_SUBJECT = 'beleg.v1.vault.erased';

const REQUEST_TIMEOUT_MS = 2_000;
const SWEEP_AFTER_MS = 600_000;
/** The most markers of this process that are remembered to be removed. The next sweep removes any others. */
const MAX_MARKERS = 100_000;
const CONFIRM_BATCH = 500;
const CONFIRM_AFTER_MS = 1_000;
const SWEEP_PAGE = 500;
/** The most processes that can create the key of one name at once and still all succeed. */
const MAX_CONFLICTS = 16;

export interface NatsVaultOptions {
  /**
   * The name of the process that cares for the keys created here: the same over all its restarts, and of no other
   * running process. Letters, digits, `_` and `-`. `sweep` checks only the unconfirmed keys of this owner, because it
   * cannot see the spools of others.
   */
  readonly owner: string;
  /** Servers of a NATS cluster that keep the keys. Default: 1. */
  readonly replicas?: number | undefined;
  /**
   * Milliseconds for which a sweep leaves a key alone after it was marked as in use (default 600,000). An append that a
   * process had sent before it died may still arrive, and without the key nobody could read its text.
   */
  readonly sweepAfterMs?: number;
  /** Milliseconds for which a key is kept in memory (default 60,000). */
  readonly cachedForMs?: number;
  /**
   * Called if entries of the bucket were lost, for example with the server's files, or the bucket was created again:
   * then it no longer knows what was erased. No text is encrypted or decrypted until this has resolved. If it rejects,
   * it is called again.
   */
  readonly onEmptied?: () => Promise<void>;
}

/**
 * Keys in a NATS key-value bucket that many processes share. The first process that needs the key of a name creates it.
 * A key in memory costs no round trip, a new one costs two: it is used only after it was read back.
 *
 * A key is acknowledged by the server before `seal` resolves, so it survives the death of any process, even of the
 * server. A power cut can take more: nats-server flushes its files every two minutes, and text under a key that was
 * lost is lost, unless a running process still has the key in memory and puts it back. To prevent this, keep the bucket
 * on three servers (`replicas: 3`), or from nats-server 2.10 on set `jetstream { sync_interval: always }`.
 *
 * Erasing overwrites the key in the server's files. It does not reach copies elsewhere: backups and, in a cluster, the
 * log of its consensus until that is compacted.
 *
 * Rejects with `STORE_UNAVAILABLE`, also for a bucket that does not allow messages to be deleted.
 */
export async function openNatsVault(connection: NatsConnection, options: NatsVaultOptions): Promise<Vault> {
  if (!/^[\w-]+$/u.test(options.owner)) throw new TypeError(`not a valid owner of keys: ${options.owner}`);
  try {
    const bucket = await openBucket(connection, {
      name: KEYS_BUCKET,
      // The vault deletes old entries itself, because the server would drop them without overwriting them.
      history: -1,
      ttlMs: 0,
      replicas: options.replicas,
      timeoutMs: REQUEST_TIMEOUT_MS,
    });
    const keys = new NatsKeys(bucket);
    const { created } = await bucket.ensure();
    const isNew = await keys.mend(options.owner);
    return new NatsVault(connection, keys, bucket.ensure, { created, isNew }, options);
  } catch (error) {
    throw unavailable(error);
  }
}

class NatsVault implements Vault {
  readonly #connection: NatsConnection;
  readonly #keys: NatsKeys;
  readonly #ensure: () => Promise<{ readonly created: string }>;
  readonly #onEmptied: () => Promise<void>;
  /** When the bucket that the other fields describe was created. */
  #created: string;
  /** How many times the bucket may have been replaced, and how many of these cases have been examined. */
  #doubts = 0;
  #settledDoubts = 0;
  /** Whether the bucket was replaced or has lost entries, so that erasures may be missing from it. */
  #isNew: boolean;
  #settling: Promise<void> | undefined;
  readonly #owner: string;
  readonly #sweepAfterMs: number;
  readonly #notices: Subscription;
  readonly #cache: KeyCache;
  readonly #creating = new Map<string, Promise<Uint8Array | null>>();
  /** The markers of this process, by hash, each with the revision that deletes it. */
  readonly #markers = new Recent<string, number>(MAX_MARKERS);
  #confirmed: number[] = [];
  #confirmTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    connection: NatsConnection,
    keys: NatsKeys,
    ensure: () => Promise<{ readonly created: string }>,
    { created, isNew }: { readonly created: string; readonly isNew: boolean },
    options: NatsVaultOptions,
  ) {
    this.#connection = connection;
    this.#keys = keys;
    this.#ensure = ensure;
    this.#created = created;
    this.#isNew = isNew;
    this.#onEmptied = options.onEmptied ?? (() => Promise.resolve());
    this.#owner = options.owner;
    this.#cache = new KeyCache(options.cachedForMs);
    this.#sweepAfterMs = options.sweepAfterMs ?? SWEEP_AFTER_MS;
    this.#notices = connection.subscribe(ERASED_SUBJECT, {
      callback: (error, message) => {
        if (error === null) this.#cache.forget(message.string());
      },
    });
    void this.#doubtAfterBreaks();
  }

  async seal(name: string, plaintext: string, context: string): Promise<Sealed> {
    await this.#settled();
    const hash = hashName(name);
    const key = this.#cache.get(hash) ?? (await this.#create(name, hash));
    if (key === null) throw new BelegError('REQUEST_ERASED');
    return sealText(key, name, plaintext, context);
  }

  async open(name: string, sealed: Sealed, context: string): Promise<string | null> {
    await this.#settled();
    const hash = hashName(name);
    const key = this.#cache.get(hash) ?? (await this.#load(hash));
    if (key === undefined) throw new UnopenableText('the encryption key of this text is missing');
    return key === null ? null : openText(key, name, sealed, context);
  }

  confirm(name: string): void {
    if (this.#closed) return;
    const hash = hashName(name);
    const marker = this.#markers.get(hash);
    if (marker === undefined) return;
    this.#markers.delete(hash);
    this.#confirmed.push(marker);
    if (this.#confirmed.length >= CONFIRM_BATCH) void this.#writeConfirmations();
    else this.#confirmTimer ??= setTimeout(() => void this.#writeConfirmations(), CONFIRM_AFTER_MS).unref();
  }

  async sweep(isUsed: KeyCheck): Promise<number> {
    await this.#settled();
    let removed = 0;
    const all = await this.#keys.markers();
    const hashes = all.filter(({ owner }) => owner === this.#owner).map(({ hash }) => hash);
    for (let start = 0; start < hashes.length; start += SWEEP_PAGE) {
      removed += await this.#sweepPage(hashes.slice(start, start + SWEEP_PAGE), isUsed);
    }
    return removed;
  }

  async erase(name: string): Promise<boolean> {
    // While the erased names are written to the bucket again, nothing else may be written.
    if (!this.#isNew) await this.#settled();
    const hash = hashName(name);
    this.#cache.forget(hash);
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      const state = await this.#keys.last(hash);
      // An erasure that was cut off is finished here.
      const done = state?.kind === 'erased' || (await this.#doubting(() => this.#keys.erase(hash, state)));
      if (!done) continue;
      const erased =
        state?.kind === 'live' || (state?.kind === 'erased' && (await this.#keys.overwrite(state)));
      this.#cache.forget(hash);
      this.#tellErased(hash);
      return erased;
    }
    throw unavailable(new Error('too many other processes are writing this key'));
  }

  async stateOf(name: string, text?: SealedText): Promise<KeyState> {
    this.#assertOpen();
    const hash = hashName(name);
    const state = await this.#keys.last(hash);
    if (state === undefined || state.kind === 'removed') return 'missing';
    if (state.kind === 'erased') return 'erased';
    if (text === undefined) return 'there';
    const key = await this.#keys.keyOf(hash, state).catch((error: unknown) => {
      if (error instanceof UnopenableText) return null;
      throw error;
    });
    // If the key was removed while it was read, the next check finds it missing.
    return key === undefined || (key !== null && isKeyOf(key, name, text)) ? 'there' : 'missing';
  }

  async isErased(name: string): Promise<boolean> {
    if (!this.#isNew) await this.#settled();
    return (await this.#keys.last(hashName(name)))?.kind === 'erased';
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#cache.clear();
    this.#notices.unsubscribe();
    await this.#writeConfirmations();
  }

  /**
   * Tells the vaults of other processes that a key was erased. The notice is sent at most once. If it is lost, other
   * processes forget the key when its time in their cache is over.
   */
  #tellErased(hash: string): void {
    try {
      this.#connection.publish(ERASED_SUBJECT, hash);
    } catch {
      // The connection is closing, but the key is erased.
    }
  }

  /** The key; `null` if it was erased; `undefined` if there never was one. */
  async #load(hash: string): Promise<Uint8Array | null | undefined> {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      const { forgotten } = this.#cache;
      const state = await this.#keys.last(hash);
      if (state === undefined || state.kind === 'removed') return undefined;
      if (state.kind === 'erased') return null;
      const key = await this.#keys.keyOf(hash, state);
      if (key !== undefined) return this.#cache.set(hash, key, forgotten);
    }
    throw unavailable(new Error('too many other processes are writing this key'));
  }

  #create(name: string, hash: string): Promise<Uint8Array | null> {
    let creating = this.#creating.get(hash);
    if (creating === undefined) {
      creating = this.#createOrMakeAgain(name, hash).finally(() => this.#creating.delete(hash));
      this.#creating.set(hash, creating);
    }
    return creating;
  }

  /**
   * Creates a key. If the key cannot be stored, the bucket is gone and is created again, or is damaged and is mended.
   */
  async #createOrMakeAgain(name: string, hash: string): Promise<Uint8Array | null> {
    try {
      return await this.#doubting(() => this.#createOrJoin(name, hash));
    } catch (error) {
      if (!isUntaken(error)) throw error;
      await this.#settled();
      return this.#createOrJoin(name, hash);
    }
  }

  async #doubting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#doubts++;
      throw error;
    }
  }

  /** Creates the key of a name or takes the existing one; `null` if the name was erased. */
  async #createOrJoin(name: string, hash: string): Promise<Uint8Array | null> {
    const { forgotten } = this.#cache;
    // The marker and the key are sent together. The server processes them in this order, so no key lacks its marker.
    const [, created] = await Promise.all([this.#mark(name, hash), this.#keys.create(hash)]);
    if (created !== undefined) return this.#cache.set(hash, created, forgotten);
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      const { forgotten } = this.#cache;
      const state = await this.#keys.last(hash);
      if (state?.kind === 'erased') return null;
      let key: Uint8Array | undefined;
      if (state?.kind === 'live') {
        key = await this.#keys.keyOf(hash, state);
        if (key !== undefined && !(await this.#keys.use(hash, state))) key = undefined;
      } else {
        if (state !== undefined) await this.#keys.overwrite(state);
        key = await this.#keys.create(hash, state);
      }
      if (key !== undefined) return this.#cache.set(hash, key, forgotten);
    }
    throw unavailable(new Error('too many other processes are writing this key'));
  }

  async #mark(name: string, hash: string): Promise<void> {
    const revision = await this.#keys.mark(this.#owner, hash, name);
    if (revision !== undefined) this.#markers.set(hash, revision);
  }

  /** Removes the markers of confirmed keys. Never rejects, because a marker that stays is checked at the next start. */
  async #writeConfirmations(): Promise<void> {
    clearTimeout(this.#confirmTimer);
    this.#confirmTimer = undefined;
    if (this.#confirmed.length === 0) return;
    try {
      // In another bucket these revisions would belong to other entries.
      await this.#settle();
    } catch {
      // These keys are checked at the next start.
      return;
    }
    const markers = this.#confirmed;
    this.#confirmed = [];
    await Promise.allSettled(markers.map((marker) => this.#keys.unmark(marker)));
  }

  /**
   * Removes unused keys in four steps, in this order. Another process that uses one of these keys first adds its
   * marker, then writes to the key's log, and removes its marker when the text is on record. So if it wrote before step
   * 1, step 2 finds its marker or step 3 its text; if later, step 4 fails.
   */
  async #sweepPage(hashes: readonly string[], isUsed: KeyCheck): Promise<number> {
    const markers = await Promise.all(hashes.map((hash) => this.#keys.marker(this.#owner, hash)));
    const states = await Promise.all(hashes.map((hash) => this.#keys.last(hash)));
    const others = (await this.#keys.markers()).filter(({ owner }) => owner !== this.#owner);
    const shared = new Set(others.map(({ hash }) => hash));
    let removed = 0;
    for (const [index, hash] of hashes.entries()) {
      const marker = markers[index];
      if (marker === undefined) continue;
      const state = states[index];
      if (state?.kind === 'erased') await this.#keys.overwrite(state);
      if (state?.kind === 'removed') await this.#keys.finishRemoval(state);
      if (state?.kind === 'live') {
        const isFresh = Date.now() - marker.at.getTime() < this.#sweepAfterMs;
        const used = (await isUsed(marker.name)) || (isFresh && 'later');
        // The marker stays for a later sweep. Otherwise another process that shares the key would remove the key.
        if (used === 'later') continue;
        if (!used && !shared.has(hash)) {
          this.#cache.forget(hash);
          if (await this.#keys.remove(hash, state)) removed++;
        }
      }
      await this.#keys.unmark(marker.revision);
      this.#markers.delete(hash);
    }
    return removed;
  }

  /**
   * A server that comes back may have lost its files. Other processes may need keys that only this process still has,
   * so the bucket is checked at once and not with the next text.
   */
  async #doubtAfterBreaks(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (this.#closed) return;
      if (type !== Events.Reconnect) continue;
      this.#doubts++;
      void this.#settleAtLast();
    }
  }

  async #settleAtLast(): Promise<void> {
    for (let failures = 1; this.#isInDoubt && !this.#closed; failures++) {
      try {
        await this.#settle();
      } catch {
        await pause(backoff(failures, RETRY_PAUSES.keys), undefined, { ref: false });
      }
    }
  }

  get #isInDoubt(): boolean {
    return this.#isNew || this.#doubts !== this.#settledDoubts;
  }

  /** Resolves when the bucket exists and the fields describe it. */
  async #settled(): Promise<void> {
    this.#assertOpen();
    while (this.#isInDoubt) await this.#settle();
  }

  #settle(): Promise<void> {
    return (this.#settling ??= this.#lookAtBucket().finally(() => (this.#settling = undefined)));
  }

  async #lookAtBucket(): Promise<void> {
    const doubts = this.#doubts;
    const { created } = await this.#ensure().catch((error: unknown) => {
      throw unavailable(error);
    });
    if ((await this.#keys.mend(this.#owner)) || created !== this.#created) {
      this.#markers.clear();
      this.#confirmed = [];
      this.#created = created;
      this.#isNew = true;
    }
    const lost = this.#isInDoubt ? await this.#lostKeys() : [];
    if (lost.length > 0) this.#isNew = true;
    if (this.#isNew) await this.#onEmptied();
    await inBatches(lost, ([hash, key]) => this.#putBack(hash, key));
    this.#isNew = false;
    this.#settledDoubts = doubts;
  }

  /** The keys that this process still has in memory and that the bucket has lost. */
  async #lostKeys(): Promise<[hash: string, key: Uint8Array][]> {
    const known = this.#cache.entries();
    const states = await inBatches(known, ([hash]) => this.#keys.last(hash));
    return known.filter((_, n) => states[n] === undefined);
  }

  /** Writes a key again, unless it has been erased, or another process has created another one. */
  async #putBack(hash: string, key: Uint8Array): Promise<void> {
    if ((await this.#keys.create(hash, undefined, key)) !== undefined) return;
    // Another process with the same key may have written it first. Then both keep the key in memory, in case the bucket
    // loses it again.
    const there = (await this.#keys.last(hash))?.key;
    if (there === undefined || Buffer.compare(there, key) !== 0) this.#cache.forget(hash);
  }

  #assertOpen(): void {
    if (this.#closed) throw new BelegError('STORE_UNAVAILABLE', { detail: 'the key store is closed' });
  }
}

/** Whether no stream accepts the message, or the message was accepted and is not found. */
const isUntaken = (error: unknown): boolean =>
  error instanceof BelegError &&
  (error.cause instanceof NotKept ||
    (error.cause instanceof NatsError && error.cause.code === (ErrorCode.NoResponders as string)));
