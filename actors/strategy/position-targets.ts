import type { StrategyView, TargetWeight } from './strategy.ts';

/**
 * The share of the account that is invested. The rest stays in cash, because an order reserves more than its last price
 * and has fees.
 */
export const INVESTED = 0.9;

/** A position within this share of its target is where it should be: every correction costs fees. */
const TOLERANCE = 0.25;

/** The target of a position, for a ticker that traded in this session. */
export interface Wanted {
  /** Share of the account, 0 … 1. */
  readonly weight: number;
  readonly close: number;
}

/**
 * The targets for the unsettled tickers that traded and have no open order. A ticker that has reached its target is no
 * longer unsettled. Buys use no more than the cash: if there is too little, they wait for the sales.
 */
export function approach(
  unsettled: Set<string>,
  wantedOf: (ticker: string) => Wanted | null,
  { positions, working, totalValue, cash }: StrategyView,
): TargetWeight[] {
  const result: TargetWeight[] = [];
  let room = (INVESTED * cash) / totalValue;
  // The order of the targets must be the same after a restart, because the first ones get the cash.
  for (const ticker of [...unsettled].sort()) {
    const wanted = wantedOf(ticker);
    if (wanted === null || working.has(ticker)) continue;
    const { weight, close } = wanted;
    const held = ((positions.get(ticker) ?? 0) * close) / totalValue;
    if (isThere(held, weight, close / totalValue)) {
      unsettled.delete(ticker);
    } else if (weight < held) {
      result.push({ ticker, weight });
    } else {
      const bought = Math.min(weight - held, room);
      if (bought < TOLERANCE * (weight - held)) continue;
      room -= bought;
      result.push({ ticker, weight: held + bought });
    }
  }
  return result;
}

/** Whether a position is at its target: exactly, if the target is 0; otherwise near enough, or within one share of it. */
function isThere(held: number, wanted: number, oneShare: number): boolean {
  if (wanted === 0 || held <= 0) return held === wanted;
  return Math.abs(held - wanted) <= Math.max(TOLERANCE * wanted, oneShare);
}
