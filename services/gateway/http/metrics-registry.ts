import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** A registry of its own, with Node's figures of the process: memory, CPU, event loop, garbage collection. */
export function createRegistry(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}

/** A name, its help, and a function that reads the value; `null` if it is unknown. */
export type Figure<Said> = readonly [name: string, help: string, read: (said: Said) => number | null];

/**
 * Makes gauges for these figures. A figure without a value is removed, because an old value would look like a new one.
 */
export function createGauges<Said>(
  register: Registry,
  figures: readonly Figure<Said>[],
): (said: Said | null) => void {
  const gauges = figures.map(([name, help]) => new Gauge({ name, help, registers: [register] }));
  return (said) =>
    figures.forEach(([, , read], i) => {
      const value = said === null ? null : read(said);
      if (value === null) gauges[i]!.remove();
      else gauges[i]!.set(value);
    });
}
