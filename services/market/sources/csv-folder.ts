import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, type Stats } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { BelegError } from '../../../events/errors.ts';
import { firstFew } from '../../../events/first-few.ts';
import { columnsAsTraded } from '../adjust-prices.ts';
import { barsFrom, countBefore } from '../bar-columns.ts';
import { warningsOf } from '../bar-warnings.ts';
import { deriveActions, looksSplitAdjusted, recogniseConvention } from './adjusted-closes.ts';
import { ACTIONS_FILE, NO_ACTIONS, parseActions, type FolderActions } from './actions-file.ts';
import { isTable, tablesOf } from './csv-name.ts';
import { readBars, type Table } from './csv-table.ts';
import { listSeries, readSeries, SERIES_FOLDER } from './series-folder.ts';
import { stated, type Understood } from './stated-actions.ts';
import {
  SourceFaults,
  type BarSource,
  type Convention,
  type Fetched,
  type FetchedColumns,
  type UniverseFound,
} from './source.ts';
import { tableCache, type TableCache } from './table-cache.ts';
import { tableText } from './table-text.ts';
import { isUniverse, readUniverse } from './universe-file.ts';

/** The largest table that is read. A hundred years of daily bars take 2 MiB. */
const MAX_TABLE_BYTES = 64 * 1024 * 1024;
const MAX_ACTIONS_BYTES = 16 * 1024 * 1024;
/** The most tickers that a note names, of those in the universe without a table. */
const NAMED = 50;

/**
 * A folder with one table for each ticker: `AAPL.csv` (see `tablesOf` and `readBars`), and their actions and convention
 * in `actions.json` (see `parseActions`). Other files are ignored; a link that leads out of the folder is not followed.
 * Each `fetch` reads the file again; with a cache folder, a table that has not changed is not parsed again.
 */
export function csvSource({ folder, cache }: { folder: string; cache?: string }): BarSource {
  const kept = cache === undefined ? null : tableCache(cache);
  const columns = tableReader(folder, kept);
  return {
    name: 'csv',
    synthetic: false,
    index: null,
    feedStart: 'year-before-end',
    async tickers() {
      await kept?.tidy();
      return listTickers(folder);
    },
    series: () => seriesOf(folder),
    universe: () => universeOf(folder),
    leftOut: async () => tablesOf(await list(folder)).leftOut,
    fetch: async (ticker, since, signal) => fetchedSince(await columns(ticker, signal), since),
    columns,
    version: () => describe(folder),
  };
}

async function listTickers(folder: string): Promise<string[]> {
  const { tables, leftOut } = tablesOf(await list(folder));
  if (tables.size === 0) {
    const detail = ['the folder of TD_SOURCE has no file like AAPL.csv', ...leftOut.slice(0, 3)].join('; ');
    throw new BelegError('SERVICE_UNAVAILABLE', { detail });
  }
  return [...tables.keys()].sort();
}

const seriesOf = (folder: string) =>
  readSeries(folder, async (name) => {
    const file = await find(folder, name, MAX_TABLE_BYTES);
    if (file === null) throw new SourceFaults(['the file does not exist']);
    return tableText(await readFile(file.path));
  });

async function universeOf(folder: string): Promise<UniverseFound> {
  const files = await list(folder);
  const name = files.find(isUniverse);
  const file = name === undefined ? null : await find(folder, name, MAX_TABLE_BYTES);
  if (name === undefined || file === null) return { universe: [], leftOut: [] };
  try {
    const universe = readUniverse(tableText(await readFile(file.path)));
    const { tables } = tablesOf(files);
    const missing = [...new Set(universe.map(({ ticker }) => ticker))].filter(
      (ticker) => !tables.has(ticker),
    );
    if (missing.length === 0) return { universe, leftOut: [] };
    const named = firstFew(missing.sort(), NAMED);
    return { universe, leftOut: [`${name}: there is no table of ${named}, so nothing can be bought of it`] };
  } catch (cause) {
    const detail = `${name}: ${cause instanceof Error ? cause.message : 'it cannot be read'}`;
    throw new BelegError('SERVICE_UNAVAILABLE', { detail, cause });
  }
}

