/**
 * How long tests wait for what happens in the background, on a machine as busy as it may be: a guard against hanging, never
 * a measure. (`expect.poll` waits as long where it is told nothing, see `vitest.config.ts`.)
 */
export const PATIENT = { timeout: 60_000, timeoutMs: 60_000, interval: 10 };
