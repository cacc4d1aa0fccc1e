/**
 * The names of the strategies that are part of the product. They are apart from the strategies' code, because help
 * texts need only the names.
 */
export const SHIPPED_NAMES: readonly string[] = ['momentum', 'mean-reversion', 'buy-and-hold'];
