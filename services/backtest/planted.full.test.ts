import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { readSettings } from '../composition/settings.ts';
import { ownStrategies } from '../strategies/named.ts';
import { openStrategy } from '../strategies/own-strategy.ts';
import { checkStrategy } from './check-strategy.ts';
import { drawing, riseOf, walks, withColumns, withSeries } from './walks.suite.ts';

const folder = sharedFolder();
const { trading } = readSettings({ TD_SLIPPAGE_BPS: '0' });

const PRICES = walks(170, 48);
const draw = drawing(5);
const NOISE = PRICES.map(() => draw() - 0.5);
const datesOf = (sessions: readonly SessionData[]): string[] => sessions.map(({ date }) => date);
/** What a market did from a session to the next one: published three days later. */
const moodOf = (n: number): number => Math.round(1_000 * riseOf(PRICES, n, 'AAA'));

/** What is written into the files of a case, and what it is run on. */
interface Case {
  readonly files: Readonly<Record<string, string>>;
  readonly sessions?: readonly SessionData[];
  readonly found?: RegExp;
}

let cases = 0;
async function check({ files, sessions = PRICES }: Case): Promise<string | null> {
  cases += 1;
  const [first = ''] = Object.keys(files);
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, String(cases), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const file = join(folder, String(cases), first);
  const source = ownStrategies(file.endsWith('.py') ? `exec:python3 ${file}` : file)[0]!;
  const open = () => openStrategy(source);
  return (await checkStrategy({ ...trading, source, open, sessions, dates: 4 })).difference;
}

const strategy = (body: string, { top = '', history = 2 } = {}): Case['files'] => ({
  'mine.ts': `${top}\nexport default { history: ${history}, onSession({ date, bars, past, series, universe, account, state, indicators }: any): any {\n${body}\n} };\n`,
});
const AAA = (isIn: string): string => `return { targets: [{ ticker: 'AAA', weight: ${isIn} ? 0.9 : 0 }] };`;

/** A program that buys where `decide` is true. */
const python = (decide: string, { top = [] as string[], each = [] as string[] } = {}): string =>
  [
    'import csv, json, os, sys',
    ...top,
    'for line in sys.stdin:',
    '    day = json.loads(line); answer = {}',
    '    if day["type"] == "hello": answer = {"history": 1}',
    '    elif day["type"] == "session":',
    ...each.map((line) => `        ${line}`),
    `        answer = {"targets": [{"ticker": "AAA", "weight": 0.9 if ${decide} else 0}]}`,
    '    print(json.dumps(answer), flush=True)',
    '',
  ].join('\n');

/** One that reads a table by itself; `n` is the row of the day. */
const program = (table: string, text: string, decide: string): Case['files'] => ({
  'mine.py': python(decide, {
    top: [
      `path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "${table}")`,
      'rows = list(csv.DictReader(open(path)))',
      'place = {row["date"]: n for n, row in enumerate(rows)}',
    ],
    each: ['n = place[day["date"]]'],
  }),
  [table]: text,
});

const closes = (sessions: readonly SessionData[]): number[] => sessions.map(({ bars }) => bars['AAA']!.close);
const rising = datesOf(PRICES.filter((_, n) => riseOf(PRICES, n, 'AAA') > 0));

