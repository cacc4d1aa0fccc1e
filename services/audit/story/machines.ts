import { ASK_LIFECYCLE } from '../../../actors/ask/lifecycle.ts';
import { listLifecycle } from '../../../actors/lifecycle.ts';
import { UPDATE_LIFECYCLE } from '../../../actors/market-update/lifecycle.ts';
import { INDEX_LIFECYCLE } from '../../../actors/reindex/lifecycle.ts';
import { listOrderLifecycle } from '../../../actors/trading/order-lifecycle.ts';
import { TRAINING_LIFECYCLE } from '../../../actors/training/lifecycle.ts';

export const ASK = listLifecycle('ask', 'new', ASK_LIFECYCLE);
export const ORDER = listOrderLifecycle();
export const TRAINING = listLifecycle('training', 'idle', TRAINING_LIFECYCLE);
export const UPDATE = listLifecycle('market-update', 'idle', UPDATE_LIFECYCLE);
export const REINDEX = listLifecycle('reindex', 'idle', INDEX_LIFECYCLE);
