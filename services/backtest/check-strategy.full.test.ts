import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../events/dates.ts';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';
import { readSettings } from '../composition/settings.ts';
import { ownStrategies } from '../strategies/named.ts';
import { openStrategy } from '../strategies/own-strategy.ts';
import type { Limits } from '../strategies/strategy-limits.ts';
import { checkStrategy } from './check-strategy.ts';

const folder = sharedFolder();
const EXAMPLES = join(import.meta.dirname, '../../examples/strategies');

const bar = (price: number) => ({
  open: price,
  high: price + 1,
  low: price - 1,
  close: price,
  volume: 1_000_000,
});
const NOTHING = {};

/** Two tickers with varying prices, a split, a dividend, and a universe that one of them leaves and enters again. */
const SESSIONS = Array.from({ length: 45 }, (_, n) => {
  const wave = 100 + ((n * 7) % 11) - 5 + n / 3;
  return {
    date: new Date(Date.UTC(2024, 0, 1) + n * DAY_MS).toISOString().slice(0, 10),
    bars: {
      AAA: {
        ...bar(Math.round((n < 25 ? wave : wave / 2) * 100) / 100),
        columns: { sentiment: (n % 5) - 2 },
      },
      BBB: bar(50 + ((n * 5) % 7)),
    },
    splits: n === 25 ? { AAA: '2/1' } : NOTHING,
    dividends: n === 30 ? { BBB: 0.5 } : NOTHING,
    universe: n % 12 < 9 ? ['AAA', 'BBB'] : ['AAA'],
  };
});

const { trading } = readSettings({ TD_SLIPPAGE_BPS: '0' });

async function check(text: string, limits: Partial<Limits> = {}): Promise<string | null> {
  const source = ownStrategies(text)[0]!;
  let isOpen = 0;
  const open = async () => {
    const strategy = await openStrategy(source, { limits });
    isOpen += 1;
    // The one that is kept, and that of the run.
    expect(isOpen).toBeLessThanOrEqual(2);
    let isClosed = false;
    return {
      ...strategy,
      async close() {
        if (!isClosed) isOpen -= 1;
        isClosed = true;
        await strategy.close();
      },
    };
  };
  const { difference } = await checkStrategy({ ...trading, source, open, sessions: SESSIONS, dates: 4 });
  expect(isOpen).toBe(0);
  return difference;
}

/** Three tickers that rise, of which the best one misses every twelfth day. */
const GAPS = Array.from({ length: 380 }, (_, n) => ({
  date: new Date(Date.UTC(2024, 0, 1) + n * DAY_MS).toISOString().slice(0, 10),
  bars: {
    AAA: bar(100 + n / 10 + ((n * 7) % 11)),
    BBB: bar(50 + ((n * 5) % 7)),
    ...(n % 12 !== 0 && { CCC: bar(20 + n / 5 + ((n * 3) % 5)) }),
  },
  splits: n === 200 ? { AAA: '1/2' } : NOTHING,
  dividends: NOTHING,
}));

let files = 0;
async function js(onSession: string, { history = 3, top = '' } = {}): Promise<string> {
  const file = join(folder, `s${++files}.js`);
  await writeFile(file, `${top}\nexport default { history: ${history}, ${onSession} };\n`);
  return file;
}

async function python(decide: string, { see = '', top = '', begin = 'pass' } = {}): Promise<string> {
  const file = join(folder, `s${++files}.py`);
  const lines = [
    'import json, sys, time, random, os',
    top,
    'for line in sys.stdin:',
    '    day = json.loads(line); answer = {}',
    '    if day["type"] == "hello": answer = {"history": 3}',
    `    elif day["type"] == "begin": ${begin}`,
    '    elif day["type"] == "session":',
    see === '' ? '' : `        ${see}`,
    `        answer = ${decide}`,
    '    print(json.dumps(answer), flush=True)',
    '',
  ];
  await writeFile(file, lines.join('\n'));
  return `exec:python3 ${file}`;
}

