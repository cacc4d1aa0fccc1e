import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { isInUse, toFault, unavailable, type Fault } from './faults.ts';
import { othersFile, ReadConnection } from './readable-file.ts';
import { firstFew } from '../first-few.ts';

/** The most messages that are listed. */
const MAX_MESSAGES = 100;

/** Up to this size the check takes less time than starting a thread. */
const SMALL_BYTES = 8 * 1024 * 1024;

export interface IntegrityCheck {
  /**
   * SQLite's own messages on what is wrong with the file; empty if nothing is. Rejects with `STORE_UNAVAILABLE` if
   * another process has locked the file.
   */
  readonly messages: Promise<readonly string[]>;
  stop(): Promise<void>;
}

/**
 * SQLite's own check of a whole file, including its indexes. For a large file it takes seconds, so it runs in a
 * thread.
 */
export function startIntegrityCheck(path: string): IntegrityCheck {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes < SMALL_BYTES) {
    const messages = (async () => checkIntegrity(path))();
    messages.catch(() => undefined);
    return { messages, stop: async () => undefined };
  }
  const thread = new Worker(new URL('./integrity-thread.ts', import.meta.url), { workerData: path });
  const messages = once(thread, 'message').then(([found]) => {
    const told = found as Told;
    if ('fault' in told) throw unavailable(told.fault);
    return told.messages;
  });
  // The check may fail before anybody waits for it, and an unhandled rejection would end the process.
  messages.catch(() => undefined);
  return { messages, stop: async () => void (await thread.terminate()) };
}

/** The message of the thread. */
export type Told = { readonly messages: readonly string[] } | { readonly fault: Fault };

/**
 * Runs SQLite's check.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE` if another process has locked the file.
 */
export function checkIntegrity(path: string): string[] {
  const connection = new ReadConnection(othersFile(path), (db) => {
    db.exec('PRAGMA cache_size = -16000');
    return db.prepare(`PRAGMA integrity_check(${MAX_MESSAGES})`);
  });
  try {
    const rows = connection.read((check) => check.all() as unknown as [string][]);
    return rows.flatMap(([text]) => text.split('\n')).filter((text) => text !== 'ok');
  } catch (error) {
    if (isInUse(error)) throw unavailable(error);
    return [toFault(error).message];
  } finally {
    connection.close();
  }
}

/** The most of SQLite's messages that are quoted in a sentence. */
const TOLD = 2;

/** A sentence on what is wrong with the whole file; `null` if nothing is. Rejects as `IntegrityCheck` does. */
export async function damageOf(path: string): Promise<string | null> {
  // SQLite's first line only says which database was checked.
  const messages = (await startIntegrityCheck(path).messages).filter((message) => !message.startsWith('***'));
  return messages.length === 0 ? null : firstFew(messages, TOLD, { between: '; ' });
}
