import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { readSettings } from '../../composition/settings.ts';
import { openSource } from './open-source.ts';
import { SourceFaults } from './source.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function put(ticker: string, ...currencies: readonly string[]): void {
  const rows = currencies.map((currency, at) => `2024-01-0${at + 2},1,1,1,1,5,${currency}`);
  writeFileSync(
    join(folder, `${ticker}.csv`),
    ['date,open,high,low,close,volume,Currency', ...rows, ''].join('\n'),
  );
}

async function barsOf(ticker: string, environment: Readonly<Record<string, string>> = {}) {
  const { market } = readSettings({
    DATA_DIR: join(folder, 'data'),
    TD_SOURCE: `csv:${folder}`,
    ...environment,
  });
  const { source } = openSource(market, () => new Date());
  try {
    return (await source.fetch(ticker, null, new AbortController().signal)).bars.length;
  } catch (error) {
    if (error instanceof SourceFaults) return error.faults;
    throw error;
  }
}

test('a ticker of another currency than the account’s is not taken, and the message says which', async () => {
  put('SAP', 'EUR', 'EUR');
  put('AAPL', 'USD');
  put('NONE', '', '');
  expect(await barsOf('AAPL')).toBe(1);
  expect(await barsOf('NONE')).toBe(2);
  expect(await barsOf('SAP')).toEqual([
    'SAP: its prices are in EUR, and the account is in USD (TD_CURRENCY); nothing is converted, so leave the ticker out or set TD_CURRENCY for an account of its own',
  ]);
  expect(await barsOf('SAP', { TD_CURRENCY: 'EUR' })).toBe(2);
});

test('an index that nobody can hold may be in any currency', async () => {
  put('^DAX', 'EUR');
  expect(await barsOf('^DAX', { TD_INDEX: '^DAX' })).toBe(1);
});

test('a table in several currencies is at fault', async () => {
  put('SAP', 'EUR', 'USD');
  expect(await barsOf('SAP')).toEqual(['SAP.csv:2: the table has prices in several currencies (EUR, USD)']);
});
