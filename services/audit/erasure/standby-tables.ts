import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { isBelegError } from '../../../events/errors.ts';
import { call } from '../../../events/messages/define.ts';
import { AuditHealth } from '../../../events/messages/feedback.ts';
import { unavailable } from '../../../events/sqlite/faults.ts';
import { rebuildFileOf } from '../../../events/projections/rebuild.ts';
import { openTables } from '../../../events/sqlite/readable-file.ts';
import { removeDatabase } from '../../../events/sqlite/file-place.ts';
import { lookEvery } from '../../foundation/clock.ts';
import { auditProjection } from '../projection.ts';

/** The interval at which a standby process checks whether another process keeps the tables. */
const LOOK_MS = 2_000;

/** The longest time until each standby process has dropped its tables, if it can hear the holder. */
export const DROPPED_WITHIN_MS = 4 * LOOK_MS;

interface StandbyOptions {
  bus: MessageBus;
  /** The file in which this process would keep the audit tables. */
  file: string;
  /** Whether this process keeps the tables at present. */
  isHolder: () => boolean;
  logger: Logger;
  everyMs?: number;
}

/**
 * Removes the audit tables of a standby process. An erasure reaches only the holder's tables, and text would stay
 * readable in others. Tables of an earlier term or run are removed as soon as another process says that it keeps tables
 * in another file. Processes on one machine may share the file; then the file has the mark of its holder, and stays.
 * Returns a function that ends the checks.
 */
export function dropWhileStandingBy({
  bus,
  file,
  isHolder,
  logger,
  everyMs = LOOK_MS,
}: StandbyOptions): () => Promise<void> {
  async function look(): Promise<void> {
    if (isHolder() || !existsSync(file)) return;
    const { tables } = await call(
      bus,
      AuditHealth,
      {},
      { correlationId: randomUUID(), callId: randomUUID() },
    );
    // There is no await between this check and the removal, because files that this process opens in between would be
    // removed too.
    if (isHolder() || tables === null || readMark(file) === tables) return;
    for (const name of [file, rebuildFileOf(file, auditProjection.name)]) removeDatabase(name);
    logger.info('another process keeps the audit tables now, so those of this one were removed');
  }

  return lookEvery(everyMs, () =>
    look().catch((error: unknown) => {
      // No process keeps the tables at present, or none can be asked: the next look will show it.
      if (!isBelegError(error))
        logger.warn({ err: error }, 'the audit tables of an earlier term cannot be removed');
    }),
  );
}

/**
 * Gives the file a mark that no other file and no copy has, and returns the mark.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`.
 */
export function markTables(file: string): number {
  const mark = randomBytes(4).readInt32BE();
  try {
    using db = new DatabaseSync(file, { timeout: 1_000 });
    db.exec(`PRAGMA application_id = ${mark}`);
    return mark;
  } catch (error) {
    throw unavailable(error, file);
  }
}

function readMark(file: string): number | undefined {
  try {
    using db = openTables(file);
    return db.prepare('PRAGMA application_id').get()!['application_id'] as number;
  } catch {
    // A file that cannot be opened is not kept by another process, because the process that keeps it has it open.
    return undefined;
  }
}
