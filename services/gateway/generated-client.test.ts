import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDashboard } from './dashboard/dashboard.suite.ts';
import { ANSWERED } from './knowledge/fake-replies.suite.ts';
import { startFakeServices } from './knowledge/fake-services.suite.ts';
import { openKnowledgeGateway } from './knowledge/knowledge.ts';

const BIN = join(import.meta.dirname, '..', '..', 'node_modules', '.bin');
const run = promisify(execFile);

/** Calls the generated client as a user's code would. */
const USE = `
import * as knowledge from './knowledge-client.ts';
import * as dashboard from './dashboard-client.ts';

export async function use(urls: { knowledge: string; dashboard: string }): Promise<unknown[]> {
  knowledge.defaults.baseUrl = urls.knowledge;
  dashboard.defaults.baseUrl = urls.dashboard;
  const answer = await knowledge.postAsk({ question: 'Was?' }, { xRequestId: 'q-1' });
  if (answer.status !== 200) throw new Error(answer.data.code);
  const { request_id, status, sources }: knowledge.AskResponse = answer.data;
  const [source] = sources;
  const rated = await knowledge.postRatings({ request_id, rating: 'up' });
  const commented = await knowledge.postComments({ request_id, comment: 'Gut.' });
  const order = await dashboard.postTradingOrder({ ticker: 'AAPL', action: 'buy', quantity: 1 });
  return [request_id, status, source?.id, rated.status, commented.status, order.status];
}
`;

let folder: string;
let apps: FastifyInstance[];
const urls = { knowledge: '', dashboard: '' };

beforeAll(async () => {
  // Within the project, so that the generated client finds the packages that it imports.
  folder = await mkdtemp(join(import.meta.dirname, '.generated-'));
  const settings = { apiKeys: [], adminApiKeys: [], allowedHosts: [], rateLimit: null };
  const logger = pino({ level: 'silent' });
  const knowledge = await openKnowledgeGateway(startFakeServices().bus, settings, logger);
  const { app: dashboard } = await startDashboard();
  apps = [knowledge, dashboard];
  for (const [name, app] of [['knowledge', knowledge] as const, ['dashboard', dashboard] as const]) {
    await app.listen({ host: '127.0.0.1', port: 0 });
    urls[name] = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    const document = join(folder, `${name}.json`);
    await writeFile(document, (await app.inject('/openapi.json')).body);
    await run(join(BIN, 'oazapfts'), [document, join(folder, `${name}-client.ts`)]);
  }
  await writeFile(join(folder, 'use.ts'), USE);
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await rm(folder, { recursive: true, force: true });
});

test('clients that a generator makes of both documents compile, and ask, rate, comment and order', async () => {
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--allowImportingTsExtensions'];
  await run(join(BIN, 'tsc'), ['--ignoreConfig', ...options, '--skipLibCheck', join(folder, 'use.ts')]);
  const { use } = (await import(join(folder, 'use.ts'))) as {
    use: (addresses: typeof urls) => Promise<unknown[]>;
  };
  expect(await use(urls)).toEqual(['q-1', 'answered', ANSWERED.sources[0]?.id, 200, 201, 200]);
});
