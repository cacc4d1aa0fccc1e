import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { KEPT_REPORTS, keepReport, listReports, readReport } from './kept-reports.ts';
import type { BacktestSummary } from './summary.ts';

const RETURNS = {
  totalReturn: 0.1,
  annualReturn: null,
  annualVolatility: 0.2,
  maxDrawdown: -0.3,
  sharpe: 0.4,
} as BacktestSummary['performance'];
const SUMMARY = {
  strategy: 'momentum',
  from: '2024-01-02',
  to: '2024-06-28',
  source: 'demo',
  synthetic: true,
  tickers: ['A', 'B'],
  currency: 'EUR',
  final: 110,
  performance: RETURNS,
  benchmarks: [{ name: 'Hold A', performance: { ...RETURNS, totalReturn: 0.2 } }],
} as unknown as BacktestSummary;

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const keep = (folder: string, second: number): Promise<string> =>
  keepReport(folder, { html: `<p>${second}`, summary: SUMMARY, now: at(second) });

test('a report is listed with what it came to, newest first, and read by its id', async () => {
  const folder = join(temporaryFolder(), 'reports');
  expect(await listReports(folder)).toEqual([]);
  const [first, second] = [await keep(folder, 1), await keep(folder, 2)];
  expect((await listReports(folder)).map(({ id }) => id)).toEqual([second, first]);
  expect((await listReports(folder))[1]).toEqual({
    id: first,
    created_at: '2026-01-01T00:00:01.000Z',
    strategy: 'momentum',
    from: '2024-01-02',
    to: '2024-06-28',
    source: 'demo',
    synthetic: true,
    tickers: 2,
    currency: 'EUR',
    final: 110,
    performance: RETURNS,
    benchmarks: [{ name: 'Hold A', totalReturn: 0.2 }],
  });
  expect(await readReport(folder, first)).toBe('<p>1');
  expect((await stat(join(folder, `${first}.html`))).mode & 0o777).toBe(0o600);
});

test('older ones than the last 50 are removed with all that is of them', async () => {
  const folder = temporaryFolder();
  const ids: string[] = [];
  for (let n = 0; n < KEPT_REPORTS + 2; n++) ids.push(await keep(folder, n));
  expect((await listReports(folder)).map(({ id }) => id).reverse()).toEqual(ids.slice(2));
  expect(await readdir(folder)).toHaveLength(2 * KEPT_REPORTS);
});

test('what is no report is neither listed nor read, wherever it is', async () => {
  const folder = temporaryFolder();
  await keep(folder, 1);
  await writeFile(join(folder, 'notes.html'), 'secret');
  await writeFile(join(folder, 'notes.json'), '{}');
  await writeFile(join(folder, '20260101T000009Z-00000000.json'), '{"id": ');
  expect(await listReports(folder)).toHaveLength(1);
  expect(await readReport(folder, 'notes')).toBeUndefined();
  expect(await readReport(folder, '../reports/notes')).toBeUndefined();
  expect(await readReport(folder, '20260101T000000Z-00000000')).toBeUndefined();
});
