import { BelegError } from '../../events/errors.ts';
import { crossover } from './crossover.ts';
import { noStrategy } from './none.ts';
import type { Strategy } from './strategy.ts';

export type StrategyName = 'none' | 'crossover' | 'model';

/**
 * The strategy of this name, without a past yet.
 *
 * @throws {BelegError} `MODEL_NOT_READY` for `model`, as there is no trained model that could be asked.
 */
export function createStrategy(name: StrategyName): Strategy {
  switch (name) {
    case 'none':
      return noStrategy();
    case 'crossover':
      return crossover();
    case 'model':
      throw new BelegError('MODEL_NOT_READY', {
        detail: 'The strategy model needs a trained model, and there is none: choose crossover or none',
      });
  }
}
