import { connect } from 'nats';
import { expect, onTestFinished, test } from 'vitest';

import { hasNatsServer, startNatsServer } from '../../../testing/nats/server.suite.ts';
import { lookAtNats } from './servers.ts';

test.skipIf(!hasNatsServer)('a stream of others that has the subjects of the events is a fault', async () => {
  const server = await startNatsServer();
  onTestFinished(() => server.remove());
  const connection = await connect({ servers: server.url });
  onTestFinished(() => connection.close());
  const manager = await connection.jetstreamManager();
  expect(await lookAtNats({ servers: [server.url] })).toMatchObject({ state: 'ok' });
  await manager.streams.add({ name: 'ALL', subjects: ['beleg.>'] });
  expect(await lookAtNats({ servers: [server.url] })).toMatchObject({
    state: 'fault',
    found: 'the stream ALL already takes beleg.v1.evt.>, which the stream BELEG_EVENTS is made for',
    advice: expect.stringContaining('nats stream rm') as string,
  });
});
