import { expect, test } from 'vitest';
import type { AccountDraft } from '../../actors/trading/commands.ts';
import { LiveAccount } from './live-account.suite.ts';

const WARM_UP = 10;

/** What a strategy may not do, with the reason of its halt. */
const CASES: Readonly<Record<string, readonly [body: string, detail: RegExp]>> = {
  network: [`return fetch('http://localhost');`, /fetch is not defined/],
  socket: [`return new WebSocket('ws://localhost');`, /WebSocket is not defined/],
  files: [`return require('node:fs').readFileSync('/etc/hosts');`, /require is not defined/],
  process: [`return process.exit(0);`, /process is not defined/],
  clock: [`return { plot: { now: Date.now() } };`, /no clock/],
  'a-date': [`class Mine extends Date {} return { plot: { now: new Mine().getTime() } };`, /no clock/],
  timing: [`return { plot: { now: performance.now() } };`, /no clock/],
  timer: [`return setTimeout(() => 1, 1);`, /setTimeout is not defined/],
  loop: [`for (;;);`, /did not answer within 5 s of processor time/],
  buffers: [
    `const all = []; for (let n = 0; n < 200; n += 1) all.push(new Uint8Array(10_485_760).fill(1)); for (;;);`,
    /more than 1024 MiB|did not answer/,
  ],
  heap: [
    `const all = []; for (;;) all.push({ n: all.length, text: 'x'.repeat(9) + all.length });`,
    /ended|MiB|did not answer/,
  ],
  promise: [`return new Promise(() => 1);`, /returned a promise/],
  'later-promise': [`return (async () => { await new Promise(() => 1); })();`, /returned a promise/],
  global: [`globalThis.mine = 1;`, /not extensible/],
  prototype: [`Array.prototype.at = () => 1;`, /read only|Cannot/],
  'typed-arrays': [`Object.getPrototypeOf(Int8Array.prototype).mine = 1;`, /not extensible/],
  'hidden-prototype': [`Object.getPrototypeOf(async () => 1).mine = 1;`, /not extensible/],
  indicator: [`day.indicators.macd.mine = 1;`, /not extensible/],
  past: [`Object.getPrototypeOf(day.past).closes = () => [];`, /read only|Cannot/],
  worker: [`return new Worker('x');`, /Worker is not defined/],
  wasm: [`return WebAssembly.compile(new Uint8Array());`, /WebAssembly is not defined/],
  eval: [`return eval('1');`, /eval is not defined/],
  'constructor-of': [
    `return day.constructor.constructor('return process')();`,
    /Code generation from strings/,
  ],
  'async-function': [
    `return Object.getPrototypeOf(async () => 1).constructor('return 1')();`,
    /Code generation from strings/,
  ],
  'dynamic-import': [
    `import('node:fs').then(() => 1, () => 1); return {};`,
    /imports "node:fs" while it runs/,
  ],
  'import-of-file': [`import('./good.ts').then(() => 1, () => 1); return {};`, /while it runs/],
};
const GOOD = `export default { history: 1, onSession({ bars }) { return { plot: { close: bars.AAA.close } }; } };`;

/** So few run at a time because the machine may be busy. */
const AT_A_TIME = 7;
const names = Object.keys(CASES);
const batches = Array.from({ length: Math.ceil(names.length / AT_A_TIME) }, (_, at) =>
  names.slice(at * AT_A_TIME, (at + 1) * AT_A_TIME),
);

/** Each of them is halted with its reason, and the good one decides on. */
function expectHalted(events: readonly AccountDraft[], batch: readonly string[]): void {
  const halted = events.flatMap(({ type, data }) => (type === 'StrategyHalted' ? [data] : []));
  const details = Object.fromEntries(halted.map(({ strategy, detail }) => [strategy, detail]));
  expect(details).toEqual(
    Object.fromEntries(
      batch.map((name) => [name, expect.stringMatching(CASES[name]![1]) as unknown as string]),
    ),
  );
  const decided = events.filter(({ type, data }) => type === 'StrategyDecided' && data.strategy === 'good');
  expect(decided).toHaveLength(4);
}

test.each(batches)(
  '%s, …: each is halted by its name, live and in a backtest, and the others and the service go on',
  async (...batch) => {
    const files = Object.fromEntries(
      batch.map((name) => [
        `${name}.ts`,
        `export default { history: 1, onSession(day) {\n${CASES[name]![0]}\n} };`,
      ]),
    );
    const named = ['good', ...batch].map((name) => `${name}.ts=10%`).join(',');
    const account = await LiveAccount.start(
      { warmUp: WARM_UP },
      { own: { files: { ...files, 'good.ts': GOOD }, named } },
    );
    try {
      await account.play(4);
      expectHalted(await account.recorded(), batch);
      expectHalted(await account.backtestedOwn(), batch);
    } finally {
      await account.close();
    }
  },
  300_000,
);
