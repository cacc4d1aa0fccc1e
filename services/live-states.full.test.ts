import { readFile, readdir } from 'node:fs/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindOf, STREAMS } from '../actors/streams/streams.ts';
import { openEmbeddedReader } from '../events/store/embedded/read-only.ts';
import { anything, EACH_KIND, LiveFolds, LiveSystem, type Step } from './live-states.suite.ts';
import { isWhole } from './operator/audit/projections.ts';
import { projectionsOf } from './operator/audit/projections/live-tables.ts';
import { verifyProjection } from './operator/audit/projections/verify.ts';
import { SnapshotFile } from './snapshots/snapshot-file.ts';
import { StreamStates } from './snapshots/stream-states.ts';
import type { StateHashes } from './state-hashes.ts';

/** More of them: `BELEG_WALKS=50 npx vitest run services/live-states.test.ts`. */
const WALKS = Number(process.env['BELEG_WALKS'] ?? 1);

test(
  'every state is the same live, on replay, and from snapshot plus tail, whatever has happened',
  async () => {
    const walks = fc.tuple(
      fc.array(anything, { minLength: 20, maxLength: 30 }),
      fc.array(anything, { minLength: 10, maxLength: 15 }),
    );
    await fc.assert(
      fc.asyncProperty(walks, ([before, after]) => walk(before, after)),
      { numRuns: WALKS, endOnFailure: true },
    );
  },
  60_000 * WALKS,
);

async function walk(before: readonly Step[], after: readonly Step[]): Promise<void> {
  const system = await LiveSystem.start();
  try {
    for (const step of EACH_KIND) await system.succeed(step);
    await takeAll(system, before);
    await system.restart();
    const folds = new LiveFolds(system.runtime);
    try {
      await takeAll(system, after);
      await system.rest();
      // What follows from the last step is still being recorded: the feed, an update, the broker's reports.
      await expect.poll(() => differences(system, folds)).toEqual({ live: [], folded: [], kinds: [] });
    } finally {
      await folds.close();
    }
    await expectSnapshotsToSayTheSame(system);
    for (const known of projectionsOf(system.settings)) {
      const verified = await verifyProjection(known, system.runtime, () => undefined);
      expect(isWhole(verified) ? [] : verified.tables).toEqual([]);
    }
  } finally {
    await system.close();
  }
}

/** Some at a time, as callers come. */
async function takeAll(system: LiveSystem, steps: readonly Step[]): Promise<void> {
  for (let next = 0; next < steps.length; next += 3) {
    await Promise.all(steps.slice(next, next + 3).map((step) => system.take(step)));
  }
}

/** Streams whose state is another one than a replay from the first event comes to; kinds of streams that are not there. */
async function differences(system: LiveSystem, folds: LiveFolds) {
  const live = await system.liveHashes();
  const folded = folds.hashes();
  const replayed = await replay(system);
  const other = (hashes: StateHashes): string[] =>
    Object.keys(hashes).filter((stream) => hashes[stream] !== replayed[stream]);
  const kinds = new Set(Object.keys(replayed).map((stream) => kindOf(stream)?.kind));
  // These hold what they are, whatever happens.
  const held = ['account-', 'paper-broker-', 'knowledge-index', 'models', 'erasures'];
  const silent = held.filter((prefix) => !Object.keys(live).some((stream) => stream.startsWith(prefix)));
  return {
    live: [...other(live), ...silent],
    folded: Object.keys(replayed).filter((stream) => folded[stream] !== replayed[stream]),
    kinds: STREAMS.map(({ kind }) => kind).filter((kind) => !kinds.has(kind)),
  };
}

async function replay({ runtime: { store } }: LiveSystem): Promise<StateHashes> {
  const streams = new Set<string>();
  for await (const { stream } of store.readAll()) streams.add(stream);
  return hashesFrom(new StreamStates({ store, snapshots: null }), streams);
}

async function hashesFrom(states: StreamStates, streams: Iterable<string>): Promise<StateHashes> {
  const hashes: Record<string, string> = {};
  for (const stream of streams) {
    const { definition, state } = (await states.at(stream, 'end'))!;
    hashes[stream] = definition.kept.hash(state);
  }
  return hashes;
}

/** Read as an operator does, beside the services; at every revision of the longest streams too. */
async function expectSnapshotsToSayTheSame(system: LiveSystem): Promise<void> {
  const store = openEmbeddedReader({ file: system.file('events.db') });
  const snapshots = new SnapshotFile(system.file('snapshots.db'));
  try {
    const distance = 7;
    const states = new StreamStates({ store, snapshots, distance });
    const fromStart = new StreamStates({ store, snapshots: null });
    const streams = Object.keys(await system.liveHashes());
    for (const stream of streams) {
      // The way to the end leaves snapshots behind.
      const end = (await states.at(stream, 'end'))!;
      for (let revision = 0n; revision <= end.revision; revision += 3n) {
        const [one, other] = [
          await states.at(stream, { revision }),
          await fromStart.at(stream, { revision }),
        ];
        expect(one!.definition.kept.hash(one!.state)).toBe(other!.definition.kept.hash(other!.state));
      }
      if (end.revision >= BigInt(distance)) {
        expect(
          snapshots.newest(stream, `${end.definition.kind}/${end.definition.kept.version}`),
        ).toBeDefined();
      }
    }
  } finally {
    snapshots.close();
    await store.close();
  }
  const files = (await readdir(system.settings.dataDir)).filter((name) => name.startsWith('snapshots.db'));
  for (const name of files) {
    expect((await readFile(system.file(name))).includes('vertraulich')).toBe(false);
  }
}
