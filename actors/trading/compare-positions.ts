import { isDeepStrictEqual } from 'node:util';
import { quantityText, type Quantity } from '../../events/decimal.ts';
import type { PendingFill } from './open-orders.ts';
import type { AccountDraft, Drafts } from './commands.ts';
import { halt } from './halt.ts';
import { heldOf } from './position.ts';
import type { AccountState, Discrepancy } from './state.ts';

/**
 * Compares the broker's positions with ours, when all its reports are in. Each ticker that differs is a discrepancy and
 * halts trading. Where all agree, earlier discrepancies are settled, but trading does not start again by itself.
 */
export function compare(positions: ReadonlyMap<string, Quantity>, state: AccountState): Drafts {
  const differing: Discrepancy[] = [];
  for (const ticker of [...new Set([...state.positions.keys(), ...positions.keys()])].toSorted()) {
    const ours = heldOf(state, ticker);
    const theirs = positions.get(ticker) ?? 0n;
    if (ours === theirs) continue;
    const detail = `${quantityText(ours)} here, ${quantityText(theirs)} at the broker`;
    differing.push({ kind: 'position', order_id: null, ticker, detail, cursor: null });
  }
  if (differing.length === 0) {
    const count = state.discrepancies.length;
    return count === 0 ? [] : [{ type: 'DiscrepanciesSettled', data: { count } }];
  }
  return discrepancies(differing, state);
}

/** The discrepancies that are not on record or were settled since, and the halt that follows from them. */
export function discrepancies(
  found: readonly Discrepancy[],
  state: AccountState,
  fill?: PendingFill,
): Drafts {
  const fresh = found.filter((each) => !state.discrepancies.some((known) => isDeepStrictEqual(known, each)));
  if (fresh.length === 0) return [];
  const detail = fresh.map(({ kind, order_id, ticker }) => `${kind} ${ticker ?? order_id ?? ''}`).join(', ');
  return [
    ...fresh.map((data): AccountDraft => ({ type: 'DiscrepancyFound', data })),
    ...halt(state, { reason: 'discrepancy', detail }, fill),
  ];
}
