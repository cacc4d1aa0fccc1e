import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { TickerResult } from '../../actors/market-update/update.ts';
import { isDiskFault, unavailable } from '../../events/sqlite/faults.ts';
import type { TradedData } from './adjust-prices.ts';
import { openBars, type Bars } from './bar-tables.ts';
import { openTables, TABLE_NAMES } from './tables.ts';
import type { Membership, Series } from './sources/source.ts';
import type { Warning } from './bar-warnings.ts';
import { given } from '../../events/given.ts';
import { FilePlace, removeDatabase } from '../../events/sqlite/file-place.ts';
import { openRebuildable, takeAwayIfDamaged, type Rebuildable } from '../../events/sqlite/rebuildable.ts';
import { inTransaction } from '../../events/sqlite/statements.ts';

interface TickerState {
  readonly ticker: string;
  readonly bars: number;
  readonly first: string | null;
  readonly last: string | null;
  /** The last update of the ticker. */
  readonly update_id: string;
  readonly fetched_at: string;
  readonly outcome: TickerResult;
}

/** The names of values that belong to the whole file. */
type Note =
  /** The key of the source, and the version of its data. */
  | 'source'
  | 'version'
  /** The id of the running update. */
  | 'update'
  /** When the last update finished, and the session up to which the data is complete. */
  | 'updated_at'
  | 'complete_until'
  /**
   * The last session of the first load, for a source without an end, whose later sessions are generated when they are
   * needed.
   */
  | 'history_until'
  /** The tickers of the source as a JSON list. */
  | 'tickers'
  /** Files that are not read, each with its reason, as a JSON list. */
  | 'left_out';

/**
 * Bars, splits and dividends in one SQLite file, as traded. One process updates it; readers see whole transactions.
 * Every method throws `STORE_UNAVAILABLE` if the file cannot be read or written.
 */
