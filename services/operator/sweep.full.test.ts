import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';

const BELEG = join(import.meta.dirname, 'beleg.ts');
const folder = sharedFolder();
const RULE = join(folder, 'rule.ts');

const STRATEGY = `export default {
  parameters: { days: { default: 5, min: 1, max: 50 }, share: { default: 50, min: 10, max: 90 } },
  history: 51,
  onSession({ past, parameters }) {
    const targets = past.tickers.map((ticker) => {
      const closes = past.closes(ticker, parameters.days + 1);
      const rises = closes.length > parameters.days && closes.at(-1) > closes[0];
      return { ticker, weight: rises ? parameters.share / 100 / past.tickers.length : 0 };
    });
    return { targets };
  },
};
`;
const ARGS = [
  'sweep',
  '--strategy',
  RULE,
  '--from',
  '2024-01-01',
  '--to',
  '2024-12-31',
  '--tickers',
  'DEMO-OAK,DEMO-PINE',
];

/** `untilRuns`: interrupts the sweep, as Ctrl-C does, or kills it once that many runs are in the folder. */
function sweep(args: readonly string[], stop?: { signal: NodeJS.Signals; out: string; untilRuns: number }) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', BELEG, ...ARGS, ...args],
      {
        // Ctrl-C in a terminal signals the whole group, with the strategies' processes.
        detached: true,
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          DATA_DIR: join(folder, 'data'),
        },
      },
    );
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
    if (stop === undefined) return;
    void (async () => {
      while (child.exitCode === null && child.signalCode === null) {
        const kept = await readFile(join(stop.out, 'runs.ndjson'), 'utf8').catch(() => '');
        if (kept.split('\n').length - 2 >= stop.untilRuns) break;
        await new Promise((next) => setImmediate(next));
      }
      if (stop.signal === 'SIGINT') process.kill(-child.pid!, stop.signal);
      else child.kill(stop.signal);
    })();
  });
}

describe('beleg sweep', () => {
  const GRID = ['--param', 'days=2..10:2', '--param', 'share=40,80'];

  test('names what was best with what became of it, and comes to the same after an interruption and a kill', async () => {
    await writeFile(RULE, STRATEGY);
    const whole = join(folder, 'whole');
    const { code, out, err } = await sweep([...GRID, '--out', whole]);
    expect(err).toBe(`Written to ${whole}: sweep.html, sweep.csv, sweep.json\n`);
    expect(code).toBe(0);
    expect(out).toMatch(/^Best of 10 runs from 2024-01-01 to .*: days=\d+ share=\d+, with a Sharpe ratio of/);
    expect(out).toMatch(
      /\nAfter that, from 2024-.* to 2024-12-31: a return of .* and a Sharpe ratio of .*, place \d+ of 10 \(1 is the best\)\./,
    );
    expect(out).toMatch(/\nDeflated Sharpe ratio of the choice \d\.\d\d: /);
    expect(out).toMatch(/\nIn the same sessions “Hold all equally, 90 % invested” came to a return of /);
    const table = await readFile(join(whole, 'sweep.csv'), 'utf8');
    expect(table.split('\r\n')).toHaveLength(1 + 10 + 1);

    const broken = join(folder, 'broken');
    const stopped = await sweep([...GRID, '--out', broken], { signal: 'SIGINT', out: broken, untilRuns: 2 });
    expect(stopped.code).toBe(130);
    expect(stopped.err).toMatch(/^Stopped after \d of 10 runs, which are kept\. The same command goes on/);
    // The result is the same whenever the sweep is killed.
    const untilRuns = 3 + Math.floor(Math.random() * 7);
    await sweep([...GRID, '--out', broken], { signal: 'SIGKILL', out: broken, untilRuns });
    const resumed = await sweep([...GRID, '--out', broken]);
    expect(resumed.out, `killed after ${untilRuns} runs`).toBe(out);
    expect(await readFile(join(broken, 'sweep.csv'), 'utf8')).toBe(table);
    // A larger grid uses the same runs again.
    const more = await sweep(['--param', 'days=2..12:2', '--param', 'share=40,80', '--out', broken]);
    expect(more.out).toContain('Best of 12 runs');

    const walked = await sweep([...GRID, '--walk-forward', '4m/2m', '--out', broken]);
    expect(walked.out).toMatch(
      /^4 times the run with the best Sharpe ratio in the time before was chosen among 10, and used until/,
    );
    expect(await readFile(join(broken, 'sweep.html'), 'utf8')).not.toMatch(/<script|https?:/);
    // Six processes, each of which reads tables and plays all runs.
  }, 400_000);

  test('goes on where the strategy fails with some parameters, names each with its place and day, and fails', async () => {
    const out = join(folder, 'failing');
    const broken = STRATEGY.replace(
      'onSession({ past, parameters }) {',
      '$&\n    if (parameters.days === 4) throw new Error("boom");',
    );
    await writeFile(RULE, broken);
    const { code, err } = await sweep(['--param', 'days=2..6:2', '--out', out]);
    expect(err).toMatch(/^days=4: .*rule\.ts:5: .*boom.*, on 2024-01-01$/m);
    expect(code).toBe(1);
    const { runs, failed } = JSON.parse(await readFile(join(out, 'sweep.json'), 'utf8')) as {
      runs: number;
      failed: unknown[];
    };
    expect({ runs, failed }).toMatchObject({ runs: 2, failed: [{ parameters: { days: 4 } }] });
    await writeFile(RULE, STRATEGY);
    const other = await sweep(['--param', 'days=2', '--from', '2024-02-01', '--out', out]);
    expect(other.err).toContain('from was 2024-01-01 and is 2024-02-01 now');
  });

  test.each([
    [['--param', 'days=2', '--param', 'days=3'], 2, /--param names days twice/],
    [['--param', 'days=abc'], 2, /is no range of a parameter/],
    [['--param', 'days=2..90:1'], 1, /days must be from 1 to 50/],
    [['--param', 'other=2'], 1, /has no parameter other; its parameters: days, share/],
    [['--param', 'days=2', '--walk-forward', '5y/1y'], 2, /needs more sessions than those from 2024-01-01/],
    [['--param', 'days=2', '--split', '2030-01-01'], 2, /leaves nothing on one of its sides/],
    [['--param', 'days=2', '--strategy', 'crossover'], 2, /needs one strategy of your own/],
  ])('refuses %j', async (args, expected, reason) => {
    await writeFile(RULE, STRATEGY);
    const { code, err } = await sweep([...args, '--out', join(folder, 'refused')]);
    expect(err).toMatch(reason);
    expect(code).toBe(expected);
  });
});
