/** The strategies in `examples/strategies` that one may begin from. */
export const EXAMPLES: readonly string[] = [
  'momentum',
  'mean-reversion',
  'buy-and-hold',
  'crossover',
  'model',
];
