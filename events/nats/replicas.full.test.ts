import type { NatsConnection } from 'nats';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openNatsLeases } from '../leases/nats.ts';
import { openJetStreamOutlet } from '../relay/jetstream-outlet.ts';
import { EVENTS_STREAM } from '../relay/outlet.ts';
import type { Position } from '../store/store.ts';
import { KEYS_BUCKET } from '../vault/nats-keys.ts';
import { openNatsVault } from '../vault/nats.ts';
import { connectNats } from './connection.ts';
import { freePorts } from '../../testing/free-ports.suite.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../testing/nats/server.suite.ts';
import { PATIENT } from '../patient.suite.ts';

const REPLICAS = { replicas: 3 } as const;
const WITHIN_MS = 600_000;

describe.skipIf(!hasNatsServer)('on a cluster of three NATS servers', () => {
  let servers: NatsServer[];
  let connection: NatsConnection;

  beforeAll(async () => {
    const routes = (await freePorts(3)).map((port) => `nats://127.0.0.1:${port}`);
    servers = await Promise.all(
      routes.map((route, n) =>
        startNatsServer(
          `-n server-${n} --cluster_name beleg --cluster ${route} --routes ${routes.join(',')}`.split(' '),
        ),
      ),
    );
    connection = await connectNats({ servers: servers.map(({ url }) => url) }, { name: 'test' });
  }, WITHIN_MS);

  afterAll(async () => {
    await connection.close();
    await Promise.all(servers.map((server) => server.remove()));
  });

  test(
    'leases, keys and events outlive the one that leads, and one that follows',
    async () => {
      // JetStream answers once the servers have found each other and a leader.
      const vault = await vi.waitFor(
        () => openNatsVault(connection, { owner: 'test', ...REPLICAS }),
        PATIENT,
      );
      const leases = await openNatsLeases(connection, {
        holder: 'test',
        onWorkError: () => {},
        ...REPLICAS,
      });
      const outlet = await openJetStreamOutlet(connection, REPLICAS);
      const manager = await connection.jetstreamManager();
      for (const stream of [`KV_${KEYS_BUCKET}`, 'KV_beleg_leases', EVENTS_STREAM]) {
        expect((await manager.streams.info(stream)).config.num_replicas).toBe(3);
      }
      const sealed = await vault.seal('kept', 'text', 'context');

      let published = 0;
      const keepKeys = async (): Promise<void> => {
        expect(await vault.open('kept', sealed, 'context')).toBe('text');
        await vault.seal(`new-${published}`, 'text', 'context');
      };
      const publish = async (): Promise<void> => {
        // Like the relay: an event that an earlier try published without a reply is not published again.
        const next = event(published);
        if ((await outlet.begin()) !== next.position) await outlet.publish([next]);
        expect((await manager.streams.info(EVENTS_STREAM)).state.messages).toBe(published + 1);
      };
      const work = async (): Promise<void> => {
        const lease = new AbortController();
        await Promise.all([
          leases.run('trading', async () => lease.abort(), lease.signal),
          vi.waitFor(keepKeys, PATIENT),
          vi.waitFor(publish, PATIENT),
        ]);
        published += 1;
      };
      await work();
      const leader = async (): Promise<NatsServer> => {
        const { cluster } = await manager.streams.info(`KV_${KEYS_BUCKET}`);
        return servers[Number(cluster!.leader!.at(-1))]!;
      };
      const leading = await vi.waitFor(leader, PATIENT);
      await leading.kill();
      await work();
      await leading.restart();
      const now = await vi.waitFor(leader, PATIENT);
      const following = servers.find((server) => server !== now && server !== leading)!;
      await following.kill();
      await work();
      await vault.close();
    },
    WITHIN_MS,
  );
});

function event(n: number) {
  return {
    id: `event-${n}`,
    subject: 'beleg.v1.evt.knowledge.answer_given.abc',
    data: Buffer.from('{}'),
    headers: {},
    position: String(n).padStart(16, '0') as Position,
  };
}
