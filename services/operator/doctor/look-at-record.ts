import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isBelegError } from '../../../events/errors.ts';
import { checkCheckpointFile, ForeignCheckpoints } from '../../audit/checkpoints/checkpoint-file.ts';
import type { Settings } from '../../config.ts';
import type { OpenRecord } from '../../record.ts';
import { isRecordHeld, openRecord } from '../../runtime.ts';
import { messageOf } from '../failure-and-exit-code.ts';
import { judgeClock } from './clock.ts';
import { fault, ok, type Finding } from './finding.ts';

/** The record, its checkpoints outside, and whether the clock fits it: what is recorded under a wrong clock stays there. */
export async function lookAtRecord(settings: Settings, now: Date = new Date()): Promise<Finding[]> {
  const what = 'record';
  const { dataDir, distributed } = settings;
  if (distributed === null && !existsSync(join(dataDir, 'events.db'))) {
    return [ok(what, 'none yet; it will be created at the first start'), judgeClock(null, now)];
  }
  try {
    await using record = await openRecord(settings);
    const [last] = await Array.fromAsync(record.store.readAll({ direction: 'backwards', limit: 1 }));
    const newest = last?.metadata.at ?? null;
    const held = distributed === null && isRecordHeld(settings) ? '; in use by a running service' : '';
    return [
      ok(what, newest === null ? 'empty' : `readable, newest event at ${newest}${held}`),
      await judgeCheckpoints(settings, record),
      judgeClock(newest, now),
    ];
  } catch (error) {
    if (distributed !== null) {
      const found = isBelegError(error) ? (error.detail ?? error.title) : messageOf(error);
      return [fault(what, `it cannot be read: ${found}`, 'check EventStoreDB and the rights of its user')];
    }
    const advice = `check the permissions of the files in ${dataDir}; if they are damaged, restore a backup`;
    return [fault(what, messageOf(error), advice)];
  }
}

/** The file beside the record: none is added to it while it is of another one. */
async function judgeCheckpoints({ audit }: Settings, { store }: OpenRecord): Promise<Finding> {
  const what = 'checkpoints';
  const { checkpointFile: path } = audit;
  if (!existsSync(path)) return ok(what, `${path} will be created with the first one`);
  try {
    await checkCheckpointFile(path, store);
    return ok(what, `${path} is of this record`);
  } catch (error) {
    if (!(error instanceof ForeignCheckpoints)) throw error;
    return fault(
      what,
      `${path}: ${error.message}`,
      'if a wrong file or an older record was put there, put the right one back (see beleg audit verify); ' +
        'else move the file aside and keep it: the next checkpoint writes a new one',
    );
  }
}
