/**
 * The first few of many items in one text, with the number of those that are left out.
 *
 * @param most how many are named
 * @param of how many there are, where `items` are not all of them
 * @example firstFew(['AAA', 'BBB', 'CCC', 'DDD'], 2)
 * 'AAA, BBB and 2 more'
 */
export function firstFew(
  items: readonly string[],
  most: number,
  { of = items.length, between = ', ' }: { readonly of?: number; readonly between?: string } = {},
): string {
  const named = items.slice(0, most);
  const more = of - named.length;
  return `${named.join(between)}${more > 0 ? ` and ${more} more` : ''}`;
}
