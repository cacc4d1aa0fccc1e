import type { z } from 'zod';
import type { Codec } from '../../../events/define.ts';
import { BelegError } from '../../../events/errors.ts';
import type { Story as StorySchema, StoryMachine as MachineSchema } from '../../../events/messages/audit.ts';
import type { RecordReader } from '../../../events/store/store.ts';
import { plotAsk } from './ask-story.ts';
import { fit } from './fit.ts';
import { openEvent } from './open.ts';
import { plotOrder } from './order-story.ts';
import { plotReindex, plotTraining, plotUpdate } from './run-stories.ts';
import { Timeline, type Told } from './timeline.ts';
import type { Walk } from './walk.ts';

export type Story = z.output<typeof StorySchema>;
export type StoryMachine = z.output<typeof MachineSchema>;
export type StoryEntry = Story['entries'][number];

/** Where stories are read from. Free text is opened by the codec, where its keys are at hand. */
export interface StorySource {
  readonly store: RecordReader;
  readonly codec: Pick<Codec, 'decode'>;
}

/** What a story is made of: events from several streams, and the way through its machine. */
export interface Plot {
  readonly kind: Story['kind'];
  readonly walk: Walk;
  readonly parts: readonly Timeline[];
}

/** The dearest look-up last: an order is searched for, everything else has a stream of its own. */
const PLOTS = [plotAsk, plotTraining, plotUpdate, plotReindex, plotOrder];

/**
 * All that is on record about one request, order, run of training, update of market data or reindex, in the order it
 * happened, with its machine and the way it took: that of the newest ask, where a request id came more than once. At
 * most a thousand entries and 640 KiB of JSON, the first and the last of them.
 *
 * @throws {BelegError} `UNKNOWN_REQUEST_ID` where nothing is on record under this id; what the store rejects with.
 */
export async function tellStory(source: StorySource, id: string): Promise<Story> {
  for (const plot of PLOTS) {
    const found = await plot(source, id);
    if (found !== null) return write(source, id, found);
  }
  throw new BelegError('UNKNOWN_REQUEST_ID');
}

async function write({ codec }: StorySource, id: string, { kind, walk, parts }: Plot): Promise<Story> {
  const timeline = Timeline.merge(parts);
  const streams = [...new Set(timeline.kept.map(({ event }) => event.stream))];
  const opened = await Promise.all(timeline.kept.map((told) => open(codec, told)));
  const fitted = fit(opened);
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
