import { join } from 'node:path';
import { openEmbeddedReader } from '../../events/store/embedded/read-only.ts';
import { SnapshotFile } from '../../services/snapshots/snapshot-file.ts';
import { StreamStates } from '../../services/snapshots/stream-states.ts';
import { seeded } from '../../events/seeded.ts';

export interface StateTimes {
  /** The first look at the end of the stream: it leaves the snapshots behind. */
  readonly firstSeconds: number;
  readonly events: number;
  /** Milliseconds for the state and its hash, in order; each at another revision. */
  readonly revisions: readonly number[];
  /** As `revisions`, at another time. */
  readonly times: readonly number[];
  /** Of the processors for one look, on average: what it takes where others wait for them too. */
  readonly cpuMs: number;
}

/** States of one stream at random points. */
export async function measureStates(folder: string, stream: string, looks: number): Promise<StateTimes> {
  const random = seeded(7);
  const store = openEmbeddedReader({ file: join(folder, 'events.db') });
  const snapshots = new SnapshotFile(join(folder, 'snapshots.db'));
  try {
    const states = new StreamStates({ store, snapshots });
    const began = performance.now();
    const end = (await states.at(stream, 'end'))!;
    const firstSeconds = (performance.now() - began) / 1_000;
    const last = Number(end.revision);
    const first = (await states.at(stream, { revision: 0n }))!;
    const span = [first, end].map(({ event }) => Date.parse(event.metadata.at)) as [number, number];
    const revisions: number[] = [];
    const times: number[] = [];
    const before = process.cpuUsage();
    for (let look = 0; look < looks; look++) {
      const revision = BigInt(Math.floor(random() * last));
      revisions.push(await timed(states, stream, { revision }));
      const time = new Date(span[0] + Math.floor(random() * (span[1] - span[0]))).toISOString();
      times.push(await timed(states, stream, { time }));
    }
    const { user, system } = process.cpuUsage(before);
    return {
      firstSeconds,
      events: last + 1,
      revisions,
      times,
      cpuMs: (user + system) / 2_000 / looks,
    };
  } finally {
    snapshots.close();
    await store.close();
  }
}

async function timed(
  states: StreamStates,
  stream: string,
  point: { revision: bigint } | { time: string },
): Promise<number> {
  const began = performance.now();
  const { definition, state } = (await states.at(stream, point))!;
  definition.kept.hash(state);
  return performance.now() - began;
}
