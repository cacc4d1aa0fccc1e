import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Client, Workspace } from '../../testing/processes/application.suite.ts';
import { startApplication } from './application.ts';
import { openRuntime } from './runtime.ts';
import { readSettings } from './settings.ts';

test('one process on NATS and EventStoreDB has probes at its port, as an embedded one', async () => {
  const workspace = await Workspace.create();
  const own = readSettings(workspace.environment());
  const shared = readSettings(
    workspace.environment({ NATS_URL: 'nats://127.0.0.1:9', EVENTSTORE_URL: 'esdb://127.0.0.1:9?tls=false' }),
  );
  const application = await startApplication(shared, pino({ level: 'silent' }), {
    services: ['gateway', 'knowledge', 'audit'],
    // Which adapters are opened does not matter here.
    open: (_, ...rest) => openRuntime(own, ...rest),
  });
  try {
    const client = new Client(application.url!);
    expect(await client.get('/live')).toMatchObject({ status: 200 });
    const { status, body } = await client.get('/ready');
    expect([status, body]).toEqual([200, { ready: true, degraded: [] }]);
    const dashboard = new Client(application.dashboardUrl!);
    expect(await dashboard.get('/ready')).toMatchObject({ status: 200 });
  } finally {
    await application.close();
    await workspace.remove();
  }
});
