import { crossover } from './crossover.ts';
import { modelStrategy } from './model.ts';
import type { Strategy } from './strategy.ts';

/** Wants nothing, ever: only orders given by hand. */
const noStrategy = (): Strategy => ({
  name: 'none',
  parameters: {},
  warmUp: 0,
  usesPredictions: false,
  onSplit: () => undefined,
  resume: () => undefined,
  onSession: () => [],
});

type StrategyName = 'none' | 'crossover' | 'model';

/** The strategy of this name, without a past yet. */
export function createStrategy(name: StrategyName): Strategy {
  switch (name) {
    case 'none':
      return noStrategy();
    case 'crossover':
      return crossover();
    case 'model':
      return modelStrategy();
  }
}
