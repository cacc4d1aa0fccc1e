import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBelegError } from '../../errors.ts';
import { newEvent } from '../contract.suite.ts';
import { NO_STREAM, type EventStore } from '../store.ts';
import { openEventStoreDb } from './eventstoredb.ts';
import { onServer } from '../../../testing/eventstoredb/served.suite.ts';
import { startCluster, type ServerProcess } from '../../../testing/eventstoredb/server-process.suite.ts';

const WRITERS = 8;
const TIMES = 5;

/** Milliseconds that a node is away: longer than the others wait before they elect another leader. */
const AWAY_MS = 8_000;

describe.skipIf(!onServer)('three nodes of EventStoreDB, the leader away again and again', () => {
  let nodes: ServerProcess[];
  let store: EventStore;

  beforeAll(async () => {
    nodes = await startCluster();
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
    store = await openEventStoreDb({ url: `esdb://${hosts}?tls=false` });
  }, 180_000);

  afterAll(async () => {
    await store.close();
    for (const node of nodes) await node.remove();
  });

  async function leader(): Promise<ServerProcess> {
    for (;;) {
      for (const node of nodes) {
        const info = await fetch(`http://127.0.0.1:${node.port}/info`, { signal: AbortSignal.timeout(2_000) })
          .then((answer) => answer.json() as Promise<{ state: string }>)
          .catch(() => undefined);
        if (info?.state === 'leader') return node;
      }
    }
  }

  it.each([
    ['Killed', (node: ServerProcess) => node.kill(), (node: ServerProcess) => node.restart()],
    ['Stopped', async (node: ServerProcess) => node.pause(), async (node: ServerProcess) => node.resume()],
  ])(
    '%s: what was acknowledged is there once, and the follower saw it once',
    async (how, away, back) => {
      const acknowledged: string[] = [];
      const seen = new Map<string, number>();
      let longest = 0;
      const ending = new AbortController();
      const subscription = store.subscribe({ types: [how] });
      const following = (async () => {
        for await (const item of subscription) {
          if (item.kind === 'event') seen.set(item.event.id, (seen.get(item.event.id) ?? 0) + 1);
        }
      })();
      const writer = async (stream: string): Promise<void> => {
        let revision = NO_STREAM;
        let last = performance.now();
        while (!ending.signal.aborted) {
          const event = newEvent({}, how);
          for (;;) {
            try {
              ({ revision } = await store.append(stream, revision, [event]));
              break;
            } catch (error) {
              // Nobody knows whether it was written, so the same append is sent again.
              if (!isBelegError(error, 'STORE_UNAVAILABLE')) throw error;
            }
          }
          acknowledged.push(event.id);
          longest = Math.max(longest, performance.now() - last);
          last = performance.now();
        }
      };
      const writers = Array.from({ length: WRITERS }, (_, n) => writer(`${how}-${n}`));
      for (let n = 0; n < TIMES; n++) {
        const node = await leader();
        await away(node);
        await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
        await back(node);
        // Appends must succeed again before the next node is killed.
        const before = acknowledged.length;
        await expect.poll(() => acknowledged.length - before).toBeGreaterThan(100);
      }
      ending.abort();
      await Promise.all(writers);

      const standing = new Map<string, number>();
      for await (const { id } of store.readAll({ types: [how] })) {
        standing.set(id, (standing.get(id) ?? 0) + 1);
      }
      await expect.poll(() => seen.size).toBe(standing.size);
      await subscription.close();
      await following;
      const figures = {
        acknowledged: acknowledged.length,
        lost: acknowledged.filter((id) => !standing.has(id)).length,
        doubled: [...standing.values()].filter((times) => times > 1).length,
        unseen: acknowledged.filter((id) => !seen.has(id)).length,
        seenTwice: [...seen.values()].filter((times) => times > 1).length,
      };
      console.log(`leader ${how} ${TIMES} times:`, figures, `longest pause ${Math.round(longest)} ms`);
      expect(figures).toMatchObject({ lost: 0, doubled: 0, unseen: 0, seenTwice: 0 });
    },
    600_000,
  );
});
