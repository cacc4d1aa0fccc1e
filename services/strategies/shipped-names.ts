/** The examples that can be named without a path; apart from their code, which no help text needs. */
export const SHIPPED_NAMES: readonly string[] = ['momentum', 'mean-reversion', 'buy-and-hold'];
