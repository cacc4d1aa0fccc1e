import { SHIPPED_NAMES } from '../strategies/shipped-names.ts';

/** The strategies in `examples/strategies` that one may begin from. */
export const EXAMPLES: readonly string[] = [...SHIPPED_NAMES, 'crossover', 'model'];
