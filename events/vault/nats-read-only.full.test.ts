import { join } from 'node:path';
import type { NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectNats } from '../nats/connection.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../testing/nats/server.suite.ts';
import { openNatsKeys } from './nats-read-only.ts';
import { openNatsVault } from './nats.ts';
import { KeyUnavailable, UnopenableText } from './vault.ts';

const CONF = join(import.meta.dirname, '..', '..', 'nats.conf');
const USERS = ['gateway', 'knowledge', 'audit', 'market', 'trading', 'models', 'operator'];
const PASSWORDS = Object.fromEntries(USERS.map((user) => [`NATS_${user.toUpperCase()}_PASSWORD`, user]));

describe.skipIf(!hasNatsServer)('Keys in NATS for those who only read', () => {
  let server: NatsServer;
  const connections: NatsConnection[] = [];

  beforeAll(async () => {
    server = await startNatsServer(['-c', CONF, '-m', '-1'], PASSWORDS);
  });
  afterEach(async () => {
    for (const connection of connections.splice(0)) await connection.close();
  });
  afterAll(() => server.remove());

  async function as(user: string): Promise<NatsConnection> {
    const connection = await connectNats({ servers: [server.url], user, password: user }, { name: user });
    connections.push(connection);
    return connection;
  }

  it('are at hand for a user that may read them, until they are erased', async () => {
    const keys = await openNatsKeys(await as('audit'));
    const vault = await openNatsVault(await as('knowledge'), { owner: 'a' });
    const sealed = await vault.seal('r-1', 'Urlaub', 'context');
    expect(await keys.open('r-1', sealed, 'context')).toBe('Urlaub');
    await vault.erase('r-1');
    expect(await keys.open('r-1', sealed, 'context')).toBeNull();
    await expect(keys.open('r-2', sealed, 'context')).rejects.toThrow(UnopenableText);
    await vault.close();
  });

  it('are not at hand for one that may not, which is known without waiting for an answer', async () => {
    const vault = await openNatsVault(await as('knowledge'), { owner: 'a' });
    const sealed = await vault.seal('r-3', 'Urlaub', 'context');
    const keys = await openNatsKeys(await as('operator'));
    // Waiting for an answer each time would take longer than a test may.
    for (let n = 0; n < 100; n++) {
      await expect(keys.open('r-3', sealed, 'context')).rejects.toThrow(KeyUnavailable);
    }
    await vault.close();
  });

  it('are not at hand where there is no bucket, and none is made', async () => {
    const other = await startNatsServer();
    try {
      const alone = await connectNats({ servers: [other.url] }, { name: 'alone' });
      connections.push(alone);
      const keys = await openNatsKeys(alone);
      await expect(keys.open('r-1', { $sealed: '' }, 'context')).rejects.toThrow(UnopenableText);
      const { streams } = await alone.jetstreamManager();
      await expect(streams.info('KV_beleg_keys')).rejects.toThrow('stream not found');
    } finally {
      await other.remove();
    }
  });
});
