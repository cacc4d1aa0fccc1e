/**
 * What only one process does at a time, each under a lease of this name. A part that is run under one name and answers requests under
 * another would be silent for ever, so that a name is never a mere string.
 */
export type LeaseName =
  | 'audit-projection'
  | 'checkpoints'
  | 'comments'
  | 'knowledge-index'
  | `knowledge-instance.${string}`
  | 'market-update'
  | 'relay'
  | 'trading'
  | 'training';
