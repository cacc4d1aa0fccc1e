import { existsSync } from 'node:fs';
import { isBelegError } from '../../../events/errors.ts';
import { firstFew } from '../../../events/first-few.ts';
import { demoSource } from '../../market/sources/demo.ts';
import { csvSource } from '../../market/sources/csv-folder.ts';
import { tellsLostRows } from '../../market/sources/lost-rows.ts';
import { besideBars, SourceFaults } from '../../market/sources/source.ts';
import type { Settings } from '../../composition/settings.ts';
import { openBeside } from '../../composition/live-tables.ts';
import { count } from '../number-format.ts';
import { fault, namedFaults, ok, warning, type Finding } from './finding.ts';

/** The most tables that are read to the end, because many take minutes. */
const READ = 50;
/** The most faults that are explained; of further ones only the files are named. */
const SHOWN = 20;

/**
 * Checks the tables of `TD_SOURCE`: what is left out of them, and why. For the demo it only checks `TD_TICKERS`. `null`
 * if there is nothing to report.
 */
export async function lookAtMarket({
  market: { source, tickers, dbPath },
}: Pick<Settings, 'market'>): Promise<Finding | null> {
  const what = 'market data';
  if (source.kind === 'demo') {
    const listed = await demoSource().tickers();
    const unknown = (tickers ?? []).filter((ticker) => !listed.includes(ticker));
    if (unknown.length === 0) return null;
    const found = `TD_TICKERS names ${unknown.join(', ')}, which the demo data do not have`;
    return fault(what, found, `set TD_TICKERS to some of ${listed.slice(0, 5).join(', ')} …, or remove it`);
  }
  if (source.kind !== 'csv') return null;
  const tables = csvSource(source);
  try {
    const listed = await tables.tickers();
    const unknown = (tickers ?? []).filter((ticker) => !listed.includes(ticker));
    const faults = [...(await besideBars(tables)).leftOut];
    const lostRows: string[] = [];
    const read = listed.slice(0, READ);
    const earlier = readEarlier(dbPath);
    const kept: string[] = [];
    for (const ticker of read) {
      try {
        const { notes = [] } = await tables.fetch(ticker, null, new AbortController().signal);
        lostRows.push(...notes.filter(tellsLostRows));
      } catch (error) {
        if (!(error instanceof SourceFaults)) throw error;
        faults.push(...error.faults);
        if (earlier.includes(ticker)) kept.push(ticker);
      }
    }
    const of = listed.length > READ ? `, of which the first ${READ} were read` : '';
    const there = `${count(listed.length, 'table')} in ${source.folder}${of}`;
    const removed = earlier.filter((ticker) => !listed.includes(ticker));
    const found = [
      there,
      ...(unknown.length === 0 ? [] : [`TD_TICKERS names ${unknown.join(', ')}, of which there is no table`]),
      ...(faults.length === 0 ? [] : [`left out: ${namedFaults(faults, SHOWN, fileOf)}`]),
      ...(kept.length === 0 ? [] : [`what was read earlier of ${nameSome(kept)} stays, and can be traded`]),
      ...(lostRows.length === 0 ? [] : [namedFaults(lostRows, SHOWN, fileOf)]),
      ...(removed.length === 0
        ? []
        : [
            `the ${removed.length === 1 ? 'table' : 'tables'} of ${nameSome(removed)} ${removed.length === 1 ? 'is' : 'are'} gone; what was read stays, and without further bars a ticker counts as gone after 20 sessions`,
          ]),
    ].join('; ');
    if (unknown.length > 0 && unknown.length === tickers?.length) {
      return fault(
        what,
        found,
        'set TD_TICKERS to tickers of these tables, or remove it: then all are traded',
      );
    }
    if (faults.length + unknown.length > 0)
      return warning(what, found, 'mend or rename them; the others are traded');
    if (lostRows.length > 0) return warning(what, found, 'mend these rows; all others are used');
    if (removed.length > 0) return warning(what, found, 'put a table back if its ticker still trades');
    return ok(what, found);
  } catch (error) {
    if (!isBelegError(error)) throw error;
    return fault(
      what,
      `${source.folder}: ${error.detail ?? error.message}`,
      'mend the file that is named, or set TD_SOURCE to csv: and a folder with files like AAPL.csv',
    );
  }
}

const nameSome = (tickers: readonly string[]): string => firstFew(tickers, SHOWN);

/** The tickers whose bars the service has stored; none if it has not stored any yet, or the file cannot be read now. */
function readEarlier(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  try {
    using db = openBeside(file);
    const rows = db.prepare('SELECT ticker FROM live.ticker_state WHERE bars > 0 ORDER BY ticker').all();
    return rows.map(({ ticker }) => ticker as string);
  } catch {
    return [];
  }
}

const fileOf = (named: string): string => named.split(':', 1)[0]!;
