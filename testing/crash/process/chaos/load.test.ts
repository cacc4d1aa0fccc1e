import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { OperatorLink } from '../../../../services/operator/link/operator-link.ts';
import type { Deployment, Member } from './deployment.ts';
import { runLoad } from './load.ts';
import { Acknowledged } from './told.ts';

test('an order that is acknowledged at its second try counts as sent from its first', async () => {
  // given a service that answers 503 to the first try of an order, which may be on record by then, and to everything
  // else
  const asked: number[] = [];
  const done = new AbortController();
  const server = createServer((request, response) => {
    if (request.url !== '/api/trading/order') return void response.writeHead(503).end('{}');
    asked.push(Date.now());
    if (asked.length === 1) return void response.writeHead(503).end('{"code":"SERVICE_UNAVAILABLE"}');
    response.end('{"order_id":"o-1"}');
    done.abort();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateway = { url, dashboardUrl: url } as Member;
  const deployment = { of: () => [gateway] } as unknown as Deployment;
  const told = new Acknowledged();

  // when one order is sent
  await runLoad(
    {
      deployment,
      told,
      link: {} as OperatorLink,
      random: () => 0.5,
      asksPerSecond: 0.01,
      ordersPerSecond: 0.01,
    },
    done.signal,
  );

  // then
  expect(told.orders).toHaveLength(1);
  expect(told.orders[0]!.sentAt).toBeLessThanOrEqual(asked[0]!);
});
