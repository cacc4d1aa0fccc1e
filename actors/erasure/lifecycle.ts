import type { ErasureEvent } from '../../events/catalog/catalog.ts';
import { Lifecycle } from '../lifecycle.ts';

export type ErasureStatus =
  /** Nobody has asked for it. */
  | 'none'
  /** To be done, and done again after a crash. */
  | 'requested'
  | 'erased';

/** Of one request's erasure. */
export const ERASURE_LIFECYCLE = new Lifecycle<ErasureStatus, ErasureEvent['type']>('erasure', 'none', {
  none: { ErasureRequested: 'requested' },
  requested: { TextErased: 'erased' },
  erased: {},
});
