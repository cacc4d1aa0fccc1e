import type { Strategy } from './strategy.ts';

/** Wants nothing, ever: only orders given by hand. */
export const noStrategy = (): Strategy => ({
  name: 'none',
  parameters: {},
  warmUp: 0,
  usesPredictions: false,
  onSplit: () => undefined,
  resume: () => undefined,
  onSession: () => [],
});
