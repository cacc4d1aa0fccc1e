import { isBelegError } from '../../../events/errors.ts';
import { csvSource } from '../../market/sources/csv-folder.ts';
import { besideBars, SourceFaults } from '../../market/sources/source.ts';
import type { Settings } from '../../composition/settings.ts';
import { count } from '../number-format.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

/** Only this many tables are read to the end, because many take minutes. */
const READ = 50;
/** The most faults that are named here; the pipeline status has all of them. */
const SHOWN = 3;

/** Checks the tables of `TD_SOURCE`: what is not read of them, and why. `null` for another source. */
export async function lookAtMarket({
  market: { source },
}: Pick<Settings, 'market'>): Promise<Finding | null> {
  const what = 'market data';
  if (source.kind !== 'csv') return null;
  const tables = csvSource(source);
  try {
    const listed = await tables.tickers();
    const faults = [...(await besideBars(tables)).leftOut];
    const read = listed.slice(0, READ);
    for (const ticker of read) {
      const found = await tables.fetch(ticker, null, new AbortController().signal).then(
        () => [],
        (error: unknown) => {
          if (error instanceof SourceFaults) return error.faults;
          throw error;
        },
      );
      faults.push(...found.slice(0, 1));
    }
    const of = listed.length > READ ? `, of which the first ${READ} were read` : '';
    const there = `${count(listed.length, 'table')} in ${source.folder}${of}`;
    if (faults.length === 0) return ok(what, there);
    const more = faults.length > SHOWN ? ` and ${faults.length - SHOWN} more` : '';
    const found = `${there}; ${count(faults.length, 'table')} left out: ${faults.slice(0, SHOWN).join('; ')}${more}`;
    return warning(what, found, 'mend or rename them; the others are traded');
  } catch (error) {
    if (!isBelegError(error)) throw error;
    return fault(
      what,
      error.detail ?? error.message,
      'mend the file that is named, or set TD_SOURCE to csv: and a folder with files like AAPL.csv',
    );
  }
}
