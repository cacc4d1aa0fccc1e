import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import type { StrategyAccount } from '../../actors/strategy/port.ts';
import { StartStrategy } from '../../events/messages/trading.ts';
import { ownStrategies } from './named.ts';
import type { HostedStrategy } from './hosted.ts';
import { openStrategy } from './own-strategy.ts';
import { LIMITS as ALL_LIMITS } from './strategy-limits.ts';

const ACCOUNT: StrategyAccount = { value: 1_000, cash: 1_000, positions: {}, orders: [], trades: [] };

const session = (date: string, close = 10, splits: Record<string, string> = {}) => ({
  date,
  bars: { AAA: { open: close, high: close, low: close, close, volume: 100 } },
  splits,
  dividends: {},
});

/** Writes a file whose `onSession` has this body, on its third line. */
async function write(body: string, more = ''): Promise<string> {
  const file = join(temporaryFolder(), 'mine.ts');
  await writeFile(
    file,
    `${more}\nexport default { history: 3, parameters: { x: { default: 2, min: 1, max: 5 } }, onSession(day: any): any {\n${body}\n} };\n`,
  );
  return file;
}

const LIMITS = { sessionMs: 3_000, patience: 30, megabytes: 300 };

async function opened(
  file: string,
  options: Parameters<typeof openStrategy>[1] = {},
): Promise<HostedStrategy> {
  return openStrategy(ownStrategies(file)[0]!, { limits: LIMITS, ...options });
}

async function decided(
  file: string,
  state: null | object = null,
  { universe, ...options }: Parameters<typeof openStrategy>[1] & { universe?: string[] } = {},
) {
  const strategy = await opened(file, options);
  try {
    await strategy.begin([session('2024-01-02', 8), session('2024-01-03', 9)]);
    return await strategy.decide({
      session: { ...session('2024-01-04', 5, { AAA: '2/1' }), ...(universe && { universe }) },
      previous: '2024-01-03',
      decided: '2024-01-03',
      account: ACCOUNT,
      state: state as null,
    });
  } finally {
    await strategy.close();
  }
}

test('it is shown the day, the past as known that day, its account, parameters and state', async () => {
  const file = await write(`
    return { state: [day.date, day.previous, day.past.of('AAA').close, day.past.of('AAA').volume, day.parameters, day.state, day.account.cash] };`);
  expect((await decided(file, { seen: 1 }, { parameters: { x: 4 } })).state).toEqual([
    '2024-01-04',
    '2024-01-03',
    [4, 4.5, 5],
    [200, 200, 100],
    { x: 4 },
    { seen: 1 },
    1_000,
  ]);
});

test('it is shown what may be bought that the market has, and without a list all that has traded', async () => {
  const file = await write('return { state: day.universe };');
  const universe = ['AAA', 'BBB', 'GONE'];
  expect((await decided(file, null, { hasTicker: (ticker) => ticker !== 'GONE', universe })).state).toEqual([
    'AAA',
    'BBB',
  ]);
  expect((await decided(file, null, { universe: [] })).state).toEqual([]);
  expect((await decided(file)).state).toEqual(['AAA']);
});

test('it imports relative files, all of which are in its hash', async () => {
  const file = await write(`return { plot: { two } };`, `import { two } from './more/two.ts';`);
  const more = join(file, '..', 'more');
  await mkdir(more);
  await writeFile(join(more, 'two.ts'), 'export const two: number = 2;');
  expect((await decided(file)).plot).toEqual({ two: 2 });
  const first = await opened(file);
  await first.close();
  await writeFile(join(more, 'two.ts'), 'export const two: number = 3;');
  const second = await opened(file);
  await second.close();
  expect(second.hash).not.toBe(first.hash);
});

test('random numbers are the same in the same session', async () => {
  const file = await write(`return { plot: { a: Math.random(), b: Math.random() } };`);
  const one = await decided(file);
  expect(await decided(file)).toEqual(one);
  expect(one.plot['a']).not.toBe(one.plot['b']);
});