function fetchedSince(
  { bars, splits, dividends, convention, currency, notes }: FetchedColumns,
  since: string | null,
): Fetched {
  const wanted = ({ date }: { date: string }) => since === null || date >= since;
  return {
    bars: barsFrom(bars, since === null ? 0 : countBefore(bars.dates, since)),
    splits: splits.filter(wanted),
    dividends: dividends.filter(wanted),
    complete: since === null,
    convention,
    ...(currency === undefined ? {} : { currency }),
    notes: notes ?? [],
  };
}

/** Reads the table of a ticker. */
function tableReader(folder: string, cache: TableCache | null) {
  /** The tables and the actions of the folder, kept until its files change. */
  let tables: { readonly files: string; readonly of: ReadonlyMap<string, string> } | undefined;
  let actions: { readonly file: string; readonly are: FolderActions } | undefined;

  // The hash is made at the start, because the code on disk may be replaced later.
  const reader = cache === null ? '' : codeHash();

  async function tableFor(ticker: string): Promise<string> {
    const names = await list(folder);
    const files = names.join('\0');
    if (tables?.files !== files) tables = { files, of: tablesOf(names).tables };
    return tables.of.get(ticker) ?? `${ticker}.csv`;
  }

  async function actionsNow(): Promise<FolderActions> {
    const found = await find(folder, ACTIONS_FILE, MAX_ACTIONS_BYTES);
    if (found === null) return NO_ACTIONS;
    const { path, at } = found;
    const file = JSON.stringify([path, at.ino, at.size, at.mtimeMs, at.ctimeMs]);
    if (actions?.file !== file)
      actions = { file, are: parseActions(tableText(await readFile(path), ACTIONS_FILE)) };
    return actions.are;
  }

  return async (ticker: string, signal: AbortSignal): Promise<FetchedColumns> => {
    const stated = await actionsNow();
    const known = stated.of(ticker);
    const name = await tableFor(ticker);
    const file = await find(folder, name, MAX_TABLE_BYTES);
    if (file === null) throw new SourceFaults([`${name}: the file does not exist`]);
    signal.throwIfAborted();
    if (cache === null) return understoodTable(name, bytesOf(file.path), known, stated.prices);
    return cache.columns(file, () => {
      const bytes = bytesOf(file.path);
      const key = createHash('sha256').update(JSON.stringify([reader, name, known, stated.prices]));
      const read = () => understoodTable(name, bytes, known, stated.prices);
      return { key: key.update(bytes).digest('hex'), read };
    });
  };
}

/** Tables are read into the same memory, because new memory for each takes ten times as long as reading it. */
let memory = Buffer.alloc(0);
/** The most bytes of it that are kept: more than any usual table takes. */
const MOST_KEPT = 8 * 1024 * 1024;

/**
 * The bytes of a file, until the next file is read. Reads synchronously, because a promise for each chunk takes longer
 * than the file itself.
 */
function bytesOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    for (let length = 0; ;) {
      if (length === memory.length) memory = Buffer.concat([memory], Math.max(2 * length, 1024 * 1024));
      const read = readSync(file, memory, length, memory.length - length, null);
      if (read === 0) {
        const bytes = memory.subarray(0, length);
        if (memory.length > MOST_KEPT) memory = Buffer.alloc(0);
        return bytes;
      }
      length += read;
    }
  } finally {
    closeSync(file);
  }
}

let code: string | undefined;

/** A hash of the code that reads tables: tables that other code has parsed do not count. */
function codeHash(): string {
  if (code !== undefined) return code;
  const hash = createHash('sha256');
  const own = import.meta.dirname;
  for (const folder of [own, join(own, '..'), join(own, '../../../kb/text')]) {
    for (const file of readdirSync(folder).toSorted()) {
      if (/(?<!\.test|\.suite)\.ts$/u.test(file)) hash.update(readFileSync(join(folder, file)));
    }
  }
  return (code = hash.digest('hex'));
}

