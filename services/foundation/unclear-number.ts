/**
 * The remark on a number that means something else if a point separates thousands, as in German: `100.000` would be
 * read as a hundred. `null` for all others.
 */
export function unclearNumber(text: string): string | null {
  if (!/^-?[1-9]\d{0,2}\.\d{3}$/u.test(text)) return null;
  const short = text.replace(/\.?0+$/u, '');
  const decimals = short === text ? `${text}0` : short;
  return `${text} is not clear: write ${text.replace('.', '')} if the point separates thousands, or ${decimals} if it stands before decimals`;
}
