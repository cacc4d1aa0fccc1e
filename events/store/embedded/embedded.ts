import { BelegError } from '../../errors.ts';
import { GroupCommit } from '../../sqlite/group-commit.ts';
import { ownFile } from '../../sqlite/readable-file.ts';
import { prepareAppend } from '../prepare.ts';
import type { ScannedPage } from '../scan.ts';
import type { AppendResult, EventStore, NewEvent } from '../store.ts';
import { Reader, toPosition } from './reader.ts';
import { Reading } from './reading.ts';
import { scanEmbedded } from './scan.ts';
import type { WriteJob, WriteResult } from './writer.ts';

/**
 * The record in one SQLite file: a writer thread with group commit (`synchronous=FULL`), readers on the caller's
 * thread. One process a file. Rejects with `STORE_UNAVAILABLE` when the file cannot be opened or is in use.
 *
 * @example
 * const store = await openEmbeddedStore({ file: 'data/events.db' });
 * await store.append('ask-1', NO_STREAM, [event]);
 */
export async function openEmbeddedStore(options: { file: string }): Promise<EventStore> {
  let store: EmbeddedStore | undefined;
  const writer = await GroupCommit.open<WriteJob, WriteResult>({
    file: options.file,
    thread: new URL('./writer.ts', import.meta.url),
    onCommit: () => store?.committed(),
  });
  try {
    store = new EmbeddedStore(options.file, writer);
    return store;
  } catch (error) {
    await writer.close();
    throw error;
  }
}

class EmbeddedStore extends Reading implements EventStore {
  readonly #file: string;
  readonly #writer: GroupCommit<WriteJob, WriteResult>;

  constructor(file: string, writer: GroupCommit<WriteJob, WriteResult>) {
    super(new Reader(ownFile(file)));
    this.#file = file;
    this.#writer = writer;
  }

  async append(stream: string, expectedRevision: bigint, events: readonly NewEvent[]): Promise<AppendResult> {
    const prepared = prepareAppend(stream, events);
    const expected = Number(expectedRevision);
    const result = await this.#writer.submit(
      { kind: 'append', stream, expected, events: prepared.events },
      prepared.bytes,
    );
    if (result.kind !== 'appended') {
      const reason = result.kind === 'conflict' ? result.reason : result.kind;
      throw new BelegError('WRONG_EXPECTED_REVISION', { cause: new Error(`${stream}: ${reason}`) });
    }
    return { revision: BigInt(result.revision), position: toPosition(result.position) };
  }

  scan(stream?: string): AsyncIterable<ScannedPage> {
    return scanEmbedded(this.#file, stream);
  }

  async ping(): Promise<void> {
    await this.#writer.submit({ kind: 'ping' }, 0);
  }

  override async close(): Promise<void> {
    // The writer last: the last connection that may write brings the write-ahead log home into the file.
    await super.close();
    await this.#writer.close();
  }
}
