import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { KEPT_REPORT } from './dashboard-examples.ts';
import { startDashboard, type Dashboard } from './dashboard.suite.ts';

let dashboard: Dashboard;
afterEach(() => dashboard.app.close());

const HTML = '<!doctype html><title>Backtest: momentum</title><style>p { color: red; }</style>';

async function withReport(settings: Parameters<typeof startDashboard>[0] = {}): Promise<void> {
  const reports = temporaryFolder();
  await writeFile(join(reports, `${KEPT_REPORT.id}.html`), HTML);
  await writeFile(join(reports, `${KEPT_REPORT.id}.json`), JSON.stringify(KEPT_REPORT));
  dashboard = await startDashboard({ reports, ...settings });
}

test('kept reports are listed, and shown as pages that may run and load nothing', async () => {
  await withReport();
  const list = await dashboard.app.inject('/api/reports');
  expect(list.json()).toEqual({ reports: [KEPT_REPORT], note: null });
  const page = await dashboard.app.inject(`/api/reports/${KEPT_REPORT.id}`);
  expect(page.statusCode).toBe(200);
  expect(page.body).toBe(HTML);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toBe(
    "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  );
});

test('where no backtest was run the list is empty and says why', async () => {
  dashboard = await startDashboard({ reports: join(temporaryFolder(), 'none') });
  const { reports, note } = (await dashboard.app.inject('/api/reports')).json<{
    reports: unknown[];
    note: string;
  }>();
  expect(reports).toEqual([]);
  expect(note).toMatch(
    /^This host has no reports\. `beleg backtest` keeps them on the host on which it runs/,
  );
});

test.each(['20990101T000000Z-00000000', 'x', '..%2F..%2Fetc%2Fpasswd'])(
  'there is no report %s',
  async (id) => {
    await withReport();
    const missing = await dashboard.app.inject(`/api/reports/${id}`);
    expect(missing.statusCode).toBe(404);
    expect(missing.json()).toMatchObject({ code: 'UNKNOWN_REPORT' });
  },
);

test('without a key nobody reads a report, and a key for reading is enough', async () => {
  await withReport({ apiKeys: ['trade'], readKeys: ['read'] });
  const url = `/api/reports/${KEPT_REPORT.id}`;
  expect((await dashboard.app.inject(url)).statusCode).toBe(401);
  const headers = { authorization: 'Bearer read' };
  expect((await dashboard.app.inject({ url, headers })).statusCode).toBe(200);
});
