import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { FILE_FAULTS } from '../../foundation/file-faults.ts';
import { SettingsError } from '../../foundation/settings-error.ts';
import type { MarketSettings } from '../settings.ts';
import { tablesOf } from './csv-name.ts';

const ADVICE = 'set TD_SOURCE to csv: and a folder with files like AAPL.csv (beleg doctor looks at each)';

/**
 * Checks that a folder has a table for at least one wanted ticker, before the account is bound to this source for good.
 * Later the folder may be missing: the service then goes on with the data that it has read.
 *
 * @throws {SettingsError} with the path, and what to do.
 */
export async function checkFolder({
  source,
  tickers,
  dbPath,
}: Pick<MarketSettings, 'source' | 'tickers' | 'dbPath'>): Promise<void> {
  if (source.kind !== 'csv' || existsSync(dbPath)) return;
  const { folder } = source;
  const { tables, leftOut } = tablesOf(await filesIn(folder));
  if (tables.size === 0) {
    const found = [`${folder} has no file like AAPL.csv`, ...leftOut.slice(0, 3)].join('; ');
    throw new SettingsError([`TD_SOURCE: ${found}: ${ADVICE}`]);
  }
  if (tickers !== null && !tickers.some((ticker) => tables.has(ticker))) {
    throw new SettingsError([
      `TD_TICKERS: ${folder} has no table of ${tickers.slice(0, 5).join(', ')}: name tickers of its tables, or none to trade all`,
    ]);
  }
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new SettingsError([
      `TD_SOURCE: ${folder} ${FILE_FAULTS[code] ?? `cannot be read (${code})`}: ${ADVICE}`,
    ]);
  }
}
