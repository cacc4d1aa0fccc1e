/** The services of this system. One process runs all of them, or each runs in processes of its own. */
export const SERVICES = ['gateway', 'knowledge', 'audit', 'market', 'models', 'trading'] as const;
export type ServiceName = (typeof SERVICES)[number];
