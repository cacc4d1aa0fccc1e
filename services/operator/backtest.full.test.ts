import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';
import { writeSmallWeights } from './small-weights.suite.ts';

const BELEG = join(import.meta.dirname, 'beleg.ts');
const folder = sharedFolder();

function backtest(args: readonly string[], environment: Record<string, string> = {}) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', BELEG, 'backtest', ...args],
      {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          ORT_DISABLE_TELEMETRY: '1',
          DATA_DIR: join(folder, 'data'),
          ...environment,
        },
      },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

describe('beleg backtest', () => {
  test('tests a strategy on the synthetic market, says so, and writes a report', async () => {
    const report = join(folder, 'report.html');
    const args = ['--from', '2024-01-01', '--to', '2024-06-28', '--tickers', 'DEMO-OAK,DEMO-PINE'];
    const { code, out } = await backtest([...args, '--report', report]);
    expect(code).toBe(0);
    expect(out).toMatch(/^crossover, 2024-01-01 to 2024-06-28, 2 tickers of demo\nSynthetic data/);
    expect(out).toMatch(/Sharpe +-?\d+\.\d\d/);
    expect(await readFile(report, 'utf8')).toContain('<svg');

    const result = join(folder, 'result');
    const { err } = await backtest([...args, '--out', result]);
    expect(err).toContain('equity.csv, trades.csv, fills.csv');
    expect(await readFile(join(result, 'equity.csv'), 'utf8')).toMatch(
      /^session,value,return,.*\r\n2024-01-01,/,
    );

    const other = join(folder, 'other');
    await backtest([...args, '--out', other, '--lots', 'lifo'], { TD_SLIPPAGE_BPS: '20' });
    const compared = await backtest(['compare', result, other]);
    expect(compared.out).toMatch(/^Sharpe +-?\d+\.\d\d +-?\d+\.\d\d$/m);
    expect(compared.out).toMatch(/^slippage_percent +0\.05 +0\.2$/m);
    expect(compared.out).toMatch(/^lots +fifo +lifo$/m);
    expect(compared.out).not.toMatch(/shorting|The data differ/);
    const page = join(folder, 'compared.html');
    await backtest(['compare', result, other, '--html', page]);
    expect(await readFile(page, 'utf8')).toMatch(/slippage_percent[^]+<svg/);
    const schema = await backtest(['--schema']);
    expect(JSON.parse(schema.out)).toMatchObject({ title: 'Result of a backtest', type: 'object' });
    const missing = await backtest(['compare', join(folder, 'nowhere')]);
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.err).toContain('name folders that `beleg backtest --out` wrote');

    const again = await backtest([...args, '--json']);
    expect(JSON.parse(again.out)).toMatchObject({ strategy: 'crossover', synthetic: true, sessions: 130 });
    expect((await backtest([...args, '--json'])).out).toBe(again.out);
  });

  test('ends at a fault with a strategy of one’s own too, whose process would keep it alive', async () => {
    const strategy = join(folder, 'idle.ts');
    await writeFile(strategy, 'export default { history: 1, onSession: () => undefined };\n');
    const { code, err } = await backtest(['--strategy', strategy, '--tickers', 'NOPE']);
    expect(code).toBe(1);
    expect(err).toContain('NOPE');
  });

  test('names no winner, and fails, where a strategy was halted', async () => {
    const strategy = join(folder, 'breaks.ts');
    await writeFile(strategy, 'export default { history: 1, onSession() { throw new Error("no"); } };\n');
    const range = ['--from', '2024-01-01', '--to', '2024-03-28', '--tickers', 'DEMO-OAK'];
    const { code, out } = await backtest(['--strategy', strategy, ...range]);
    expect(code).toBe(1);
    expect(out).toContain('breaks was halted on 2024-01-01: the figures are not those of the strategy.');
    expect(out).not.toContain(' beat ');
  });

  test('writes its files where nobody reads what it prints', async () => {
    const [out, report] = [join(folder, 'unread'), join(folder, 'unread.html')];
    const command = `"$0" "$@" | true; exit "\${PIPESTATUS[0]}"`;
    const args = [
      BELEG,
      'backtest',
      '--to',
      '2024-06-28',
      '--tickers',
      'DEMO-OAK',
      '--out',
      out,
      '--report',
      report,
    ];
    const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data') };
    await new Promise((resolve) => {
      execFile('bash', ['-c', command, process.execPath, ...args], { env }, resolve);
    });
    expect(await readFile(report, 'utf8')).toContain('<svg');
    expect(await readFile(join(out, 'result.json'), 'utf8')).toContain('crossover');
  });

  test('reads tables, goes on without those that have faults, and names the faults', async () => {
    const lines = [1, 2, 3].map((day) => `2021-03-0${day},10,11,9,10,10,1000`);
    const table = ['date,open,high,low,close,adj_close,volume', ...lines, ''].join('\n');
    await writeFile(join(folder, 'GOOD.csv'), table);
    await writeFile(join(folder, 'BAD.csv'), table.replace(',11,', ',eleven,'));
    const { code, out } = await backtest([], { TD_SOURCE: `csv:${folder}` });
    expect(code).toBe(0);
    expect(out).toMatch(/2021-03-01 to 2021-03-03, 1 tickers of csv/);
    expect(out).toMatch(/^LEFT OUT: BAD\.csv:2: /m);
    const asked = await backtest(['--tickers', 'GOOD,BAD', '--json'], { TD_SOURCE: `csv:${folder}` });
    expect(asked).toMatchObject({ code: 1, out: '' });
    expect(asked.err).toMatch(/BAD cannot be tested: BAD\.csv:2: /);
  });

  test.each([
    [['--from', '2050-01-01'], 1, /there is no session/],
    [['--tickers', 'NOBODY'], 1, /no table could be read: NOBODY/],
    [['--from', 'yesterday'], 2, /must be a date/],
    [
      ['--strategy', 'luck'],
      2,
      /--strategy: must be one of none, crossover, model, momentum, mean-reversion, buy-and-hold, a file/,
    ],
    [['--strategy', 'model'], 1, /No weights have been saved yet: there is no .*--weights/],
    [['--weights', 'w.safetensors'], 2, /--weights only works with a strategy that uses predictions/],
    [['--tickers', 'aapl'], 2, /--tickers: must be tickers like AAPL/],
  ])('refuses %j', async (args, expected, reason) => {
    const { code, err } = await backtest(args);
    expect(err).toMatch(reason);
    expect(code).toBe(expected);
  });
});

