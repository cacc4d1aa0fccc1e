import { crossover } from './crossover.ts';
import { modelStrategy } from './model.ts';
import type { Strategy } from './strategy.ts';

/** A strategy that never wants anything, for an account with only orders by hand. */
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

/** The strategy of this name, which has seen no session yet. */
export const createStrategy = (name: StrategyName): Strategy => STRATEGIES[name]();