test.each([
  ['the network', `return fetch('http://localhost');`, /fetch is not defined/],
  ['a process', `return process.exit(0);`, /process is not defined/],
  ['the clock', `return { plot: { now: Date.now() } };`, /no clock/],
  ['the clock by a new date', `return { plot: { now: new Date().getTime() } };`, /no clock/],
  ['the clock of performance', `return { plot: { now: performance.now() } };`, /no clock/],
  ['a timer', `return setTimeout(() => 1, 1);`, /setTimeout is not defined/],
  ['code made of text', `return new Function('return 1')();`, /Code generation from strings/],
  ['a changed global', `Array.prototype.at = () => 1;`, /read only|Cannot/],
  ['a global of its own', `globalThis.mine = 1;`, /not extensible/],
  ['no number', `return { targets: [{ ticker: 'AAA', weight: 0 / 0 }] };`, /targets\[0\]\.weight is NaN/],
  ['an error of its own', `throw new Error('my own');`, /my own/],
  ['a promise', `return new Promise(() => 1);`, /returned a promise/],
  ['a target without an amount', `return { targets: [{ ticker: 'AAA' }] };`, /targets\.0/],
  ['more to remember than it may', `return { state: 'x'.repeat(70_000) };`, /64 KiB/],
  [
    'a value that contains itself',
    `const it: any = {}; it.it = it; return { state: it };`,
    /the answer\.state\.it contains itself, which is not JSON/,
  ],
  ['an endless loop', `for (;;);`, /did not answer within 3 s of processor time/],
  [
    'two gigabytes',
    `const all = []; for (let n = 0; n < 200; n += 1) all.push(new Float64Array(1_400_000).fill(1)); for (;;);`,
    /more than 300 MiB|memory|within/,
  ],
])('%s: it fails with its file, and where it is known with its line', async (_, body, reason) => {
  const file = await write(body);
  await expect(decided(file)).rejects.toMatchObject({
    name: 'StrategyFault',
    message: expect.stringMatching(reason) as string,
    file,
  });
});

test('an error names the line on which it came up', async () => {
  const file = await write(`\n\nthrow new TypeError('here');`);
  await expect(decided(file)).rejects.toMatchObject({ line: 5 });
});

test('a ticker that the market does not have is named', async () => {
  const file = await write(`return { targets: [{ ticker: 'TYPO', weight: 0.1 }] };`);
  await expect(decided(file, null, { hasTicker: (ticker: string) => ticker === 'AAA' })).rejects.toThrow(
    'TYPO, which the market does not have',
  );
});

test.each([
  [`import 'node:fs';`, /only files that are named relative to it/],
  [`import zod from 'zod';`, /only files that are named relative to it/],
  [`const broken = ;`, /SyntaxError/],
  [`await new Promise(() => 1);`, /awaits a promise that never settles/],
  [`for (;;);`, /did not answer within 2 s of processor time/],
])('a file with %s cannot be loaded', async (more, reason) => {
  await expect(
    opened(await write('', more), { limits: { helloMs: 2_000, helloClockMs: 60_000, patience: 30 } }),
  ).rejects.toThrow(reason);
});

test('an import that is refused is named with the line that has it', async () => {
  await expect(opened(await write('', `\nimport 'node:net';`))).rejects.toMatchObject({
    file: expect.stringMatching(/mine\.ts$/) as string,
    line: 2,
  });
});

test.each([
  [{ x: 9 }, /x must be from 1 to 5/],
  [{ y: 1 }, /no parameter y; its parameters: x/],
])('of parameters %j it says what they may be', async (parameters, reason) => {
  await expect(opened(await write(''), { parameters })).rejects.toThrow(reason);
});

test('a program of any language answers in lines of JSON', async () => {
  const program = join(temporaryFolder(), 'mine.mjs');
  await writeFile(
    program,
    `import { createInterface } from 'node:readline';
     for await (const line of createInterface({ input: process.stdin })) {
       const { type, bars } = JSON.parse(line);
       const answer = type === 'hello' ? { history: 2 } : type === 'begin' ? {} : { plot: { close: bars.AAA.close } };
       console.log(JSON.stringify(answer));
     }`,
  );
  expect((await decided(`exec:"${process.execPath}" ${program}`)).plot).toEqual({ close: 5 });
});

test('a program that waits may take longer than its limit of processor time, but not forever', async () => {
  const program = join(temporaryFolder(), 'mine.py');
  const text = `import sys, time
sys.stdin.readline()
time.sleep(float(sys.argv[1]))
print('{"history": 2}', flush=True)
sys.stdin.readline()
`;
  await writeFile(program, text);
  const opens = (seconds: number, patience: number) =>
    opened(`exec:python3 ${program} ${seconds}`, { limits: { helloMs: 500, patience } });
  const waited = await opens(1, 100);
  await waited.close();
  expect(waited.history).toBe(2);
  await expect(opens(99, 2)).rejects.toMatchObject({ message: 'it did not answer within 1 s', isLate: true });
});

test('loading is limited by the clock to less than the caller of a start waits', async () => {
  expect(ALL_LIMITS.helloClockMs).toBeLessThan(StartStrategy.timeoutMs);
  const file = await write('', `for (;;);`);
  await expect(opened(file, { limits: { helloMs: 2_000, helloClockMs: 500 } })).rejects.toMatchObject({
    message: 'it did not answer within 0.5 s',
    isLate: true,
  });
});

test('what a program says instead of JSON is shown', async () => {
  await expect(opened(`exec:"${process.execPath}" --version`)).rejects.toThrow(/not JSON: v\d+/);
  await expect(opened('exec:there-is-no-such-program')).rejects.toThrow(/cannot be started/);
});

test('a file that does not exist is named as missing', async () => {
  await expect(openStrategy(ownStrategies('/no/such/mine.ts')[0]!)).rejects.toMatchObject({
    told: '/no/such/mine.ts: there is no such file',
  });
});
