import { expect } from 'vitest';
import { expectClose, type CaseRunner } from '../../actors/reference-cases.suite.ts';
import { dividendRatio } from './adjust-prices.ts';

/** The reference cases about market data, by kind. */
export const MARKET_CASES: Record<string, CaseRunner> = {
  dividend_ratio(reference) {
    const { cases, rejected } = reference.input as Record<'cases' | 'rejected', [number | null, number][]>;
    const { ratios } = reference.expected as { ratios: number[] };
    for (const [at, [close, amount]] of cases.entries()) {
      expectClose(dividendRatio(close, amount)!, ratios[at]!, reference);
    }
    for (const [close, amount] of rejected) {
      expect(dividendRatio(close, amount), `${reference.id}: ${close}, ${amount}`).toBeNull();
    }
  },
};
