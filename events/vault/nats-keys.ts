import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { NatsError, type KvEntry } from 'nats';
import { z } from 'zod';
import { BelegError } from '../errors.ts';
import { readJson } from '../json.ts';
import { isNotFound, isUnreadable, isWrongRevision, type Bucket } from '../nats/bucket.ts';
import { KEY_BYTES } from './seal.ts';
import { UnopenableText } from './vault.ts';

export const KEYS_BUCKET = 'beleg_keys';

/**
 * The last entry in a key's log. `live`: there is a key. `erased`: it is gone for good. `removed`: a sweep found the
 * key unused, and the name is free again. The key's own bytes are written once, in the message at `keyAt`, so that they
 * can be overwritten.
 */
interface KeyState {
  readonly kind: 'live' | 'erased' | 'removed';
  /** The sequence of the message with the key; 0 if there never was a key. */
  readonly keyAt: number;
  /** The revision of the last message. The next write succeeds only if this message is still the last one. */
  readonly revision: number;
  readonly key?: Uint8Array;
}

/** The content of a message: a key, or that it was erased or removed. */
const KeyRecord = z.union([
  z.object({ key: z.string().refine((text) => Buffer.from(text, 'base64').length === KEY_BYTES) }),
  z.object({ used: z.int() }),
  z.object({ erased: z.int() }),
  z.object({ removed: z.int() }),
]);
type KeyRecord = z.output<typeof KeyRecord>;

interface Marker {
  readonly name: string;
  readonly revision: number;
  /** When the entry was written, by the clock of the server. */
  readonly at: Date;
}

/**
 * The entries of the vault's bucket. Each name has a log, `key.<hash>`. Each process that uses a key adds a marker
 * `pending.<owner>.<hash>` until the text is on record. Names are hashed, so that any text can be a name and subjects
 * reveal nothing. All methods reject with `STORE_UNAVAILABLE`.
 */
export class NatsKeys {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async last(hash: string): Promise<KeyState | undefined> {
    const entry = await requested(this.#bucket.kv.get(`key.${hash}`));
    if (entry === null) return undefined;
    const { revision } = entry;
    const record = recordOf(entry);
    if ('key' in record)
      return { kind: 'live', keyAt: revision, revision, key: Buffer.from(record.key, 'base64') };
    if ('used' in record) return { kind: 'live', keyAt: record.used, revision };
    if ('erased' in record) return { kind: 'erased', keyAt: record.erased, revision };
    return { kind: 'removed', keyAt: record.removed, revision };
  }

