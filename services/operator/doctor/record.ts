import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatFault, KnowledgeBaseInvalid } from '../../../kb/base/faults.ts';
import { checkKnowledgeBase } from '../../../kb/check.ts';
import { isBelegError } from '../../../events/errors.ts';
import { checkCheckpointFile, ForeignCheckpoints } from '../../audit/checkpoints/file.ts';
import type { Settings } from '../../config.ts';
import type { OpenRecord } from '../../record.ts';
import { isRecordHeld, openRecord } from '../../runtime.ts';
import { messageOf } from '../failure.ts';
import { count } from '../figures.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** So long a service may stand unused. */
const WEEK_MS = 7 * DAY_MS;
/** Faults of a base that are told here; `beleg kb check` tells all. */
const SHOWN = 3;

export async function lookAtBase({ kbPath }: Settings): Promise<Finding> {
  const what = 'knowledge base';
  try {
    const { sources, passages, warnings } = await checkKnowledgeBase(kbPath);
    const noted = warnings.length === 0 ? '' : `; ${count(warnings.length, 'warning')}, see beleg kb check`;
    return ok(what, `${count(sources, 'source')}, ${count(passages, 'passage')} in ${kbPath}${noted}`);
  } catch (error) {
    if (!(error instanceof KnowledgeBaseInvalid)) {
      return fault(what, messageOf(error), 'set PV_KB_PATH to a readable folder with Markdown files');
    }
    const more = error.faults.length - SHOWN;
    const faults = error.faults.slice(0, SHOWN).map(formatFault).join('; ');
    const found = `${kbPath}: ${faults}${more > 0 ? ` and ${more} more` : ''}`;
    return fault(what, found, `fix what beleg kb check lists, or set PV_KB_PATH to another folder`);
  }
}

/** The record, its checkpoints outside, and whether the clock fits it: what is recorded under a wrong clock stays there. */
export async function lookAtRecord(settings: Settings, now: Date = new Date()): Promise<Finding[]> {
  const what = 'record';
  const { dataDir, distributed } = settings;
  if (distributed === null && !existsSync(join(dataDir, 'events.db'))) {
    return [ok(what, 'none yet; it will be created at the first start'), judgeClock(null, now)];
  }
  try {
    const record = await openRecord(settings);
    try {
      const newest = await newestEvent(record);
      const held = distributed === null && isRecordHeld(settings) ? '; in use by a running service' : '';
      return [
        ok(what, newest === null ? 'empty' : `readable, newest event at ${newest}${held}`),
        await judgeCheckpoints(settings, record),
        judgeClock(newest, now),
      ];
    } finally {
      await record.close();
    }
  } catch (error) {
    if (distributed !== null) {
      const found = isBelegError(error) ? (error.detail ?? error.title) : messageOf(error);
      return [fault(what, `it cannot be read: ${found}`, 'check EventStoreDB and the rights of its user')];
    }
    const advice = `check the permissions of the files in ${dataDir}; if they are damaged, restore a backup`;
    return [fault(what, messageOf(error), advice)];
  }
}

/** When the newest event happened (ISO 8601); `null` where there is none. */
async function newestEvent({ store }: OpenRecord): Promise<string | null> {
  for await (const { metadata } of store.readAll({ direction: 'backwards', limit: 1 })) return metadata.at;
  return null;
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

/** When this version was put on the machine: the clock was right then, or has gone back since. */
const installed = (): Date => statSync(join(import.meta.dirname, '..', '..', '..', 'package.json')).mtime;

function judgeClock(newest: string | null, now: Date): Finding {
  const what = 'clock';
  if (newest === null) {
    return now.getTime() < installed().getTime() - MINUTE_MS
      ? fault(what, `${now.toISOString()}, which is before beleg was installed`, 'correct the clock')
      : ok(what, now.toISOString());
  }
  const ahead = now.getTime() - Date.parse(newest);
  if (ahead < -MINUTE_MS) {
    return fault(
      what,
      `${now.toISOString()}, which is before the newest event on record`,
      'correct the clock',
    );
  }
  if (ahead < WEEK_MS) return ok(what, now.toISOString());
  const days = Math.floor(ahead / DAY_MS);
  const found = `${now.toISOString()}, ${count(days, 'day')} after the newest event on record`;
  return warning(what, found, 'check the date; this is fine if the service was not used for that long');
}
