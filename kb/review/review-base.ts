import type { Rules } from './rules.ts';
import type { Quantity } from './vocabulary.ts';

/** The part of a base for reviews. Without it only sums are checked. */
export interface ReviewBase extends Rules {
  readonly quantities: readonly Quantity[];
}
