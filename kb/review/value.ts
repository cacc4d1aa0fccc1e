import type { Day } from './calendar.ts';
import type { Rational } from './rational.ts';

/** A length of time in its own unit, because months have different numbers of days. */
export interface Duration {
  readonly count: Rational;
  readonly unit: 'day' | 'week' | 'month' | 'year';
}

/** The value of a fact, a figure or a formula. Rates are fractions of 1, amounts are in euros. */
export type RuleValue =
  | { readonly type: 'number'; readonly number: Rational }
  | { readonly type: 'date'; readonly day: Day }
  | { readonly type: 'duration'; readonly duration: Duration }
  | { readonly type: 'truth'; readonly truth: boolean }
  | { readonly type: 'choice'; readonly choice: string }
  /** A sent value that cannot be read: no default replaces it, and nothing is judged by it. */
  | { readonly type: 'unread' };

export const numberValue = (number: Rational): RuleValue => ({ type: 'number', number });
export const truthValue = (truth: boolean): RuleValue => ({ type: 'truth', truth });
export const dateValue = (day: Day): RuleValue => ({ type: 'date', day });
export const UNREAD: RuleValue = { type: 'unread' };
export const choiceValue = (choice: string): RuleValue => ({ type: 'choice', choice });
