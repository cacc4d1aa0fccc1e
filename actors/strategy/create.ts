import { crossover } from './crossover.ts';
import { modelStrategy } from './model.ts';
import { noStrategy } from './none.ts';
import type { Strategy } from './strategy.ts';

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