const HALF = (weight: string): string => `return { targets: [{ ticker: 'AAA', weight: ${weight} }] };`;

test.each<[string, () => Promise<string>, RegExp]>([
  [
    'a counter of the file',
    () => js(`onSession() { n += 1; ${HALF('(n % 4) / 10')} }`, { top: 'let n = 0;' }),
    /killed/,
  ],
  [
    'closes that it keeps itself',
    () =>
      js(
        `onSession({ bars }) { kept.push(bars.AAA.close); ${HALF('kept.length > 6 && kept.at(-7) < kept.at(-1) ? 0.5 : 0')} }`,
        {
          top: 'const kept = [];',
        },
      ),
    /killed/,
  ],
  [
    'a field of its own',
    () => js(`n: 0, onSession() { this.n += 1; ${HALF('(this.n % 3) / 10')} }`),
    /killed/,
  ],
  [
    'what it believes to hold',
    () =>
      js(`onSession() { if (held.has('AAA')) return; held.add('AAA'); ${HALF('0.3')} }`, {
        top: 'const held = new Set();',
      }),
    /killed/,
  ],
  [
    'a static field of a class',
    () =>
      js(`onSession() { Memory.n += 1; ${HALF('(Memory.n % 5) / 10')} }`, {
        top: 'class Memory { static n = 0; }',
      }),
    /killed/,
  ],
  ['the clock', () => js(`onSession() { ${HALF('(Date.now() % 10) / 10')} }`), /no clock/],
  [
    'something hung on what it is given',
    () => js(`onSession({ past }) { past.n = (past.n ?? 0) + 1; }`),
    /not extensible/,
  ],
  ['random numbers of no seed', () => python('{"plot": {"x": random.random()}}'), /run again/],
  ['the time', () => python('{"plot": {"x": time.time()}}'), /run again/],
  [
    'more of the past than it asked for',
    () =>
      python('{"plot": {"n": len(kept)}}', {
        top: 'kept = []',
        see: 'kept.append(day["bars"]["AAA"]["close"])',
      }),
    /killed/,
  ],
  [
    'a further column of days that it did not ask for',
    () =>
      js(
        `onSession({ bars }) { kept.push(bars.AAA.columns.sentiment); return { plot: { first: kept[0] } }; }`,
        {
          top: 'const kept = [];',
        },
      ),
    /killed/,
  ],
  [
    'what might be bought on days before',
    () =>
      js(`onSession({ universe }) { kept.add(universe.length); return { plot: { sizes: kept.size } }; }`, {
        top: 'const kept = new Set();',
      }),
    /killed/,
  ],
  [
    'how often it was begun',
    () => python('{"plot": {"n": begun}}', { top: 'begun = 0', begin: 'begun += 1' }),
    /begun again/,
  ],
  ['the process that it is', () => python('{"plot": {"x": os.getpid()}}'), /run again/],
])('%s is found', async (_, write, reason) => {
  expect(await check(await write())).toMatch(reason);
});

