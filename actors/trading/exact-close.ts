import {
  moneyText,
  parseMoney,
  parsePrice,
  priceText,
  type Money,
  type Price,
} from '../../events/decimal.ts';
import type { AccountData, AccountDraft } from './commands.ts';

/**
 * The close of a session with amounts as integers. The event has them as text, which takes longer to write and to read
 * than the rest of a close, and which a backtest does not need.
 */
export interface ExactClose {
  readonly type: 'SessionClosed';
  readonly exact: {
    readonly session: string;
    readonly closes: readonly (readonly [ticker: string, close: Price])[];
    readonly cash: Money;
    readonly total_value: Money;
  };
}

/** What a decision gives: drafts of events, and a close with exact numbers. */
export type Decided = AccountDraft | ExactClose;

/** The event as it is recorded. */
export function written(decided: Decided): AccountDraft {
  if (!('exact' in decided)) return decided;
  const { session, closes, cash, total_value } = decided.exact;
  const texts: Record<string, string> = {};
  for (const [ticker, close] of closes) texts[ticker] = priceText(close);
  return {
    type: 'SessionClosed',
    data: { session, closes: texts, cash: moneyText(cash), total_value: moneyText(total_value) },
  };
}

/** The exact numbers of a recorded close. */
export const exactClose = ({
  session,
  closes,
  cash,
  total_value,
}: AccountData<'SessionClosed'>): ExactClose['exact'] => ({
  session,
  closes: Object.entries(closes).map(([ticker, close]) => [ticker, parsePrice(close)]),
  cash: parseMoney(cash),
  total_value: parseMoney(total_value),
});
