/** A value that a client sends under one of its own keys. */
export interface Fact {
  readonly key: string;
  readonly value: string;
  /** A note, which may name the year or the period. */
  readonly note?: string | undefined;
}

/** Components whose sum is compared with the result. */
export interface Computation {
  readonly label: string;
  readonly result: string;
  readonly basis?: string | undefined;
  readonly components?: readonly { readonly key: string; readonly value: string }[] | undefined;
}

/** A client's data for a review: facts and a computation, with its own keys. */
export interface ReviewContext {
  readonly facts?: readonly Fact[] | undefined;
  readonly computation?: Computation | undefined;
}

/** A line of the review. `source_ids` is empty for arithmetic, which needs only the context. */
export interface Check {
  status: 'ok' | 'warn';
  aspect: string;
  detail: string;
  source_ids: string[];
}

/** A fact or a component that was not checked, and why. */
export interface NotChecked {
  fact: string;
  reason: string;
}

type ReviewVerdict = 'plausible' | 'implausible' | 'not_checkable';

/** `implausible` if there is a warning, `not_checkable` if there is no check, otherwise `plausible`. */
export function verdictOf(checks: readonly Check[]): ReviewVerdict {
  if (checks.length === 0) return 'not_checkable';
  return checks.some((check) => check.status === 'warn') ? 'implausible' : 'plausible';
}

/** The number of sent facts, components and sums that were checked. */
export const coverageOf = (
  checks: readonly unknown[],
  notChecked: readonly unknown[],
): { checked: number; of: number } => ({ checked: checks.length, of: checks.length + notChecked.length });
