import { createHash, randomBytes } from 'node:crypto';
import { NatsError, type KvEntry } from 'nats';
import { z } from 'zod';
import { BelegError } from '../errors.ts';
import { isNotFound, isWrongRevision, type Bucket } from '../nats/bucket.ts';
import { KEY_BYTES } from './seal.ts';
import { UnopenableText } from './vault.ts';

/**
 * The last entry in a key's log. `live`: there is a key. `erased`: for good. `removed`: a sweep found it unused, and
 * the name is free again. The key's own bytes are written once, in the message at `keyAt`, so that they can be
 * overwritten.
 */
interface KeyState {
  readonly kind: 'live' | 'erased' | 'removed';
  /** 0 if there never was a key. */
  readonly keyAt: number;
  /** The revision of the last message. The next write succeeds only if this message is still the last one. */
  readonly revision: number;
  readonly key?: Uint8Array;
}

/** The content of a message: a key, or what became of the key. */
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
 * The entries of the vault's bucket. Each name has a log, `key.<hash>`, and each process that uses a key puts
 * `pending.<owner>.<hash>` there until the text is on record. Names are hashed, so that any text can be a name and
 * subjects reveal nothing. All methods reject with `STORE_UNAVAILABLE`.
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

  /** `undefined` if it has been removed meanwhile. */
  async keyOf(hash: string, state: KeyState): Promise<Uint8Array | undefined> {
    if (state.key !== undefined) return state.key;
    const entry = await requested(this.#bucket.kv.get(`key.${hash}`, { revision: state.keyAt }));
    if (entry === null) return undefined;
    const record = recordOf(entry);
    if (!('key' in record)) throw new UnopenableText('the encryption key of this text is damaged');
    return Buffer.from(record.key, 'base64');
  }

  /** A new key after `state`; `undefined` if another process was first. */
  async create(hash: string, state?: KeyState): Promise<Uint8Array | undefined> {
    const key = randomBytes(KEY_BYTES);
    const record = { key: key.toString('base64') };
    if ((await this.#write(hash, record, state?.revision ?? 0)) === undefined) return undefined;
    if (state !== undefined) await this.#delete(state.revision);
    return key;
  }

  /**
   * Notes that one more process uses the key, so that no sweep that began before can remove it; false if it came too
   * late.
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

  /** Frees the name; false if the key has been used since `state` was read. */
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

  /** Overwrites the key's bytes in the server's files; false if that has been done before. */
  async overwrite({ keyAt }: KeyState): Promise<boolean> {
    return keyAt > 0 && (await this.#delete(keyAt, { overwrite: true }));
  }

  /** Resolves with the marker's revision; `undefined` if there is one already. */
  mark(owner: string, hash: string, name: string): Promise<number | undefined> {
    return this.#put(`pending.${owner}.${hash}`, JSON.stringify(name), 0);
  }

  async marker(owner: string, hash: string): Promise<Marker | undefined> {
    const entry = await requested(this.#bucket.kv.get(`pending.${owner}.${hash}`));
    return entry === null
      ? undefined
      : { name: entry.json<string>(), revision: entry.revision, at: entry.created };
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

  #write(hash: string, record: KeyRecord, expected: number): Promise<number | undefined> {
    return this.#put(`key.${hash}`, JSON.stringify(record), expected);
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

export function hashName(name: string): string {
  // Hashed as JSON, which distinguishes any two strings, even those that are no well-formed Unicode.
  return createHash('sha256').update(JSON.stringify(name)).digest('hex');
}

export function unavailable(cause: unknown): BelegError {
  return new BelegError('STORE_UNAVAILABLE', {
    detail: 'the encryption keys cannot be reached',
    retryAfter: 1,
    cause,
  });
}

/** The message was deleted before. */
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

/** An entry that was deleted by hand, or that holds no record, stands for no key, and its name is free. */
function recordOf(entry: KvEntry): KeyRecord {
  try {
    return KeyRecord.parse(entry.json());
  } catch {
    return { removed: 0 };
  }
}
