import { DiscardPolicy, nanos, NatsError, RetentionPolicy, StorageType, type NatsConnection } from 'nats';
import { apiCode, ensureStream, isForbidden, waitForStream } from './ensure-stream.ts';
import { given } from '../given.ts';

/** The bucket of the leases. Every service but the gateway uses it. */
export const LEASES_BUCKET = 'beleg_leases';

interface BucketOptions {
  readonly name: string;
  /** The number of versions that are kept of a key; -1 for all, until they are deleted. */
  readonly history: number;
  /** Milliseconds after which an entry expires; 0: never. */
  readonly ttlMs: number;
  /** Servers of the cluster that keep a copy. Default: 1 for a new bucket, unchanged for one that exists. */
  readonly replicas?: number | undefined;
  /** Milliseconds that one request may take. */
  readonly timeoutMs: number;
}

const DUPLICATE_WINDOW_MS = 120_000;

/**
 * A JetStream key-value bucket. Reads go to the stream's leader, because a replica could miss an entry that was
 * acknowledged a moment ago. Watches and key iterators of the client are not used, because each would have to be
 * stopped.
 */
export type Bucket = Awaited<ReturnType<typeof bindBucket>>;

/** Opens the bucket without a request to the server. If the bucket does not exist, its entries are not found. */
export async function bindBucket(
  connection: NatsConnection,
  { name, timeoutMs }: Pick<BucketOptions, 'name' | 'timeoutMs'>,
) {
  const jetstream = connection.jetstream({ timeout: timeoutMs, checkAPI: false });
  const manager = await jetstream.jetstreamManager(false);
  const kv = await jetstream.views.kv(name, { bindOnly: true, allow_direct: false });
  const stream = `KV_${name}`;
  const prefix = `$KV.${name}.`;
  return {
    kv,
    manager,
    stream,
    /**
     * The keys that match, with wildcards. Deleted ones are among them as long as the mark of their deletion is kept.
     */
    async keys(filter: string): Promise<string[]> {
      const { state } = await manager.streams.info(stream, { subjects_filter: prefix + filter });
      return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(prefix.length));
    },
    /**
     * Whether the entry written at this revision is found. If its files came back damaged, nats-server 2.9 still
     * accepts entries, but finds neither them nor any earlier ones. An entry that was deleted or has expired since is
     * not found either.
     */
    async keeps(key: string, revision: number): Promise<boolean> {
      const entry = await kv.get(key).catch((error: unknown) => {
        if (isUnreadable(error)) return null;
        throw error;
      });
      return entry !== null && entry.revision >= revision;
    },
    /**
     * Makes a damaged bucket usable again, by removing everything up to an entry that was written and not found. Later
     * entries stay: another process may have done the same already and written since. If others had written after the
     * damage but before this, the bucket is still damaged: write another entry, and remove it too if it is not found.
     */
    async removeUpTo(revision: number): Promise<void> {
      await manager.streams.purge(stream, { seq: revision + 1 }).catch((error: unknown) => {
        if (!isUnreadable(error)) throw error;
      });
    },
  };
}

/**
 * Creates the bucket if there is none, and changes settings that differ. A user without these rights waits until the
 * bucket exists. `ensure` makes sure that the bucket still exists, since the server may have lost its files. It
 * resolves with the time at which the bucket was created, which differs if the bucket was created again.
 */
export async function openBucket(connection: NatsConnection, options: BucketOptions) {
  const bucket = await bindBucket(connection, options);
  const { manager, stream } = bucket;
  const { name, history, ttlMs, replicas } = options;
  const ensure = () =>
    ensureStream(manager, {
      name: stream,
      subjects: [`$KV.${name}.>`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.New,
      max_msgs_per_subject: history,
      max_age: nanos(ttlMs),
      // The server recognises a repeated message within this time. It is the server's default, or the age of messages
      // if that is shorter: the server would refuse a longer time.
      duplicate_window: nanos(ttlMs === 0 ? DUPLICATE_WINDOW_MS : Math.min(ttlMs, DUPLICATE_WINDOW_MS)),
      allow_direct: false,
      allow_rollup_hdrs: true,
      deny_delete: false,
      ...given({ num_replicas: replicas }),
    });
  await ensure().catch((error: unknown) => {
    if (isForbidden(error)) return waitForStream(manager, stream);
    throw error;
  });
  return { ...bucket, ensure };
}

/** True if a write failed because somebody else had written the key first. */
export function isWrongRevision(error: unknown): boolean {
  return apiCode(error) === 10071;
}

/** True if the server knows of the message but cannot read it from its files. */
export const isUnreadable = (error: unknown): boolean => apiCode(error) === 10051;

/** True if the stream or the message does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.code === 404;
}
