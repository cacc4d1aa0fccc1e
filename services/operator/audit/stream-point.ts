import { InvalidArgumentError } from 'commander';
import { join } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import type { RecordReader } from '../../../events/store/store.ts';
import type { Settings } from '../../config.ts';
import { openRecord } from '../../runtime.ts';
import { SnapshotFile } from '../../snapshots/snapshot-file.ts';
import { StreamStates, type Point, type StreamState } from '../../snapshots/stream-states.ts';

/** As typed: a revision, or a date or time. */
export function readPoint(text: string): Point {
  if (/^\d{1,15}$/.test(text)) return { revision: BigInt(text) };
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError(`${text} is neither a revision nor a time like 2026-01-31T08:00:00Z`);
  }
  return { time: new Date(time).toISOString() };
}

/** Where states come from. */
export interface States {
  readonly store: RecordReader;
  readonly states: StreamStates;
}

/** Runs with the record open, and with the snapshots beside it where those can be written. */
export async function withStates<T>(settings: Settings, use: (states: States) => Promise<T>): Promise<T> {
  const record = await openRecord(settings);
  const snapshots = openSnapshots(join(settings.dataDir, 'snapshots.db'));
  const bar = new SingleBar(
    { format: 'folding [{bar}] {value}/{total} events', hideCursor: true, clearOnComplete: true },
    Presets.rect,
  );
  let shown = false;
  try {
    const { store } = record;
    const states = new StreamStates({
      store,
      snapshots,
      onProgress: ({ revision, last }) => {
        if (!process.stderr.isTTY) return;
        if (!shown) bar.start(Number(last) + 1, 0);
        shown = true;
        bar.update(Number(revision) + 1);
      },
    });
    return await use({ store, states });
  } finally {
    if (shown) bar.stop();
    snapshots?.close();
    await record.close();
  }
}

function openSnapshots(file: string): SnapshotFile | null {
  try {
    return new SnapshotFile(file);
  } catch {
    console.error(
      'beleg: snapshots.db in DATA_DIR cannot be written: long streams are folded from their start',
    );
    return null;
  }
}

/** Why there is no state: exit code 5. */
export class NoSuchState extends Error {}

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
    [`there is no stream ${stream}`, ...(near.length > 0 ? ['nearest:', ...near] : [])].join('\n  '),
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
