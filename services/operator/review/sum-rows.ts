import type { ReviewBase } from '../../../kb/review/review-base.ts';
import { readAmount } from '../../../kb/review/read-value.ts';
import { add, equal, rational, type Rational } from '../../../kb/review/rational.ts';
import { readingsOf } from '../../../kb/review/vocabulary.ts';
import type { SlipRow } from './slip-row.ts';

const SUM =
  /^(?:(?:zwischen|gesamt|end|teil|spalten|monats|abteilungs|kostenstellen|firmen)?summen?|gesamt|gesamtergebnis|gesamtbetrag|insgesamt|total|sub-?total|grand total|sum|Σ)(?![\p{L}\p{N}-])/iu;

/** Whether a row says that it is a sum, in one of its first two non-empty cells. */
export const isSumRow = (cells: readonly string[]): boolean =>
  cells
    .filter((cell) => cell !== '')
    .slice(0, 2)
    .some((cell) => SUM.test(cell));

/** Whether a row adds up the rows above without saying so: every amount of it is the sum of its column. */
export function isSumOf(row: SlipRow, above: readonly SlipRow[], base: ReviewBase): boolean {
  if (above.length < 2) return false;
  const amounts = row.facts.filter(({ key }) => isAmount(key, base));
  return (
    amounts.filter(({ value }) => /[1-9]/u.test(value)).length > 1 &&
    amounts.every(({ key, value }) => {
      const total = readAmount(value, 'de')?.value;
      const sum = sumOf(key, above);
      return total !== undefined && sum !== null && equal(total, sum);
    })
  );
}

const isAmount = (key: string, { quantities }: ReviewBase): boolean =>
  readingsOf(key, quantities).quantities[0]?.kind === 'amount';

function sumOf(key: string, rows: readonly SlipRow[]): Rational | null {
  let sum = rational(0n);
  for (const { facts } of rows) {
    const value = facts.find((fact) => fact.key === key)?.value;
    if (value === undefined) continue;
    const amount = readAmount(value, 'de');
    if (amount === null) return null;
    sum = add(sum, amount.value);
  }
  return sum;
}
