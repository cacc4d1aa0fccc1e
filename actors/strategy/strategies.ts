import { crossover } from './crossover.ts';
import { modelStrategy } from './model.ts';
import type { Strategy } from './strategy.ts';

/** Wants nothing, ever: only orders given by hand. */
export const noStrategy = (): Strategy => ({
  name: 'none',
  parameters: {},
  warmUp: 0,
  usesPredictions: false,
  onSession: () => [],
});

const STRATEGIES = { none: noStrategy, crossover, model: modelStrategy };
export type StrategyName = keyof typeof STRATEGIES;
export const STRATEGY_NAMES = Object.keys(STRATEGIES) as StrategyName[];

/** The strategy of this name, without a past yet. */
export const createStrategy = (name: StrategyName): Strategy => STRATEGIES[name]();
