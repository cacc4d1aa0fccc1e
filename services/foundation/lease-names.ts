/**
 * The names of the leases, one for each part that only one process runs at a time. A part that runs under one name and
 * answers requests under another would be silent forever, so a name is never just a string.
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
