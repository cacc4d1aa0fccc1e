import * as real from '../../../kb/turns.ts';
import { playing } from '../simulation.ts';

export * from '../../../kb/turns.ts';

/** A turn of the calling process. All processes of a story share one module, and a dropped one would leave the others waiting. */
export function ownTurn(): Promise<void> {
  const simulation = playing();
  return simulation === null ? real.ownTurn() : simulation.sleep(0.01);
}