function understoodTable(
  name: string,
  bytes: Buffer,
  known: ReturnType<FolderActions['of']>,
  prices: Convention | null,
): FetchedColumns {
  const table = readBars(name, bytes);
  const { splits, dividends, convention, notes } =
    known === null ? understand(name, table, prices) : told(table, known, prices);
  const fetched = {
    bars: table.bars,
    splits,
    dividends,
    convention,
    ...(table.currency === null ? {} : { currency: table.currency }),
    notes: [...table.notes, ...notes].map((note) => `${name}: ${note}`),
  };
  return { ...fetched, warnings: warningsOf(columnsAsTraded(fetched)) };
}

/** The splits and dividends of a ticker that `actions.json` lists. */
function told(
  { bars }: Table,
  { splits, dividends }: Pick<Fetched, 'splits' | 'dividends'>,
  prices: Convention | null,
): Understood {
  const convention = { bars: prices ?? recogniseConvention(bars, splits), dividends: 'as-traded' as const };
  return { splits, dividends, convention, notes: [] };
}

/**
 * Splits, dividends and convention of a ticker that is not in `actions.json`: stated in the table's columns, or else
 * derived from its adjusted closes.
 */
function understand(name: string, table: Table, prices: Convention | null): Understood {
  if (table.splits !== null || table.dividends !== null) return stated(name, table, prices);
  const { bars, adjusted } = table;
  const { splits, dividends, coarseUntil, unclear } = deriveActions(bars, adjusted ?? []);
  // Dividends are per share of their row, as are the prices, because no later split is known.
  const convention = { bars: 'as-traded', dividends: 'as-traded' } as const;
  const notes: string[] = [];
  if (splits.length + dividends.length > 0) {
    notes.push(
      `${dividends.length} dividends and ${splits.length} splits were derived from its adjusted closes`,
    );
  }
  if (adjusted === null) {
    notes.push(
      `no dividends are known: the file has no adjusted closes, and ${ACTIONS_FILE} does not list the ticker`,
    );
  }
  notes.push(...unclear);
  if (coarseUntil !== null) {
    notes.push(
      `until ${coarseUntil}, its adjusted closes have too few digits to distinguish a dividend from rounding`,
    );
  }
  if (splits.length === 0 && prices !== 'as-traded' && (dividends.length > 0 || looksSplitAdjusted(bars))) {
    notes.push(
      'its prices may be split-adjusted (as in exports from Yahoo), but it does not list the splits: quantities and fees ' +
        `per share count the shares of its last day, unless ${ACTIONS_FILE} lists the splits`,
    );
  }
  return { splits, dividends, convention, notes };
}

/** A file of the folder by its real path; `null` if there is none. Rejects with `SourceFaults` if it is not usable. */
async function find(
  folder: string,
  name: string,
  maxBytes: number,
): Promise<{ path: string; at: Stats } | null> {
  try {
    const path = await realpath(join(folder, name));
    if (!path.startsWith((await realpath(folder)) + sep)) {
      throw new SourceFaults([`${name}: points outside the folder`]);
    }
    const at = await stat(path);
    if (!at.isFile()) throw new SourceFaults([`${name}: is not a file`]);
    if (at.size > maxBytes) throw new SourceFaults([`${name}: is larger than ${maxBytes} bytes`]);
    return { path, at };
  } catch (error) {
    if (error instanceof SourceFaults) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new BelegError('SERVICE_UNAVAILABLE', { detail: `${name} cannot be read`, cause: error });
  }
}

/** A hash of the names, sizes and times of all files. */
async function describe(folder: string): Promise<string> {
  const hash = createHash('sha256');
  // A part of the hash that changed when stated dividends and splits were first read, so that earlier results are read
  // again.
  hash.update('with stated dividends and splits\n');
  const series = (await listSeries(folder)).map((name) => `${SERIES_FOLDER}/${name}`);
  const files = await list(folder);
  for (const name of [
    ...files.filter(isTable).sort(),
    ...series,
    ...files.filter(isUniverse),
    ACTIONS_FILE,
  ]) {
    const file = await find(folder, name, MAX_TABLE_BYTES).catch(() => null);
    hash.update(`${name} ${file?.at.size} ${file?.at.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw new BelegError('SERVICE_UNAVAILABLE', { detail: 'the folder of TD_SOURCE cannot be read', cause });
  }
}
