import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { fromSnapshot, SNAPSHOT_VERSION, toSnapshot } from '../../../actors/trading/snapshot.ts';
import type { AccountState } from '../../../actors/trading/state.ts';
import type { Json } from '../../../events/json.ts';
import type { AccountWriter } from './account.ts';

/** An account's state after one event of its stream. */
interface Snapshot {
  readonly state: AccountState;
  readonly revision: bigint;
  readonly eventId: string;
}

/** A cache of snapshots: a faulty one counts as missing. */
export type Snapshots = ReturnType<typeof snapshotFile>;

const Head = z.strictObject({
  version: z.literal(SNAPSHOT_VERSION),
  revision: z.string().regex(/^\d+$/),
  event_id: z.string(),
  sha256: z.string(),
});

/**
 * The newest snapshot of one account in one file: the first line describes it and has the hash of the second. The file
 * is replaced as a whole, so that a kill leaves the previous snapshot.
 */
export function snapshotFile(file: string, onFault: (error: unknown) => void) {
  return {
    async read(): Promise<Snapshot | undefined> {
      try {
        const [head = '', body = ''] = (await readFile(file, 'utf8')).split('\n');
        const { revision, event_id, sha256 } = Head.parse(JSON.parse(head));
        if (sha256 !== hash(body)) return undefined;
        const state = fromSnapshot(JSON.parse(body) as Json);
        return { state, revision: BigInt(revision), eventId: event_id };
      } catch {
        return undefined;
      }
    },

    async write({ state, revision, eventId }: Snapshot): Promise<void> {
      try {
        // The text is made before any `await`, because the state goes on changing.
        const body = JSON.stringify(toSnapshot(state));
        const head: z.input<typeof Head> = {
          version: SNAPSHOT_VERSION,
          revision: String(revision),
          event_id: eventId,
          sha256: hash(body),
        };
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(`${file}.new`, `${JSON.stringify(head)}\n${body}\n`, { mode: 0o600, flush: true });
        await rename(`${file}.new`, file);
      } catch (error) {
        onFault(error);
      }
    },
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The number of events after which the next snapshot is due. It grows with the number of orders, so that the cost of
 * snapshots stays small.
 */
const EVERY = 5_000;

/** Takes a snapshot from time to time. The function that it returns takes one at the end, when the writer is closed. */
export function takeSnapshots(snapshots: Snapshots, writer: AccountWriter): () => Promise<void> {
  /** The number of events recorded since the last snapshot. */
  let events = 0;
  let lastEvent: string | undefined;
  let writing: Promise<void> | undefined;

  function take(): void {
    if (writing !== undefined || lastEvent === undefined) return;
    const { state, revision } = writer;
    events = 0;
    writing = snapshots.write({ state, revision, eventId: lastEvent }).finally(() => (writing = undefined));
  }

  const unsubscribe = writer.follow((recorded) => {
    events += recorded.length;
    lastEvent = recorded.at(-1)?.id;
    if (events >= Math.max(EVERY, writer.state.orders.size)) take();
  });
  return async () => {
    unsubscribe();
    await writing;
    if (writer.isIdle && events > 0) take();
    await writing;
  };
}
