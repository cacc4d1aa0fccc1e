import type { Quantity } from '../../events/decimal.ts';
import type { PaperRules } from './rules.ts';

/**
 * What all our orders together may take of a bar, in whole lots; `null`: as much as they like.
 *
 * @param volume shares that were traded.
 */
export function volumeOffered(
  volume: number,
  { volumeLimit, lot }: Pick<PaperRules, 'volumeLimit' | 'lot'>,
): Quantity | null {
  // A rate of 10^-8 times whole shares is a quantity of 10^-8 shares.
  return volumeLimit === null ? null : wholeLots(BigInt(volume) * volumeLimit, lot);
}

/** Cut to whole lots, toward zero. */
export const wholeLots = (quantity: Quantity, lot: Quantity): Quantity => quantity - (quantity % lot);
