import pino from 'pino';
import { expect, test } from 'vitest';
import { startDashboard } from '../dashboard/dashboard.suite.ts';
import { openKnowledgeGateway } from '../knowledge/knowledge.ts';
import { startFakeServices } from '../knowledge/fake-services.suite.ts';

const ENGINE = {
  process: 'p1',
  kind: 'engine',
  id: 'main',
  state: 'running',
  since: '2026-01-15T08:00:00.000Z',
  waits_for: ['nextSession'],
  regions: [],
  children: [],
};
const LIST = {
  processes: 2,
  counts: [{ kind: 'engine', state: 'running', count: 2 }],
  actors: [ENGINE],
};
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

test('the knowledge port lists the actors for the admin key, and counts them', async () => {
  const { bus } = startFakeServices({ actors: () => LIST });
  const settings = { apiKeys: ['service'], adminApiKeys: ['admin'], allowedHosts: [], rateLimit: null };
  const app = await openKnowledgeGateway(bus, settings, pino({ level: 'silent' }));
  const get = (url: string, key: string) => app.inject({ url, headers: bearer(key) });
  expect((await get('/actors', 'admin')).json()).toEqual(LIST);
  expect((await get('/actors', 'service')).statusCode).toBe(401);
  expect((await get('/metrics', 'admin')).body).toContain('beleg_actors{kind="engine",state="running"} 2\n');
  await app.close();
});

test('the dashboard port lists the actors for the trade key, and counts them', async () => {
  const keys = { apiKeys: ['trade'], readKeys: ['read'] };
  const { app, fakes } = await startDashboard(keys, { actors: () => LIST });
  const get = (url: string, key: string) => app.inject({ url, headers: bearer(key) });
  expect((await get('/actors', 'trade')).json()).toEqual(LIST);
  expect((await get('/actors', 'read')).statusCode).toBe(401);
  expect((await get('/metrics', 'trade')).body).toContain('beleg_actors{kind="engine",state="running"} 2\n');
  fakes.script.actors = () => ({ ...LIST, counts: [] });
  expect((await get('/metrics', 'trade')).body).not.toContain('beleg_actors{');
  await app.close();
});
