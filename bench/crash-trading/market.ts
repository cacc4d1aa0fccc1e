import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const TICKERS = ['AAA', 'BBB', 'CCC'] as const;
const SESSIONS = 75;
/** What a strategy warms up with comes before. */
const WARM_UP = 35;

/** A small market as a folder of tables: a few dozen sessions, a split of each kind, dividends. Resolves with the feed's first session. */
export async function writeMarket(folder: string, random: () => number): Promise<string> {
  await mkdir(folder, { recursive: true });
  const dates = weekdays('2021-01-04', SESSIONS);
  const splits: Record<string, Record<string, number>> = {
    AAA: { [dates[50]!]: 2 },
    BBB: { [dates[60]!]: 0.1 },
    CCC: { [dates[45]!]: 1.5, [dates[65]!]: 1.5 },
  };
  const tickers: Record<string, object> = {};
  for (const ticker of TICKERS) {
    let close = 40 + random() * 100;
    const lines = dates.map((date) => {
      close /= splits[ticker]?.[date] ?? 1;
      const open = close * (1 + (random() - 0.5) * 0.02);
      close = open * (1 + (random() - 0.48) * 0.06);
      const high = Math.max(open, close) * (1 + random() * 0.01);
      const low = Math.min(open, close) * (1 - random() * 0.01);
      const prices = [open, high, low, close].map((price) => price.toFixed(2));
      return [date, ...prices, prices[3], Math.round(2_000 + random() * 20_000)].join(',');
    });
    const table = ['date,open,high,low,close,adj_close,volume', ...lines, ''].join('\n');
    await writeFile(join(folder, `${ticker}.csv`), table);
    tickers[ticker] = { splits: splits[ticker], dividends: { [dates[55]!]: 0.25, [dates[60]!]: 0.3 } };
  }
  await writeFile(join(folder, 'actions.json'), JSON.stringify({ prices: 'as-traded', tickers }));
  return dates[WARM_UP]!;
}

function weekdays(first: string, count: number): string[] {
  const dates: string[] = [];
  for (let at = new Date(`${first}T00:00:00Z`); dates.length < count; at.setUTCDate(at.getUTCDate() + 1)) {
    if (at.getUTCDay() % 6 !== 0) dates.push(at.toISOString().slice(0, 10));
  }
  return dates;
}
