import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PATIENT } from '../../../events/patient.suite.ts';
import { Client, Workspace } from '../../../testing/processes/application.suite.ts';
import { startApplication } from '../../composition/application.ts';
import type { Application } from '../../composition/running.ts';
import { readSettings } from '../../composition/settings.ts';
import { DASHBOARD_API } from './dashboard-document.ts';

let workspace: Workspace;
let application: Application;
let client: Client;

/** The same set-up as `npm start`, with the synthetic market. */
beforeAll(async () => {
  workspace = await Workspace.create();
  application = await startApplication(
    readSettings(workspace.environment({ TD_STRATEGY: 'none', TD_FEED_SPEED: '20' })),
    pino({ level: 'silent' }),
    { services: ['gateway', 'market', 'models', 'trading'] },
  );
  client = new Client(application.dashboardUrl!);
});
afterAll(async () => {
  await application.close();
  await workspace.remove();
});

test('the orders that the document shows are taken by a service with the synthetic market, in their order', async () => {
  expect((await client.post('/api/trading/start')).status).toBe(200);
  for (const order of DASHBOARD_API.requests['OrderRequest']!.examples) {
    // Until the account has been compared with the broker, the answer is 503 and nothing is done.
    const sent = await vi.waitFor(async () => {
      const reply = await client.post<{ order_id: string }>('/api/trading/order', order);
      expect(reply.status).not.toBe(503);
      return reply;
    }, PATIENT);
    expect(sent).toMatchObject({ status: 200, body: { status: 'submitted' } });
    const { order_id } = sent.body;
    await vi.waitFor(async () => {
      const { body } = await client.get<{ order_id: string; status: string }[]>('/api/trading/orders');
      const found = body.find((each) => each.order_id === order_id);
      // The first order is filled before the second is sent, because the second protects its position.
      expect(['filled', 'accepted']).toContain(found?.status);
      expect(found?.status === 'filled' || 'stop_price' in order).toBe(true);
    }, PATIENT);
  }
});