test.each<[string, () => Promise<string> | string]>([
  ['momentum', () => join(EXAMPLES, 'momentum.ts')],
  ['mean reversion', () => join(EXAMPLES, 'mean-reversion.ts')],
  ['buy and hold', () => join(EXAMPLES, 'buy-and-hold.ts')],
  ['crossover', () => join(EXAMPLES, 'crossover.ts')],
  ['momentum in Python', () => `exec:python3 ${join(EXAMPLES, 'momentum.py')}`],
  ['nothing', () => js('onSession() {}')],
  [
    'a counter that it returns',
    () => js(`onSession({ state }) { return { state: (state ?? 0) + 1, plot: { n: state ?? 0 } }; }`),
  ],
  [
    'a share by the last closes',
    () =>
      js(`onSession({ past }) { const c = past.closes('AAA', 3); ${HALF('c[0] < c.at(-1) ? 0.5 : 0.1')} }`),
  ],
  ['random numbers of the day', () => js(`onSession() { ${HALF('Math.random() / 2')} }`)],
  [
    'limit orders that it cancels',
    () =>
      js(`onSession({ bars, account }) { return { cancel: account.orders.map(({ order_id }) => order_id), orders: [
        { ticker: 'BBB', action: 'buy', quantity: 3, type: 'limit', price: bars.BBB.close - 2, time_in_force: 'gtc' }] }; }`),
  ],
  [
    'indicators',
    () =>
      js(
        `onSession({ past, indicators }) { return { plot: { a: indicators.simpleAverage(past.closes('AAA'), 5).at(-1) || 0 } }; }`,
        { history: 8 },
      ),
  ],
  [
    'further columns, of today and of the past',
    () =>
      js(
        `onSession({ bars, past }) { const { sentiment } = past.of('AAA').columns;
          if (sentiment.at(-1) !== bars.AAA.columns.sentiment) throw new Error('they differ');
          return { plot: { mood: sentiment[0] } }; }`,
      ),
  ],
  [
    'further columns in Python',
    () => python('{"plot": {"mood": day["bars"]["AAA"]["columns"]["sentiment"]}}'),
  ],
  [
    'the universe of the day',
    () => js(`onSession({ universe }) { ${HALF("universe.includes('BBB') ? 0.5 : 0.2")} }`),
  ],
  ['the universe in Python', () => python('{"plot": {"n": len(day["universe"])}}')],
  ['what it holds', () => js(`onSession({ account }) { ${HALF('account.positions.AAA ? 0 : 0.4')} }`)],
])('%s is cleared', async (_, write) => {
  expect(await check(await write())).toBeNull();
});

test('an answer that is late by the clock is no verdict on the strategy; one that never ends is', async () => {
  const last = SESSIONS[40]!.date;
  const waits = await python('{}', { see: `if day["date"] > "${last}": time.sleep(99)` });
  await expect(check(waits, { sessionMs: 500, patience: 2 })).rejects.toMatchObject({
    isLate: true,
    message: 'it did not answer within 1 s',
  });
  const loops = await js(`onSession({ date }) { while (date > '${last}'); }`);
  expect(await check(loops, { sessionMs: 1_000, patience: 100 })).toMatch(
    /halted on .* within 1 s of processor time/,
  );
});

test.each<[string, Readonly<Record<string, number>>, number]>([
  ['buy-and-hold.ts', {}, 10],
  ['momentum.ts', {}, 60],
  ['momentum.ts', { lookback: 250 }, 380],
  ['momentum.py', { lookback: 250 }, 380],
  ['crossover.ts', { fast: 100, slow: 250 }, 380],
  ['mean-reversion.ts', { trend: 250, low: 40 }, 380],
  ['model.ts', {}, 40],
])(
  '%s with %j runs on a table of gaps as it comes, and is cleared: %i sessions',
  async (name, parameters, count) => {
    const file = join(EXAMPLES, name);
    const source = ownStrategies(name.endsWith('.py') ? `exec:python3 ${file}` : file)[0]!;
    const bought = new Set<string>();
    const open = async () => {
      const strategy = await openStrategy(source, { parameters });
      return {
        ...strategy,
        async decide(...asked: Parameters<typeof strategy.decide>) {
          const answer = await strategy.decide(...asked);
          for (const target of answer.targets) if ((target.weight ?? 0) > 0) bought.add(target.ticker);
          return answer;
        },
      };
    };
    const sessions = GAPS.slice(0, count);
    const checked = await checkStrategy({ ...trading, source, open, sessions, dates: 2 });
    expect(checked).toMatchObject({ difference: null });
    expect(checked.sessions).toBeGreaterThanOrEqual(count === 380 ? 80 : count / 2);
    // The longest lookback is not too long for a ticker that missed some of the days.
    expect([...bought]).toEqual(expect.arrayContaining(count === 380 ? ['CCC'] : []));
  },
);
