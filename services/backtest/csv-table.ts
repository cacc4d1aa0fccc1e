import { stringify } from 'csv-stringify/sync';
import { plainText } from '../../events/decimal.ts';

/** A table for other programs: CSV by RFC 4180 with a heading; decimals have a point and never an exponent. */
export const csvTable = (columns: readonly string[], rows: readonly object[]): string =>
  stringify([...rows], {
    columns: [...columns],
    header: true,
    record_delimiter: 'windows',
    cast: {
      number: (value) => (Number.isFinite(value) ? plainText(value) : ''),
      boolean: String,
    },
  });