const PLANTED: Readonly<Record<string, Case>> = {
  'a column that holds the next close': {
    files: strategy(AAA('bars.AAA.columns.target > bars.AAA.close')),
    sessions: withColumns(PRICES, {
      target: (n, ticker) => PRICES[Math.min(n + 1, PRICES.length - 1)]!.bars[ticker]!.close,
    }),
    found: /the column "target" says what the next session brings: on \d+ of \d+ days it is the next close/,
  },
  'a column that says whether it will rise': {
    files: strategy(AAA('bars.AAA.columns.label === 1')),
    sessions: withColumns(PRICES, {
      mood: (n) => NOISE[n]!,
      label: (n, ticker) => Number(riseOf(PRICES, n, ticker) > 0),
    }),
    found: /the column "label" says what the next session brings: its correlation/,
  },
  'a column with the rise of the next five days, of the past': {
    files: strategy(AAA("past.of('AAA').columns.forward.at(-1) > 0.01")),
    sessions: withColumns(PRICES, { forward: (n, ticker) => riseOf(PRICES, n, ticker, 5) }),
    found: /the column "forward"/,
  },
  'a series that is filed under the day that it is about, and read before it was known': {
    files: strategy(AAA('series.mood?.value > 0')),
    sessions: withSeries(PRICES, 'mood', moodOf),
    found: /the series "mood" says what the next session brings/,
  },
  'prices of the future in a file of its own': {
    files: {
      ...strategy(AAA('closes[dates.indexOf(date) + 1] > closes[dates.indexOf(date)]'), {
        top: `import known from './known.json' with { type: 'json' };\nconst { dates, closes } = known;`,
      }),
      'known.json': JSON.stringify({ dates: datesOf(PRICES), closes: closes(PRICES) }),
    },
    found: /as if it knew what comes: its orders were right about the next close for \d+ % of their value/,
  },
  'a list of the days on which to buy': {
    files: {
      ...strategy(AAA('days.includes(date)'), { top: `import { days } from './days.ts';` }),
      'days.ts': `export const days: string[] = ${JSON.stringify(rising)};`,
    },
    found: /as if it knew what comes/,
  },
  'a program that reads the table': {
    files: program(
      'AAA.csv',
      ['date,close', ...PRICES.map(({ date }, n) => `${date},${closes(PRICES)[n]}`)].join('\n'),
      'n + 1 < len(rows) and float(rows[n + 1]["close"]) > float(rows[n]["close"])',
    ),
    found: /as if it knew what comes/,
  },
  'a program that reads a series before it was known': {
    files: program(
      'series/mood.csv',
      [
        'date,known,value',
        ...PRICES.map(({ date }, n) => `${date},${PRICES[n + 3]?.date ?? '2030-01-01'},${moodOf(n)}`),
      ].join('\n'),
      'float(rows[n]["value"]) > 0',
    ),
    sessions: withSeries(PRICES, 'mood', (n) => (n < 3 ? 0 : moodOf(n - 3))),
    found: /as if it knew what comes/,
  },
  'a counter that only its process has': {
    files: strategy(`n += 1; ${AAA('n % 3 === 0')}`, { top: 'let n = 0;' }),
    found: /killed between sessions/,
  },
  'a high that it keeps to itself': {
    files: strategy(`high = Math.max(high, bars.AAA.close); ${AAA('bars.AAA.close > high * 0.97')}`, {
      top: 'let high = 0;',
    }),
    found: /killed between sessions/,
  },
};

const HONEST: Readonly<Record<string, Case>> = {
  'the rise of the last closes': {
    files: strategy(`const c = past.closes('AAA', 20); ${AAA('c.at(-1) > c[0]')}`, { history: 20 }),
  },
  'what has fallen today': {
    files: strategy(`const c = past.closes('AAA', 2); ${AAA('c.at(-1) < c[0]')}`),
  },
  'an index of strength': {
    files: strategy(
      `const rsi = indicators.relativeStrength(past.closes('BBB'), 5).at(-1);
       return { targets: [{ ticker: 'BBB', weight: rsi < 40 ? 0.5 : 0.1 }], plot: { rsi: rsi || 0 } };`,
      { history: 12 },
    ),
  },
  'a column of the day': {
    files: strategy(AAA('bars.AAA.columns.mood > 0')),
    sessions: withColumns(PRICES, { mood: (n) => NOISE[n]! }),
  },
  'a column, beside one that says what comes': {
    files: strategy(AAA('bars.AAA.columns.mood > 0')),
    sessions: withColumns(PRICES, {
      mood: (n) => NOISE[n]!,
      label: (n, ticker) => riseOf(PRICES, n, ticker),
    }),
  },
  'a series once it is known': {
    files: strategy(AAA('series.mood?.value > 0')),
    sessions: withSeries(PRICES, 'mood', (n) => (n < 3 ? 0 : moodOf(n - 3))),
  },
  'days that were known long before, in a file of its own': {
    files: {
      ...strategy(AAA('!days.includes(date)'), {
        top: `import days from './days.json' with { type: 'json' };`,
      }),
      'days.json': JSON.stringify(datesOf(PRICES).filter((date) => date.endsWith('-01'))),
    },
  },
  'a high that it returns as its state': {
    files: strategy(
      `const high = Math.max(state?.high ?? 0, bars.AAA.close);
       return { targets: [{ ticker: 'AAA', weight: bars.AAA.close > high * 0.97 ? 0.9 : 0 }], state: { high } };`,
    ),
  },
  'drawn by the day, with stops': {
    files: strategy(
      `const ticker = universe[Math.floor(Math.random() * universe.length)];
       return { targets: [{ ticker, weight: Math.random() / 2, stop: Math.round(bars[ticker].close * 90) / 100 }] };`,
    ),
  },
  'a program that goes by its position': {
    files: { 'mine.py': python('not day["account"]["positions"]') },
  },
};

test.each(Object.entries(PLANTED))('%s is found', async (_, planted) => {
  expect(await check(planted)).toMatch(planted.found!);
});

test.each(Object.entries(HONEST))('%s is cleared', async (_, honest) => {
  expect(await check(honest)).toBeNull();
});
