import type { IndexEvent } from '../../events/catalog/catalog.ts';

export type IndexStatus = 'idle' | 'building';

/** The lifecycle of an index, written once: one build at a time, and whatever ends it leaves the index at rest. */
export const INDEX_LIFECYCLE: Readonly<
  Record<IndexStatus, Readonly<Partial<Record<IndexEvent['type'], IndexStatus>>>>
> = {
  idle: { ReindexStarted: 'building' },
  building: { IndexBuilt: 'idle', ReindexFailed: 'idle' },
};

export function mayFollow(status: IndexStatus, type: IndexEvent['type']): boolean {
  return INDEX_LIFECYCLE[status][type] !== undefined;
}
