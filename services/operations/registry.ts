import { collectDefaultMetrics, Registry } from 'prom-client';

/** A registry of its own, with what Node tells of its process: memory, CPU, event loop, garbage collection. */
export function createRegistry(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}
