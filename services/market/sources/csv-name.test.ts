import { expect, it } from 'vitest';
import { tablesOf } from './csv-name.ts';

it.each([
  ['TSE_DLY_7203, 1D.csv', '7203'],
  ['NASDAQ_AAPL, 1D_a1b2c.csv', 'AAPL'],
  ['NYSE_BRK.B, D (2).csv', 'BRK.B'],
  ['AAPL, 1W.csv', 'AAPL'],
  ['BATS_AAPL.csv', 'AAPL'],
  ['LSE_DLY_VOD.csv', 'VOD'],
  ['SAP_Daily_202401020000_202412310000.csv', 'SAP'],
  ['AAPL.NAS_D1_202401020000_202412310000.csv', 'AAPL.NAS'],
  ['EURUSD_D1.csv', 'EURUSD'],
  ['AAPL Historical Data.csv', 'AAPL'],
  ['SAP Historische Kurse.csv', undefined],
  ['AAPL (1).csv', 'AAPL'],
  ['nvda.us.txt.csv', 'NVDA'],
  ['bmw.de.txt.csv', 'BMW.DE'],
  ['aapl_us_d.csv', 'AAPL'],
  ['daily_adjusted_IBM.csv', 'IBM'],
  ['MSFT_1d.csv', 'MSFT'],
  ['Apple Stock Price History.csv', undefined],
])('the ticker in the name of a table, whatever programs write around it: %s', (file, ticker) => {
  const { tables, leftOut } = tablesOf([file]);
  expect([...tables.keys()][0]).toBe(ticker);
  expect(leftOut).toHaveLength(ticker === undefined ? 1 : 0);
});
