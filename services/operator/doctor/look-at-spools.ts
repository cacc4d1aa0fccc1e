import { join } from 'node:path';
import type { Settings } from '../../composition/settings.ts';
import { damagedFileIn, readSpoolFigures } from '../../foundation/spool.ts';
import { spoolOf } from '../../knowledge/spool-slots.ts';
import { slotFolders } from '../../foundation/process-slot.ts';
import { messageOf } from '../report-failure.ts';
import { count } from '../number-format.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

/** The spools below `DATA_DIR` of all processes: what waits to be recorded, and what was lost. */
export async function lookAtSpools({ dataDir, distributed }: Settings): Promise<Finding[]> {
  const what = 'spool';
  try {
    const folders = (distributed === null ? [dataDir] : await slotFolders(dataDir)).map(spoolOf);
    const spools = await Promise.all(
      folders.map(async (folder) => ({
        folder,
        ...(await readSpoolFigures(folder)),
        damagedFile: await damagedFileIn(folder),
      })),
    );
    const waiting = spools.filter((spool) => spool.waiting > 0);
    const lossy = spools.filter((spool) => spool.lost > 0);
    const damagedFiles = spools.map(({ damagedFile }) => damagedFile).filter((file) => file !== undefined);
    if (waiting.length + lossy.length + damagedFiles.length === 0)
      return [ok(what, 'nothing waits to be recorded')];
    return [
      ...waiting.map((spool) =>
        warning(
          what,
          `${count(spool.waiting, 'event')} ${spool.waiting === 1 ? 'waits' : 'wait'} to be recorded in ${spool.folder}`,
          'a running knowledge service with this DATA_DIR records them; if the number stays, check the event store, and NATS where that is set',
        ),
      ),
      ...lossy.map((spool) =>
        warning(
          what,
          `${count(spool.lost, 'event')} ${spool.lost === 1 ? 'was' : 'were'} lost (${spool.folder})`,
          `the log says when and why; when you have looked into it, remove ${join(spool.folder, 'lost.json')} and the count begins anew`,
        ),
      ),
      ...damagedFiles.map((file) =>
        warning(
          what,
          `lines of a spool that could not be read are kept in ${file}`,
          'the log says which and why, at the start that found them; their events are not on record; when you have looked into it, move the file away',
        ),
      ),
    ];
  } catch (error) {
    return [
      fault(
        what,
        messageOf(error),
        `check the permissions of the files in ${dataDir}, for the user who runs beleg`,
      ),
    ];
  }
}
