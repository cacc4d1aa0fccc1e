import type { NatsConnection } from 'nats';
import { afterAll, beforeAll, describe } from 'vitest';
import { connectNats } from '../nats/connection.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../nats/server.suite.ts';
import { busContract } from './contract.suite.ts';
import { createNatsBus } from './nats.ts';

describe.skipIf(!hasNatsServer)('against a server', () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.remove());

  busContract('NATS', async () => {
    const handlerErrors: unknown[] = [];
    const connections: NatsConnection[] = [];
    const connect = async (name: string) => {
      const connection = await connectNats({ servers: [server.url] }, { name });
      connections.push(connection);
      return createNatsBus(connection, {
        onHandlerError: (error) => handlerErrors.push(error),
        version: '1.0.0',
      });
    };
    return {
      a: await connect('a'),
      b: await connect('b'),
      handlerErrors,
      settle: async () => {
        // The second round trip follows what the first one has made the other side send.
        for (const connection of [...connections, ...connections]) await connection.flush();
      },
      close: async () => {
        for (const connection of connections) await connection.close();
      },
    };
  });
});
