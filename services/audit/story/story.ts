import { setImmediate as nextTurn } from 'node:timers/promises';
import { BelegError } from '../../../events/errors.ts';
import type { RecordReader } from '../../../events/store/store.ts';
import { plotAsk } from './ask-story.ts';
import { memberOf, openEvent } from './open-event.ts';
import { plotOrder } from './order-story.ts';
import { Timeline, type Told } from './timeline.ts';
import { Walk } from './machine-walk.ts';
import type { AnyLifecycle } from '../../../actors/lifecycle.ts';
import { INDEX } from '../../../actors/streams/knowledge.ts';
import { MARKET, TRAINING } from '../../../actors/streams/models.ts';
import { INDEX_STREAM } from '../../../events/catalog/knowledge.ts';
import { marketStream } from '../../../events/catalog/market.ts';
import { MODELS_STREAM, trainingStream } from '../../../events/catalog/models.ts';
import type { Story, StoryEntry, StorySource, Plot } from './plot.ts';

/**
 * The order comes last because its look-up is the most expensive: orders are searched for, all others have a stream of
 * their own.
 */
const PLOTS = [plotAsk, plotTraining, plotUpdate, plotReindex, plotOrder];

/**
 * Everything on record about one request, order, training run, update of market data or reindex, in the order it
 * happened, with its machine and the path that it took: the path of the newest ask, if a request id was repeated. A story
 * has at most a thousand entries and 640 KiB of JSON; of a longer one, only the first and the last entries are kept.
 *
 * @throws {BelegError} `UNKNOWN_REQUEST_ID` if nothing is on record under this id; errors of the store.
 */
export async function tellStory(source: StorySource, id: string): Promise<Story> {
  for (const plot of PLOTS) {
    const found = await plot(source, id);
    if (found !== null) return write(source, id, found);
  }
  throw new BelegError('UNKNOWN_REQUEST_ID');
}

/** The number of events that are decrypted together. */
const AT_ONCE = 50;

async function write({ codec }: StorySource, id: string, { kind, walk, parts }: Plot): Promise<Story> {
  const timeline = Timeline.merge(parts);
  const { kept } = timeline;
  const streams = [...new Set(kept.map(({ event }) => event.stream))];
  const opened: Awaited<ReturnType<typeof open>>[] = [];
  while (opened.length < kept.length) {
    const some = kept.slice(opened.length, opened.length + AT_ONCE);
    opened.push(...(await Promise.all(some.map((told) => open(codec, told)))));
    await nextTurn();
  }
  const fitted = await fit(opened);
  const entries = fitted.map((entry, i) => ({
    ...entry,
    after_ms: Math.max(0, Date.parse(entry.at) - Date.parse(fitted[i - 1]?.at ?? entry.at)),
  }));
  const omitted = timeline.omitted + opened.length - fitted.length;
  return { id, kind, streams, machine: walk.toMachine(), entries, omitted };
}

async function open(
  codec: StorySource['codec'],
  { event, state }: Told,
): Promise<Omit<StoryEntry, 'after_ms'>> {
  const { at, $correlationId, $causationId } = event.metadata;
  const { data } = await openEvent(codec, event);
  return {
    at,
    stream: event.stream,
    revision: Number(event.revision),
    event: event.type,
    id: event.id,
    state,
    correlation_id: $correlationId,
    causation_id: $causationId,
    data,
  };
}

/** The most bytes of a story's JSON. Together with the rest of a reply it stays below the 1 MiB of a message. */
const MAX_BYTES = 640 * 1024;

/**
 * The lengths to which texts are shortened, tried in turn. Texts of answers stay whole except in the longest stories.
 */
const LENGTHS = [65_536, 16_384, 4_096, 1_024, 256, 64];

type WithData = Pick<StoryEntry, 'data'>;
type Value = StoryEntry['data'][string];

/**
 * Shortens long texts until all entries fit together; if that is not enough, leaves out entries in the middle, so that
 * the first and the last stay. Values that are no texts are never changed.
 */
async function fit<Entry extends WithData>(entries: readonly Entry[]): Promise<Entry[]> {
  let fitted = [...entries];
  for (const length of LENGTHS) {
    if (sizeOf(fitted) <= MAX_BYTES) return fitted;
    await nextTurn();
    fitted = entries.map((entry) => ({ ...entry, data: shorten(entry.data, length) as Entry['data'] }));
  }
  const sizes = fitted.map((entry) => sizeOf(entry));
  let size = sizes.reduce((sum, each) => sum + each, 0);
  let [from, to] = [Math.ceil(fitted.length / 2), Math.ceil(fitted.length / 2)];
  while (size > MAX_BYTES && to - from < fitted.length - 2) {
    // Leaves out entries from the middle outwards, on each side in turn.
    if (fitted.length - to > from) size -= sizes[to++]!;
    else size -= sizes[--from]!;
  }
  return [...fitted.slice(0, from), ...fitted.slice(to)];
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function shorten(value: Value, length: number): Value {
  if (typeof value === 'string') return cut(value, length);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => shorten(item, length));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shorten(member, length)]));
}

/** Shortens a text, and says how much was cut off. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… (${text.length - kept.length} more characters)`;
}

/** The story of a stream that follows one machine from beginning to end. */
async function walkThrough(store: RecordReader, stream: string, lifecycle: AnyLifecycle) {
  const walk = new Walk(lifecycle);
  const told = new Timeline();
  for await (const event of store.readStream(stream)) told.add({ event, state: walk.take(event.type) });
  return { walk, told };
}

/** The story of a training run, and of its weights. */
async function plotTraining({ store }: StorySource, run: string): Promise<Plot | null> {
  const { walk, told } = await walkThrough(store, trainingStream(run), TRAINING.lifecycle);
  if (told.isEmpty) return null;
  const ofModels = new Timeline();
  for await (const event of store.readStream(MODELS_STREAM)) {
    if (memberOf(event, 'run') === run) ofModels.add({ event, state: null });
  }
  return { kind: 'training', walk, parts: [told, ofModels] };
}

/** The story of an update of market data. */
async function plotUpdate({ store }: StorySource, id: string): Promise<Plot | null> {
  const { walk, told } = await walkThrough(store, marketStream(id), MARKET.lifecycle);
  return told.isEmpty ? null : { kind: 'market-update', walk, parts: [told] };
}

/**
 * The story of a reindex, by the call that requested it. Only one reindex runs at a time, so the next end belongs to
 * its start.
 */
async function plotReindex({ store }: StorySource, id: string): Promise<Plot | null> {
  let walk = new Walk(INDEX.lifecycle);
  let isOurs = false;
  const told = new Timeline();
  for await (const event of store.readStream(INDEX_STREAM)) {
    if (event.type === 'ReindexStarted') {
      isOurs = memberOf(event, 'request_id') === id;
      if (isOurs) walk = new Walk(INDEX.lifecycle);
    }
    if (!isOurs) continue;
    told.add({ event, state: walk.take(event.type) });
    isOurs = walk.state === 'building';
  }
  return told.isEmpty ? null : { kind: 'reindex', walk, parts: [told] };
}
