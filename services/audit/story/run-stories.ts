import { INDEX } from '../../../actors/streams/knowledge.ts';
import { MARKET, TRAINING } from '../../../actors/streams/models.ts';
import { INDEX_STREAM } from '../../../events/catalog/knowledge.ts';
import { marketStream } from '../../../events/catalog/market.ts';
import { MODELS_STREAM, trainingStream } from '../../../events/catalog/models.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import type { Plot, StorySource } from './story.ts';
import { Timeline } from './timeline.ts';
import { Walk } from './walk.ts';

/** A run of training, with what became of its weights. */
export async function plotTraining({ store }: StorySource, run: string): Promise<Plot | null> {
  const walk = new Walk(TRAINING.lifecycle);
  const told = new Timeline();
  for await (const event of store.readStream(trainingStream(run))) {
    told.add({ event, state: walk.take(event.type) });
  }
  if (told.isEmpty) return null;
  const ofModels = new Timeline();
  for await (const event of store.readStream(MODELS_STREAM)) {
    if (has(event, 'run', run)) ofModels.add({ event, state: null });
  }
  return { kind: 'training', walk, parts: [told, ofModels] };
}

/** An update of the market data. */
export async function plotUpdate({ store }: StorySource, id: string): Promise<Plot | null> {
  const walk = new Walk(MARKET.lifecycle);
  const told = new Timeline();
  for await (const event of store.readStream(marketStream(id))) {
    told.add({ event, state: walk.take(event.type) });
  }
  return told.isEmpty ? null : { kind: 'market-update', walk, parts: [told] };
}

/** What a request did that asked for a new index: there is one build at a time, so what follows its start ends it. */
export async function plotReindex({ store }: StorySource, id: string): Promise<Plot | null> {
  let walk = new Walk(INDEX.lifecycle);
  let isOurs = false;
  const told = new Timeline();
  for await (const event of store.readStream(INDEX_STREAM)) {
    if (event.type === 'ReindexStarted') {
      isOurs = has(event, 'request_id', id);
      if (isOurs) walk = new Walk(INDEX.lifecycle);
    }
    if (!isOurs) continue;
    told.add({ event, state: walk.take(event.type) });
    isOurs = walk.state === 'building';
  }
  return told.isEmpty ? null : { kind: 'reindex', walk, parts: [told] };
}

function has({ data }: RecordedEvent, field: string, value: string): boolean {
  return typeof data === 'object' && data !== null && (data as Record<string, unknown>)[field] === value;
}
