import { isDeepStrictEqual } from 'node:util';
import { quantityText, type Quantity } from '../../events/decimal.ts';
import type { PendingFill } from './cancel.ts';
import type { AccountDraft } from './commands.ts';
import { halt } from './engine.ts';
import type { AccountState, Discrepancy } from './state.ts';

/**
 * The broker's positions against ours, when all its reports are in. Each ticker that differs is a discrepancy and halts
 * trading; where all agree, what was found before is settled. Trading is not started again by that.
 */
export function compare(
  positions: ReadonlyMap<string, Quantity>,
  state: AccountState,
): readonly AccountDraft[] {
  const differing: Discrepancy[] = [];
  for (const ticker of [...new Set([...state.positions.keys(), ...positions.keys()])].toSorted()) {
    const ours = state.positions.get(ticker)?.quantity ?? 0n;
    const theirs = positions.get(ticker) ?? 0n;
    if (ours === theirs) continue;
    const detail = `${quantityText(ours)} here, ${quantityText(theirs)} at the broker`;
    differing.push({ kind: 'position', order_id: null, ticker, detail, cursor: null });
  }
  if (differing.length === 0) {
    const count = state.discrepancies.length;
    return count === 0 ? [] : [{ type: 'DiscrepanciesSettled', data: { count } }];
  }
  const found = differing.filter((difference) => !isKnown(difference, state));
  if (found.length === 0) return [];
  const drafts: AccountDraft[] = found.map((data) => ({ type: 'DiscrepancyFound', data }));
  return [...drafts, ...halt(state, { reason: 'discrepancy', detail: summaryOf(found) })];
}

/** The discrepancy, and the halt that it leads to; nothing where it is on record and not settled. */
export function discrepancy(
  found: Discrepancy,
  state: AccountState,
  fill?: PendingFill,
): readonly AccountDraft[] {
  if (isKnown(found, state)) return [];
  return [
    { type: 'DiscrepancyFound', data: found },
    ...halt(state, { reason: 'discrepancy', detail: summaryOf([found]) }, fill),
  ];
}

const isKnown = (found: Discrepancy, { discrepancies }: AccountState): boolean =>
  discrepancies.some((known) => isDeepStrictEqual(known, found));

const summaryOf = (found: readonly Discrepancy[]): string =>
  found.map(({ kind, order_id, ticker }) => `${kind} ${ticker ?? order_id ?? ''}`).join(', ');