function marketStore(db: DatabaseSync, database: Rebuildable) {
  const { file } = database;
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      // The missing file is noticed within seconds, and the data is loaded again.
      takeAwayIfDamaged(database, error);
      throw isDiskFault(error) ? unavailable(error) : error;
    }
  };
  const bars = openBars(db);
  const place = new FilePlace(file);
  const statements = {
    putState: db.prepare('INSERT OR REPLACE INTO ticker_state VALUES (?, ?, ?, ?, ?, ?, ?)'),
    addDays: db.prepare('UPDATE ticker_state SET bars = bars + ?, last = ? WHERE ticker = ?'),
    state: db.prepare('SELECT * FROM ticker_state WHERE ticker = ?'),
    states: db.prepare('SELECT * FROM ticker_state ORDER BY ticker'),
    note: db.prepare('SELECT value FROM notes WHERE name = ?'),
    putNote: db.prepare('INSERT OR REPLACE INTO notes VALUES (?, ?)'),
    dropNote: db.prepare('DELETE FROM notes WHERE name = ?'),
  };

  function transaction<T>(work: () => T): T {
    return guarded(() => inTransaction(db, work));
  }

  const note = (name: Note): string | null =>
    guarded(() => (statements.note.get(name)?.['value'] as string | undefined) ?? null);

  /** Stores the result of an update, with the counts of stored data. */
  function putState(
    ticker: string,
    { updateId, at }: { updateId: string; at: string },
    outcomeOf: (span: ReturnType<Bars['span']>) => TickerResult,
  ): TickerResult {
    const span = bars.span(ticker);
    const outcome = outcomeOf(span);
    statements.putState.run(ticker, span.bars, span.first, span.last, updateId, at, JSON.stringify(outcome));
    return outcome;
  }

  return {
    /** Reads the stored data within one transaction. */
    read: <T>(reading: (bars: Bars) => T): T => guarded(() => reading(bars)),
    /**
     * Stores the fetched data of a ticker and the result in one transaction, so that after a crash either both exist or
     * neither. `complete`: there is no other data, so other stored data is deleted.
     */
    update(
      ticker: string,
      data: TradedData,
      of: { updateId: string; at: string; complete: boolean; warnings: readonly Warning[] },
    ): TickerResult {
      return transaction(() => {
        if (of.complete) bars.keepOnly(ticker, data);
        const changed = bars.put(ticker, data);
        const warnings = of.warnings.slice(0, 100);
        return putState(ticker, of, ({ first, last }) => ({
          status: 'updated',
          ...changed,
          warnings,
          warnings_total: of.warnings.length,
          first,
          last,
        }));
      });
    },
    /** Replaces all series and the universe, in one transaction. */
    putBeside({ series, universe }: { series: readonly Series[]; universe: readonly Membership[] }): void {
      transaction(() => {
        bars.putSeries(series);
        bars.putUniverse(universe);
      });
    },
    /** Stores that the update of a ticker failed. Its stored data stays. */
    fail(ticker: string, faults: readonly string[], of: { updateId: string; at: string }): TickerResult {
      return transaction(() => putState(ticker, of, () => ({ status: 'failed', faults })));
    },
    /**
     * Adds days of several tickers after all stored days, and notes up to which session the data is complete. The first
     * time it also notes where the first load ended.
     */
    extend(days: ReadonlyMap<string, TradedData>, completeUntil: string): void {
      transaction(() => {
        for (const [ticker, data] of days) {
          const last = data.bars.at(-1)?.date;
          if (last !== undefined) statements.addDays.run(bars.put(ticker, data).bars, last, ticker);
        }
        const until = note('complete_until');
        if (until !== null && note('history_until') === null) statements.putNote.run('history_until', until);
        statements.putNote.run('complete_until', completeUntil);
      });
    },
    /** The state of a ticker; `null` if it was never updated. */
    state(ticker: string): TickerState | null {
      return guarded(() => {
        const row = statements.state.get(ticker);
        return row === undefined ? null : stateOf(row);
      });
    },
    /**
     * The states, sorted by name: of the tickers that the source lists, and of removed ones that have only older data.
     */
    tickers(): { readonly listed: readonly TickerState[]; readonly removed: readonly TickerState[] } {
      const states = guarded(() => statements.states.all().map(stateOf));
      const tickers = note('tickers');
      // Before the first update nothing is known to be removed.
      if (tickers === null) return { listed: states, removed: [] };
      const listed = new Set(JSON.parse(tickers) as string[]);
      return {
        listed: states.filter(({ ticker }) => listed.has(ticker)),
        removed: states.filter(({ ticker, bars }) => !listed.has(ticker) && bars > 0),
      };
    },
    note,
    /** Sets several notes in one transaction; `null` removes a note. */
    setNotes(notes: Partial<Record<Note, string | null>>): void {
      transaction(() => {
        for (const [name, value] of Object.entries(notes)) {
          if (value === null) statements.dropNote.run(name);
          else statements.putNote.run(name, value);
        }
      });
    },
    /** Deletes everything of another source, so that data of two sources is never mixed. */
    begin(source: string): void {
      if (note('source') === source) return;
      transaction(() => {
        for (const table of TABLE_NAMES) db.exec(`DELETE FROM ${table}`);
        statements.putNote.run('source', source);
      });
    },
    /** Whether the file and its log are still there. If they were removed or replaced, writes are lost. */
    get isInPlace(): boolean {
      return place.isKept;
    },
    /** A file without its log may mix two states. It can be fetched again, so it is deleted. */
    close(): void {
      const isLeft = !place.isKept && place.hasFile;
      db.close();
      if (isLeft) removeDatabase(file);
    },
  };
}

export type MarketStore = ReturnType<typeof marketStore>;

/**
 * Opens the file. A damaged file is moved aside, because the source may no longer have all of its bars, and all data is
 * loaded again.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`.
 */
export function openMarketStore(file: string, onDamaged?: Rebuildable['onDamaged']): MarketStore {
  const database = { file, isOwnFile: true, keepsDamaged: true, ...given({ onDamaged }) };
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openRebuildable(database, () => marketStore(openTables(file), database));
  } catch (error) {
    throw unavailable(error, file);
  }
}

function stateOf(row: Record<string, unknown>): TickerState {
  return { ...row, outcome: JSON.parse(row['outcome'] as string) } as TickerState;
}
