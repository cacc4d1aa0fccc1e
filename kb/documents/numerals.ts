/** A number as letters: `a`, `z`, `aa`. A number below 1 stays in digits. */
export function lettersOf(number: number): string {
  if (number < 1) return String(number);
  const last = String.fromCharCode(97 + ((number - 1) % 26));
  return number > 26 ? lettersOf(Math.floor((number - 1) / 26)) + last : last;
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** A number as a Roman numeral: `xiv`. A number outside of the Roman range stays in digits. */
export function romanOf(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  let rest = number;
  let written = '';
  for (const [value, letters] of ROMAN) for (; rest >= value; rest -= value) written += letters;
  return written;
}
