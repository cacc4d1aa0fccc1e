import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBars } from './csv-table.ts';
import { readPlain } from './csv-plain.ts';
import { SourceFaults } from './source.ts';

const HEADER = 'Date,Open,High,Low,Close,Adj Close,Volume,Dividends,Stock Splits';

/** A table, or its faults. */
function read(text: string): unknown {
  try {
    return readBars('A.csv', Buffer.from(text));
  } catch (error) {
    if (error instanceof SourceFaults) return error.faults;
    throw error;
  }
}

/** A name in quotes means the same, and such a table is read with care. */
const withCare = (text: string): string => text.replace('Date', '"Date"');

const usual = fc.oneof(
  fc.integer({ min: 1, max: 99_999_999 }).map((cents) => (cents / 100).toFixed(2)),
  fc.double({ min: 1e-9, max: 1e9, noNaN: true }).map(String),
  fc.integer({ min: 0, max: 10 ** 12 }).map(String),
);
const odd = fc.constantFrom(
  '',
  '0',
  '0.0',
  '1.',
  '.5',
  '1e3',
  '1,5',
  'null',
  '-1',
  ' 7 ',
  '12345678901234567890.5',
  '1e13',
);
const volume = fc.oneof(
  { weight: 60, arbitrary: fc.integer({ min: 0, max: 2_000_000_000 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('1.2M', '0.5', '10.0', '') },
);
const number = fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: odd });
const day = fc.oneof(
  {
    weight: 30,
    arbitrary: fc
      .integer({ min: 0, max: 30_000 })
      .map((at) => new Date(at * 86_400_000).toISOString().slice(0, 10)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '2020-02-30',
      '20200131',
      '31.01.2020',
      '01/31/2020',
      '2020-01-31 00:00:00-05:00',
    ),
  },
);
const row = fc
  .tuple(
    day,
    fc.array(number, { minLength: 5, maxLength: 5 }),
    volume,
    number,
    fc.constantFrom('0', '0.0', '', '4:1', '2'),
  )
  .map(([date, prices, traded, paid, split]) => [date, ...prices, traded, paid, split].join(','));
const table = fc
  .tuple(
    fc.array(row, { maxLength: 12 }),
    fc.constantFrom('sorted', 'newest first', 'mixed'),
    fc.constantFrom('\n', '\r\n', '\r'),
  )
  .map(([rows, order, end]) => {
    const lines = order === 'mixed' ? rows : rows.toSorted();
    return [HEADER, ...(order === 'newest first' ? lines.toReversed() : lines), ''].join(end);
  });

test('a table is the same whether it is read in one pass or with care, faults included', () => {
  let plain = 0;
  fc.assert(
    fc.property(table, (text) => {
      if (readPlain(text, ',') !== null) plain += 1;
      expect(read(text)).toEqual(read(withCare(text)));
    }),
    { numRuns: 500 },
  );
  expect(plain).toBeGreaterThan(20);
});

test.each([
  [
    'with words beside the figures',
    HEADER.replace('Stock Splits', 'Remark'),
    '2020-01-02,1,2,1,2,2,10,0,fine',
  ],
  ['with a currency', HEADER.replace('Stock Splits', 'Currency'), '2020-01-02,1,2,1,2,2,10,0,USD'],
  ['with a field too many', HEADER, '2020-01-02,1,2,1,2,2,10,0,0,1'],
  ['with a field too few', HEADER, '2020-01-02,1,2,1,2,2,10,0'],
  ['with a row of blanks', HEADER, '2020-01-02,1,2,1,2,2,10,0,0\n,,,,,,,,'],
  [
    'with a header of three lines',
    'Price,Open,High,Low,Close\nTicker,A,A,A,A\nDate,,,,',
    '2020-01-02,1,2,1,2',
  ],
  ['without volumes', 'Date,Open,High,Low,Close', '2020-01-02,1,2,1,2'],
])('so is one %s', (_, header, line) => {
  const text = `${header}\n${line}\n`;
  expect(read(text)).toEqual(read(text.replace('Open', '"Open"')));
});
