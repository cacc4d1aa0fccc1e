import { rmSync } from 'node:fs';
import type { StoredEvent } from './database.ts';
import { JSON_CONTENT } from './database.ts';
import { Log } from './log.ts';

type Entry = Omit<StoredEvent, 'position' | 'ordinal'>[];

/** What somebody writes who has the server's files. */
export interface WrittenEvent {
  readonly stream: string;
  readonly revision: bigint;
  readonly id: string;
  readonly type: string;
  /** JSON. */
  readonly data: string;
  readonly metadata: string;
}

/** Makes a file of a stand-in that holds exactly these events, in this order, past all of its checks. */
export async function writeStandInFile(file: string, events: readonly WrittenEvent[]): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  const log = await Log.open<Entry>(file, () => undefined);
  const entry = events.map(({ data, metadata, ...event }) => ({
    ...event,
    contentType: JSON_CONTENT,
    created: 0,
    data: Buffer.from(data),
    metadata: Buffer.from(metadata),
  }));
  await log.write(entry);
  await log.close();
}
