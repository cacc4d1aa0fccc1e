import { join } from 'node:path';
import type { RecordReader } from '../../../events/store/store.ts';
import type { Settings } from '../../config.ts';
import { openRecord } from '../../runtime.ts';
import { EXIT } from '../failure.ts';
import { startProgressBar } from '../progress-bar.ts';
import { SnapshotFile } from '../../snapshots/snapshot-file.ts';
import { StreamStates, type Point, type StreamState } from '../../snapshots/stream-states.ts';

/** Where states come from. */
export interface States {
  readonly store: RecordReader;
  readonly states: StreamStates;
}

/**
 * Runs with the record open, and with the snapshots beside it where those can be written. Says why, with an exit code of its
 * own, where there is no such state.
 */
export async function withStates(settings: Settings, use: (states: States) => Promise<void>): Promise<void> {
  await using record = await openRecord(settings);
  const snapshots = openSnapshots(join(settings.dataDir, 'snapshots.db'));
  const bar = startProgressBar('folding');
  try {
    const { store } = record;
    const states = new StreamStates({
      store,
      snapshots,
      onProgress: ({ revision, last }) => bar.update(Number(revision) + 1, Number(last) + 1),
    });
    await use({ store, states });
  } catch (error) {
    if (!(error instanceof NoSuchState)) throw error;
    console.error(`beleg: ${error.message}`);
    process.exitCode = EXIT.notFound;
  } finally {
    bar.stop();
    snapshots?.close();
  }
}

function openSnapshots(file: string): SnapshotFile | null {
  try {
    return new SnapshotFile(file);
  } catch {
    console.error('beleg: snapshots.db in DATA_DIR cannot be written, so long streams take longer to read');
    return null;
  }
}

/** Why there is no state. */
class NoSuchState extends Error {}

/** Rejects with `NoSuchState`, which names streams that are called nearly so. */
export async function stateAt({ store, states }: States, stream: string, point: Point): Promise<StreamState> {
  const found = await states.at(stream, point);
  if (found !== undefined) return found;
  const last = await states.lastRevision(stream);
  if (last >= 0n) {
    if (point !== 'end' && 'time' in point) {
      throw new NoSuchState(`${stream} has no event at or before ${point.time}`);
    }
    throw new NoSuchState(`${stream} ends at revision ${last}`);
  }
  const near = await nearestNames(store, stream);
  throw new NoSuchState(
    [`there is no stream named ${stream}`, ...(near.length > 0 ? ['nearest:', ...near] : [])].join('\n  '),
  );
}

/** Events, the newest, among which names are looked for. */
const SEARCHED = 20_000;
const NAMES = 3;

async function nearestNames(store: RecordReader, stream: string): Promise<string[]> {
  const names = new Set<string>();
  for await (const event of store.readAll({ direction: 'backwards', limit: SEARCHED }))
    names.add(event.stream);
  const near = [...names].map((name) => ({ name, distance: distanceOf(stream, name) }));
  return near
    .filter(({ distance }) => distance <= Math.max(3, stream.length / 2))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, NAMES)
    .map(({ name }) => name);
}

/** Levenshtein's: characters that have to be put in, taken out or exchanged. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const exchanged = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(exchanged, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
