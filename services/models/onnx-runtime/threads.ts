import { availableParallelism } from 'node:os';

/** By default one core is left to the services. */
export const threadsOf = (wanted: number | null): number => wanted ?? Math.max(1, availableParallelism() - 1);
