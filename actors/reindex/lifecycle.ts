import type { IndexEvent } from '../../events/catalog/catalog.ts';
import { Lifecycle } from '../lifecycle.ts';

export type IndexStatus = 'idle' | 'building';

/** One build at a time, and whatever ends it leaves the index at rest. */
export const INDEX_LIFECYCLE = new Lifecycle<IndexStatus, IndexEvent['type']>('reindex', 'idle', {
  idle: { ReindexStarted: 'building' },
  building: { IndexBuilt: 'idle', ReindexFailed: 'idle' },
});
