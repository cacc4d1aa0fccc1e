import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CashReason, SessionDate } from '../../events/catalog/trading.ts';
import { parseMoney, type Money } from '../../events/decimal.ts';
import { unclearNumber } from '../foundation/unclear-number.ts';
import { readRecords, type CsvRecords } from '../market/sources/csv-records.ts';
import { tableText } from '../market/sources/table-text.ts';

/** Cash that is paid in, or out if it is negative. It is booked before the first session on or after `date`. */
export interface CashFlow {
  readonly date: string;
  readonly amount: Money;
  readonly reason: string;
}

const Row = z.object({
  date: SessionDate,
  amount: z
    .string()
    .regex(/^-?\d{1,13}(\.\d{1,6})?$/, 'is no amount like 5000 or -1200.50')
    .superRefine((text, context) => {
      const unclear = unclearNumber(text);
      if (unclear !== null) context.addIssue({ code: 'custom', message: unclear });
    })
    .transform((text) => parseMoney(text))
    .refine((amount) => amount !== 0n, 'is 0'),
  reason: z.preprocess((text) => (text === '' ? undefined : text), CashReason.default('cash')),
});

/**
 * Reads rows of `date,amount` and perhaps `reason` in any order; a negative amount leaves the account. Rejects with the
 * line of the first fault.
 */
export async function readCashFlows(file: string): Promise<CashFlow[]> {
  const { header, columnOf, rows } = recordsOf(file, tableText(await readFile(file)));
  const columns = ['date', 'amount', 'reason'].map((name) => columnOf([name]));
  const flows = rows.map(({ record, line }): CashFlow => {
    // A comma within an amount would count as the end of it.
    if (record.length !== header.length)
      throw new Error(`${file}:${line}: ${record.length} fields instead of ${header.length}`);
    const [date, amount, reason] = columns.map((column) => record[column]?.trim());
    const row = Row.safeParse({ date, amount, reason });
    if (row.success) return row.data;
    const [issue] = row.error.issues;
    throw new Error(`${file}:${line}: ${issue!.path.join('.')}: ${issue!.message}`);
  });
  return flows.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

function recordsOf(file: string, text: string): CsvRecords {
  try {
    return readRecords(text);
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} cannot be read as rows of date,amount: ${told}`, { cause: error });
  }
}

/** @throws {Error} for a flow that no session of the test follows, or that comes before all of them. */
export function assertWithin(flows: readonly CashFlow[], first: string, last: string): void {
  const outside = flows.find(({ date }) => date < first || date > last);
  if (outside === undefined) return;
  throw new Error(`the cash of ${outside.date} is outside the sessions of the test, ${first} to ${last}`);
}
