import { evolveRecorded, kindOf } from '../../../actors/streams/streams.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { createDecoder } from '../../../events/define.ts';
import { BelegError } from '../../../events/errors.ts';
import { GENESIS_HASH, recordedHash } from '../../../events/store/chain.ts';
import type { RecordedEvent, RecordReader } from '../../../events/store/store.ts';
import { readSettings } from '../../composition/settings.ts';
import { openRecord } from '../../composition/runtime.ts';
import { EXIT } from '../exit-codes.ts';
import { startProgressBar, type ProgressBar } from '../progress-bar.ts';

/** A revision, a time (ISO 8601, UTC, with milliseconds), or the end of the stream. */
export type Point = { readonly revision: bigint } | { readonly time: string } | 'end';

/** The state of a stream after one of its events. */
export type StreamState = Awaited<ReturnType<typeof stateAt>>;

/** Runs with the record open. If the state does not exist, it prints why and sets an exit code of its own. */
export async function withStore(
  use: (store: RecordReader, onProgress: ProgressBar['update']) => Promise<void>,
): Promise<void> {
  await using record = await openRecord(readSettings(process.env));
  using bar = startProgressBar('folding');
  try {
    await use(record.store, bar.update);
  } catch (error) {
    if (!(error instanceof NoSuchState)) throw error;
    console.error(`beleg: ${error.message}`);
    process.exitCode = EXIT.notFound;
  }
}

/** The state does not exist; the message says why. */
class NoSuchState extends Error {}

/** States need no free text, so none is decrypted. */
const decoder = createDecoder(CATALOG, { open: () => Promise.resolve(null) });

/** The number of events between two reports of progress. */
const STRIDE = 1_000;

/**
 * The state after the event at a point, folded from the first event on, while the hash chain is checked. For a time it
 * is the state after the last event whose own time is not later; if a clock was set back, later events may have earlier
 * times.
 *
 * @throws {NoSuchState} that names streams with similar names.
 * @throws {BelegError} `STREAM_CORRUPT` if the record is damaged before the point.
 */
export async function stateAt(
  store: RecordReader,
  stream: string,
  point: Point,
  onProgress: ProgressBar['update'] = () => undefined,
) {
  const definition = kindOf(stream);
  if (definition === undefined) throw await noStream(store, stream);
  const count = Number(await revisionAt(store, stream, point)) + 1;
  let state: unknown = definition.initial();
  let last: RecordedEvent | undefined;
  let done = 0;
  for await (const event of store.readStream(stream, { limit: count })) {
    const expected = recordedHash(last?.metadata.hash ?? GENESIS_HASH, event);
    if (event.revision !== BigInt(done) || event.metadata.hash !== expected) throw broken(stream, done);
    const decoded = await decoder.decode(event);
    if (decoded !== undefined) state = evolveRecorded(definition, state, decoded);
    last = event;
    if (++done % STRIDE === 0) onProgress(done, count);
  }
  if (last === undefined || done < count) throw broken(stream, done);
  // `event` is the last event that the state includes, as it is stored.
  return { stream, definition, event: last, state };
}

async function revisionAt(store: RecordReader, stream: string, point: Point): Promise<bigint> {
  let last: bigint | undefined;
  for await (const { revision, metadata } of store.readStream(stream, { direction: 'backwards' })) {
    last ??= revision;
    if (point === 'end') return last;
    if ('time' in point) {
      if (metadata.at <= point.time) return revision;
    } else if (point.revision <= last) return point.revision;
    else throw new NoSuchState(`${stream} ends at revision ${last}`);
  }
  if (last === undefined || point === 'end' || !('time' in point)) throw await noStream(store, stream);
  throw new NoSuchState(`${stream} has no event at or before ${point.time}`);
}

function broken(stream: string, revision: number): BelegError {
  const detail = `revision ${revision} of ${stream} was changed after it was recorded; run \`beleg audit verify --stream ${stream}\` for details`;
  return new BelegError('STREAM_CORRUPT', { detail });
}

async function noStream(store: RecordReader, stream: string): Promise<NoSuchState> {
  const near = await nearestNames(store, stream);
  const lines = [`there is no stream named ${stream}`, ...(near.length > 0 ? ['nearest:', ...near] : [])];
  return new NoSuchState(lines.join('\n  '));
}

/** Similar names are looked for among this many of the newest events. */
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

/** The Levenshtein distance: the characters to insert, delete or replace. */
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
