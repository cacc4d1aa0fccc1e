import { BelegError } from '../../errors.ts';
import { GroupCommit } from '../../sqlite/group-commit.ts';
import { ownFile } from '../../sqlite/readable-file.ts';
import { prepareAppend } from '../prepare.ts';
import type { ScannedPage } from '../scan.ts';
import type {
  AppendResult,
  CatchUpSubscription,
  EventStore,
  NewEvent,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  SubscribeOptions,
} from '../store.ts';
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
  let reading: Reading | undefined;
  const writer = await GroupCommit.open<WriteJob, WriteResult>({
    file: options.file,
    thread: new URL('./writer.ts', import.meta.url),
    onCommit: () => reading?.committed(),
  });
  try {
    reading = new Reading(new Reader(ownFile(options.file)));
    return new EmbeddedStore(options.file, writer, reading);
  } catch (error) {
    await writer.close();
    throw error;
  }
}

class EmbeddedStore implements EventStore {
  readonly #file: string;
  readonly #writer: GroupCommit<WriteJob, WriteResult>;
  readonly #reading: Reading;

  constructor(file: string, writer: GroupCommit<WriteJob, WriteResult>, reading: Reading) {
    this.#file = file;
    this.#writer = writer;
    this.#reading = reading;
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

  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent> {
    return this.#reading.readStream(stream, options);
  }

  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent> {
    return this.#reading.readAll(options);
  }

  end(): Promise<Position | undefined> {
    return this.#reading.end();
  }

  subscribe(options?: SubscribeOptions): CatchUpSubscription {
    return this.#reading.subscribe(options);
  }

  scan(stream?: string): AsyncIterable<ScannedPage> {
    return scanEmbedded(this.#file, stream);
  }

  async ping(): Promise<void> {
    await this.#writer.submit({ kind: 'ping' }, 0);
  }

  async close(): Promise<void> {
    // The writer last: the last connection that may write brings the write-ahead log home into the file.
    await this.#reading.close();
    await this.#writer.close();
  }
}
