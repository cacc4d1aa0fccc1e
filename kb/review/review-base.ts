import type { Rules } from './rules.ts';
import type { Quantity } from './vocabulary.ts';

/** What a base brings for reviews; of a base without it sums are checked, and nothing else. */
export interface ReviewBase extends Rules {
  readonly quantities: readonly Quantity[];
}