describe('beleg backtest --strategy model', () => {
  const tested = ['--strategy', 'model', '--to', '2024-06-28', '--tickers', 'DEMO-OAK,DEMO-PINE'];
  let weights: string;
  let hash: string;

  beforeAll(async () => {
    weights = join(folder, 'small.safetensors');
    hash = await writeSmallWeights(weights, '2024-03-29');
  });

  test('trades on what training has not seen, the same every time', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => backtest([...tested, '--weights', weights, '--json'])),
    );
    expect(first).toMatchObject({ code: 0, err: expect.stringMatching(/^Kept as .*\n$/) as string });
    const summary = JSON.parse(first!.out) as { orders: unknown[]; fills: unknown[] };
    expect(summary).toMatchObject({
      model: { weights: hash, trainedUntil: '2024-03-29', inSample: 0 },
      from: '2024-04-01',
      sessions: 65,
    });
    expect(summary.orders.length).toBeGreaterThan(0);
    expect(summary.fills.length).toBeGreaterThan(0);
    expect(second!.out).toBe(first!.out);
  });

  test('says how much of an earlier start training has seen', async () => {
    const report = join(folder, 'in-sample.html');
    const args = [...tested, '--weights', weights, '--from', '2024-01-01', '--report', report];
    const { out } = await backtest(args);
    const note = 'IN SAMPLE: training has seen 65 of the 130 sessions';
    expect(out).toContain(note);
    expect(await readFile(report, 'utf8')).toContain(note);
  });
});