  /** The key; `undefined` if it has been removed meanwhile. */
  async keyOf(hash: string, state: KeyState): Promise<Uint8Array | undefined> {
    if (state.key !== undefined) return state.key;
    const entry = await requested(this.#bucket.kv.get(`key.${hash}`, { revision: state.keyAt }));
    if (entry === null) return undefined;
    const record = recordOf(entry);
    if (!('key' in record)) throw new UnopenableText('the encryption key of this text is damaged');
    return Buffer.from(record.key, 'base64');
  }

  /** Writes a key after `state`, by default a new one; `undefined` if another process was first. */
  async create(
    hash: string,
    state?: KeyState,
    key: Uint8Array = randomBytes(KEY_BYTES),
  ): Promise<Uint8Array | undefined> {
    const record = { key: Buffer.from(key).toString('base64') };
    if ((await this.#write(hash, record, state?.revision ?? 0)) === undefined) return undefined;
    if (state !== undefined) await this.#delete(state.revision);
    return key;
  }

  /**
   * Notes that one more process uses the key, so that a sweep that began before cannot remove it; false if the sweep
   * was first.
   */
  async use(hash: string, state: KeyState): Promise<boolean> {
    if ((await this.#write(hash, { used: state.keyAt }, state.revision)) === undefined) return false;
    if (state.revision !== state.keyAt) await this.#delete(state.revision);
    return true;
  }

  /** Writes the tombstone, then overwrites the key's bytes; false if another process was first. */
  async erase(hash: string, state?: KeyState): Promise<boolean> {
    const revision = await this.#write(hash, { erased: state?.keyAt ?? 0 }, state?.revision ?? 0);
    if (revision === undefined) return false;
    if (state !== undefined) await this.overwrite(state);
    return true;
  }

  /** Removes the key and frees its name; false if the key has been used since `state` was read. */
  async remove(hash: string, state: KeyState): Promise<boolean> {
    const revision = await this.#write(hash, { removed: state.keyAt }, state.revision);
    if (revision === undefined) return false;
    if (state.revision !== state.keyAt) await this.#delete(state.revision);
    await this.finishRemoval({ kind: 'removed', keyAt: state.keyAt, revision });
    return true;
  }

  async finishRemoval(state: KeyState): Promise<void> {
    await this.overwrite(state);
    await this.#delete(state.revision);
  }

  /** Overwrites the key's bytes in the server's files; false if this has been done before. */
  async overwrite({ keyAt }: KeyState): Promise<boolean> {
    return keyAt > 0 && (await this.#delete(keyAt, { overwrite: true }));
  }

  /** Resolves with the marker's revision; `undefined` if there is one already. */
  mark(owner: string, hash: string, name: string): Promise<number | undefined> {
    return this.#put(`pending.${owner}.${hash}`, JSON.stringify(name), 0);
  }

  async marker(owner: string, hash: string): Promise<Marker | undefined> {
    const entry = await requested(this.#bucket.kv.get(`pending.${owner}.${hash}`));
    const name = entry === null ? undefined : readJson(z.string(), entry.string());
    return entry === null || name === undefined
      ? undefined
      : { name, revision: entry.revision, at: entry.created };
  }

  async unmark(revision: number): Promise<void> {
    await this.#delete(revision);
  }

  async markers(): Promise<{ owner: string; hash: string }[]> {
    return (await requested(this.#bucket.keys('pending.>'))).map((key) => {
      const [, owner, hash] = key.split('.') as [string, string, string];
      return { owner, hash };
    });
  }

  /**
   * Makes a damaged bucket usable again; true if it was damaged. Entries that can still be read are written again,
   * about 0.1 ms an entry; if this process ends meanwhile, they are lost.
   */
  async mend(owner: string): Promise<boolean> {
    const { kv, manager, stream } = this.#bucket;
    // The probe is a marker, so that a sweep removes it if it is left behind.
    const probe = `pending.${owner}.probe`;
    const readable = new Map<string, string>();
    let from = 0;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const written = await this.#put(probe, '"probe"', 0);
      if (await requested(this.#bucket.keeps(probe, written ?? 1))) {
        const entry = await requested(kv.get(probe));
        if (entry !== null) await this.#delete(entry.revision);
        // Keys are only written where another process has not written them since.
        await inBatches([...readable], ([key, value]) => this.#put(key, value, 0));
        return round > 0;
      }
      const { state } = await requested(manager.streams.info(stream));
      const last = written ?? state.last_seq;
      // The probe was written to another bucket, which is gone.
      if (last > state.last_seq) throw unavailable(new NotKept());
      await this.#readInto(readable, Math.max(from, state.first_seq), last);
      from = last + 1;
      await requested(this.#bucket.removeUpTo(last));
      // Another process that mends the bucket at the same time would interfere again and again, unless one of them
      // waits.
      await pause(Math.random() * ROUND_MS);
    }
    throw unavailable(new NotKept());
  }

  /**
   * Adds the entries between two revisions that can be read one by one, in the form in which they are written again:
   * without keys that a sweep removed, and each key in a single entry.
   */
  async #readInto(found: Map<string, string>, first: number, last: number): Promise<void> {
    const { manager, stream } = this.#bucket;
    const revisions = Array.from({ length: last - first + 1 }, (_, n) => first + n);
    const keyTexts = new Map<number, string>();
    const messages = await inBatches(revisions, (seq) =>
      manager.streams.getMessage(stream, { seq }).catch((error: unknown) => {
        if (isGone(error) || isUnreadable(error)) return undefined;
        throw unavailable(error);
      }),
    );
    for (const message of messages) {
      if (message === undefined) continue;
      const key = message.subject.slice(`$KV.${KEYS_BUCKET}.`.length);
      const text = message.string();
      if (key.startsWith('pending.') && !key.endsWith('.probe')) found.set(key, text);
      if (!key.startsWith('key.')) continue;
      const record = recordOf(message);
      if ('key' in record) keyTexts.set(message.seq, text);
      const kept = 'used' in record ? keyTexts.get(record.used) : 'erased' in record ? ERASED : text;
      if (kept === undefined || 'removed' in record) found.delete(key);
      else found.set(key, kept);
    }
  }

  async #write(hash: string, record: KeyRecord, expected: number): Promise<number | undefined> {
    const key = `key.${hash}`;
    const revision = await this.#put(key, JSON.stringify(record), expected);
    if (revision !== undefined && !(await requested(this.#bucket.keeps(key, revision)))) {
      throw unavailable(new NotKept());
    }
    return revision;
  }

  async #put(key: string, value: string, expected: number): Promise<number | undefined> {
    try {
      return await this.#bucket.kv.put(key, value, { previousSeq: expected });
    } catch (error) {
      if (isWrongRevision(error)) return undefined;
      throw unavailable(error);
    }
  }

  async #delete(revision: number, options: { overwrite: boolean } = { overwrite: false }): Promise<boolean> {
    const { manager, stream } = this.#bucket;
    try {
      return await manager.streams.deleteMessage(stream, revision, options.overwrite);
    } catch (error) {
      if (isGone(error)) return false;
      throw unavailable(error);
    }
  }
}

/**
 * The server has accepted an entry but does not find it: the bucket is damaged, or the key has been removed meanwhile.
 */
export class NotKept extends Error {
  constructor() {
    super('NATS does not find what it has just accepted');
  }
}

/** The key was erased, and nothing is left to overwrite. */
const ERASED = JSON.stringify({ erased: 0 } satisfies KeyRecord);

const AT_ONCE = 500;
const MAX_ROUNDS = 16;
const ROUND_MS = 50;

/** Runs requests, some hundreds at a time. */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  request: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(request))));
  }
  return results;
}

export function hashName(name: string): string {
  // The name is hashed as JSON, which distinguishes any two strings, even those that are no well-formed Unicode.
  return createHash('sha256').update(JSON.stringify(name)).digest('hex');
}

export function unavailable(cause: unknown): BelegError {
  return new BelegError('STORE_UNAVAILABLE', {
    detail: 'the encryption keys cannot be reached',
    retryAfter: 1,
    cause,
  });
}

/** Whether a deletion failed because the message was deleted before. */
function isGone(error: unknown): boolean {
  return isNotFound(error) || (error instanceof NatsError && error.api_error?.err_code === 10043);
}

async function requested<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * The record in an entry. An entry that was deleted by hand, or that is not a record, counts as no key, and its name is
 * free.
 */
function recordOf(entry: Pick<KvEntry, 'json'>): KeyRecord {
  try {
    return KeyRecord.parse(entry.json());
  } catch {
    return { removed: 0 };
  }
}
