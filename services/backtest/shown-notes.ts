import type { SessionData } from '../../events/messages/market.ts';

/** Tickers of a column that are named one by one. */
const NAMED = 5;

/** What strategies are shown beside prices, for people: the further columns of tables, and the series. */
export function shownNotes(sessions: readonly SessionData[]): string[] {
  const names = Object.keys(sessions.at(-1)?.series ?? {}).sort();
  return [
    furtherColumnsNote(sessions) ?? [],
    names.length === 0 ? [] : `SERIES: strategies are shown these series: ${names.join(', ')}.`,
  ].flat();
}

/** Which further columns of tables strategies are shown, and of which tickers; null if there are none. */
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
  const tickers = [...of].sort();
  const more = tickers.length > NAMED ? ` and ${tickers.length - NAMED} more` : '';
  return `${JSON.stringify(name)} of ${tickers.slice(0, NAMED).join(', ')}${more}`;
}
