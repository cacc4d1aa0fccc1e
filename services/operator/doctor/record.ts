import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatFault, KnowledgeBaseInvalid } from '../../../kb/base/faults.ts';
import { checkKnowledgeBase } from '../../../kb/check.ts';
import type { Settings } from '../../config.ts';
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

/** The record, and whether the clock fits it: what is recorded under a wrong clock stays there. */
export async function lookAtRecord(settings: Settings, now: Date = new Date()): Promise<Finding[]> {
  const what = 'record';
  const { dataDir, distributed } = settings;
  if (distributed === null && !existsSync(join(dataDir, 'events.db'))) {
    return [ok(what, 'none yet; it will be created at the first start')];
  }
  try {
    const newest = await newestEvent(settings);
    if (newest === null) return [ok(what, 'empty')];
    const held = distributed === null && isRecordHeld(settings) ? '; in use by a running service' : '';
    return [ok(what, `readable, newest event at ${newest}${held}`), judgeClock(newest, now)];
  } catch (error) {
    const advice =
      distributed === null
        ? `check the permissions of the files in ${dataDir}; if they are damaged, restore a backup`
        : 'check EventStoreDB and the rights of its user';
    return [fault(what, messageOf(error), advice)];
  }
}

/** When the newest event happened (ISO 8601); `null` where there is none. */
async function newestEvent(settings: Settings): Promise<string | null> {
  const record = await openRecord(settings);
  try {
    for await (const { metadata } of record.store.readAll({ direction: 'backwards', limit: 1 })) {
      return metadata.at;
    }
    return null;
  } finally {
    await record.close();
  }
}

function judgeClock(newest: string, now: Date): Finding {
  const what = 'clock';
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
