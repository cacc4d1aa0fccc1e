import type { Lag } from '../../events/store/followers-behind.ts';
import type { RecordFiles } from './files-in-place.ts';

/** Whether events can be recorded, in one process or in all of a service. */
interface Recording {
  /** The number of events that wait in a spool. */
  readonly spooled: number;
  /** The number of events that were kept nowhere. */
  readonly lost: number;
  /** Whether nothing can be kept now: answers neither in the store nor in the spool, orders not in the store. */
  readonly losing: boolean;
  readonly files: RecordFiles;
  readonly followers: readonly Pick<Lag, 'name' | 'behind' | 'fault'>[];
}

/** What is wrong, in the words of `degraded` of `/ready`; empty if all is well. */
export function recordingTroubles({ spooled, lost, losing, files, followers }: Recording): string[] {
  return [
    ...files.missing,
    ...files.damaged,
    ...followers.flatMap(({ name, behind, fault }) => (behind || fault !== undefined ? [name] : [])),
    ...(spooled > 0 ? ['spool'] : []),
    ...(lost > 0 ? ['lost'] : []),
    ...(losing ? ['losing'] : []),
  ];
}

/** Whether events can be recorded now. If not, work should go to another process, if there is one. */
export const canRecord = ({ losing, files }: Pick<Recording, 'losing' | 'files'>): boolean =>
  !losing && files.damaged.length === 0;
