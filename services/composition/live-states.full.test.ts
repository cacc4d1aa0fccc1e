import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindOf, STREAMS } from '../../actors/streams/streams.ts';
import { anything, EACH_KIND, LiveFolds, LiveSystem, type Step } from './live-states.suite.ts';
import { isWhole } from '../operator/audit/projections.ts';
import { projectionsOf } from './live-tables.ts';
import { verifyProjection } from '../operator/audit/projections/verify.ts';
import { stateAt } from '../operator/audit/stream-point.ts';
import type { StateHashes } from '../foundation/streams/state-hashes.ts';

/** `BELEG_WALKS=50` runs more of them. */
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
      // Consequences of the last step are still being recorded: of the feed, an update, or the broker's reports.
      await expect.poll(() => differences(system, folds)).toEqual({ live: [], folded: [], kinds: [] });
    } finally {
      await folds.close();
    }
    for (const known of projectionsOf(system.settings)) {
      const verified = await verifyProjection(known, system.runtime, () => undefined);
      expect(isWhole(verified) ? [] : verified.tables).toEqual([]);
    }
  } finally {
    await system.close();
  }
}

/** Takes several steps at a time, like several callers. */
async function takeAll(system: LiveSystem, steps: readonly Step[]): Promise<void> {
  for (let next = 0; next < steps.length; next += 3) {
    await Promise.all(steps.slice(next, next + 3).map((step) => system.take(step)));
  }
}

/** Streams whose live state differs from a replay from the first event, and kinds of streams without a live state. */
async function differences(system: LiveSystem, folds: LiveFolds) {
  const live = await system.liveHashes();
  const folded = folds.hashes();
  const replayed = await replay(system);
  const other = (hashes: StateHashes): string[] =>
    Object.keys(hashes).filter((stream) => hashes[stream] !== replayed[stream]);
  const kinds = new Set(Object.keys(replayed).map((stream) => kindOf(stream)?.kind));
  // These streams always have a live state.
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
  const hashes: Record<string, string> = {};
  for (const stream of streams) {
    const { definition, state } = await stateAt(store, stream, 'end');
    hashes[stream] = definition.hash(state);
  }
  return hashes;
}
