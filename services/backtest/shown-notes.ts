import type { SessionData } from '../../events/messages/market.ts';
import { firstFew } from '../../events/first-few.ts';
import { knownTooEarly } from './known-too-early.ts';

const LOOK_AHEAD = 'LOOK-AHEAD: ';

/** Whether a note says that a strategy was shown something that only the next session brings. */
export const isLookAhead = (note: string): boolean => note.startsWith(LOOK_AHEAD);

/** The most tickers of a column that are named. */
const NAMED = 5;

/**
 * Notes on what strategies see beside prices: further columns of tables, series and the universe, and which of them say
 * something that only the next session brings.
 */
export function shownNotes(sessions: readonly SessionData[]): string[] {
  const names = Object.keys(sessions.at(-1)?.series ?? {}).sort();
  return [
    furtherColumnsNote(sessions) ?? [],
    names.length === 0 ? [] : `SERIES: strategies are shown these series: ${names.join(', ')}.`,
    universeNote(sessions) ?? [],
    knownTooEarly(sessions).map(({ told }) => `${LOOK_AHEAD}${told}.`),
  ].flat();
}

/** A note on how many tickers may be bought on each day, and how many in total; null without a universe. */
function universeNote(sessions: readonly SessionData[]): string | null {
  const lists = sessions.flatMap(({ universe }) => (universe === undefined ? [] : [universe]));
  if (lists.length === 0) return null;
  const sizes = new Set(lists.map(({ length }) => length));
  const [fewest, most] = [Math.min(...sizes), Math.max(...sizes)];
  const all = new Set([...new Set(lists)].flat()).size;
  const aDay = fewest === most ? fewest : `${fewest} to ${most}`;
  return `UNIVERSE: strategies may buy what universe.csv has on the day (tickers a day: ${aDay}; in all: ${all}).`;
}

/** A note on the further columns that strategies see, and their tickers; null if there are none. */
function furtherColumnsNote(sessions: readonly SessionData[]): string | null {
  const tickersOf = new Map<string, Set<string>>();
  for (const { bars } of sessions) {
    for (const [ticker, { columns }] of Object.entries(bars)) {
      for (const name of columns === undefined ? [] : Object.keys(columns)) {
        const known = tickersOf.get(name);
        if (known === undefined) tickersOf.set(name, new Set([ticker]));
        else known.add(ticker);
      }
    }
  }
  if (tickersOf.size === 0) return null;
  const each = [...tickersOf].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, of]) => columnOf(name, of));
  return `COLUMNS: strategies are shown these further columns of the tables: ${each.join('; ')}.`;
}

function columnOf(name: string, of: ReadonlySet<string>): string {
  return `${JSON.stringify(name)} of ${firstFew([...of].sort(), NAMED)}`;
}
