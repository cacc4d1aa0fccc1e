import { BelegError } from '../../errors.ts';
import { GroupCommit } from '../../sqlite/group-commit.ts';
import { ownFile } from '../../sqlite/readable-file.ts';
import type { FileNews } from '../../sqlite/writer-thread.ts';
import { prepareAppend } from '../prepare-append.ts';
import type { EventStore } from '../store.ts';
import { Reader, toPosition } from './reader.ts';
import { openReading } from './reading.ts';
import { scanEmbedded } from './scan.ts';
import type { WriteJob, WriteResult } from './writer.ts';

/**
 * The record in one SQLite file: a writer thread with group commit (`synchronous=FULL`), and readers on the caller's
 * thread. Only one process may open a file for writing. Rejects with `STORE_UNAVAILABLE` when the file cannot be opened
 * or is in use. Once a read or a write has met damage in the file, nothing is written to it any more.
 *
 * @example
 * const store = await openEmbeddedStore({ file: 'data/events.db' });
 * await store.append('ask-1', NO_STREAM, [event]);
 */
export async function openEmbeddedStore({
  file,
  onFile,
}: {
  file: string;
  /** Called when the file was removed or replaced, and when it is back; and when it is found to be damaged. */
  onFile?: (news: FileNews) => void;
}): Promise<EventStore> {
  let reader: Reader | undefined;
  let reading: ReturnType<typeof openReading> | undefined;
  const writer = await GroupCommit.open<WriteJob, WriteResult>({
    file,
    thread: new URL('./writer.ts', import.meta.url),
    onCommit: () => reading?.committed(),
    onFile(news) {
      if (news.state === 'back') reader?.openAnew();
      onFile?.(news);
    },
  });
  try {
    reader = new Reader(ownFile(file), (error) => writer.onFault(error));
    const opened = (reading = openReading(reader));
    return {
      ...opened,
      async append(stream, expectedRevision, events) {
        const prepared = prepareAppend(stream, events);
        const expected = Number(expectedRevision);
        const result = await writer.submit(
          { kind: 'append', stream, expected, events: prepared.events },
          prepared.bytes,
        );
        if (result.kind !== 'appended') {
          const reason = result.kind === 'conflict' ? result.reason : result.kind;
          throw new BelegError('WRONG_EXPECTED_REVISION', { cause: new Error(`${stream}: ${reason}`) });
        }
        return { revision: BigInt(result.revision), position: toPosition(result.position) };
      },
      scan: (stream) => scanEmbedded(file, stream),
      ping: async () => void (await writer.submit({ kind: 'ping' }, 0)),
      async close() {
        // The writer is closed last: the last connection that may write moves the write-ahead log into the file.
        reader = undefined;
        await opened.close();
        await writer.close();
      },
    };
  } catch (error) {
    await writer.close();
    throw error;
  }
}
