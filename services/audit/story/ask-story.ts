import { ERASURES_STREAM } from '../../../events/catalog/audit.ts';
import { COMMENTS_STREAM } from '../../../events/catalog/feedback.ts';
import { askStream } from '../../../events/catalog/knowledge.ts';
import type { Position, RecordedEvent, RecordReader } from '../../../events/store/store.ts';
import { hasSealedText, memberOf, openEvent, type Opened } from './open-event.ts';
import { readAfter } from './read-after.ts';
import type { Plot, StorySource } from './plot.ts';
import { Timeline } from './timeline.ts';
import { ASK } from '../../../actors/streams/knowledge.ts';
import { Walk } from './machine-walk.ts';

/**
 * If a request's text can still be read, its erasure is at most this many events before the end of the stream of
 * erasures.
 */
const UNFINISHED_ERASURES = 256;

/**
 * The asks with one request id, with feedback and erasure. Comments are read from the first answer on. Erasures are
 * read only if the text is gone: from the first question on, until the erasure of this request.
 */
export async function plotAsk({ store, codec }: StorySource, id: string): Promise<Plot | null> {
  const asks = new AskWalks();
  const told = new Timeline();
  let first: Position | undefined;
  let answered: Position | undefined;
  let sealed: RecordedEvent | undefined;
  for await (const event of store.readStream(askStream(id))) {
    first ??= event.position;
    if (event.type === 'AnswerGiven') answered ??= event.position;
    if (sealed === undefined && hasSealedText(event)) sealed = event;
    told.add({ event, state: asks.take(event) });
  }
  if (first === undefined) return null;
  const comments = new Timeline();
  if (answered !== undefined) {
    for await (const event of readAfter(store, COMMENTS_STREAM, answered)) {
      if (memberOf(event, 'request_id') === id) comments.add({ event, state: null });
    }
  }
  const text = sealed === undefined ? 'none' : (await openEvent(codec, sealed)).text;
  const erasures = new Timeline();
  for await (const event of readErasures(store, first, text)) {
    if (memberOf(event, 'request_id') !== id) continue;
    erasures.add({ event, state: null });
    if (event.type === 'TextErased') break;
  }
  return { kind: 'ask', walk: asks.newest, parts: [told, comments, erasures] };
}

async function* readErasures(
  store: RecordReader,
  after: Position,
  text: Opened['text'],
): AsyncGenerator<RecordedEvent> {
  if (text !== 'readable') {
    yield* readAfter(store, ERASURES_STREAM, after);
    return;
  }
  const last = { direction: 'backwards', limit: UNFINISHED_ERASURES } as const;
  const events = await Array.fromAsync(store.readStream(ERASURES_STREAM, last));
  yield* events.reverse();
}

/** The asks of one stream. A repeated request id asks again, maybe while the first ask is still running. */
class AskWalks {
  readonly #running = new Map<string, Walk>();
  /** The latest ask. */
  newest = new Walk(ASK.lifecycle);

  /** The state of the ask after this event; `null` if its machine does not handle the event. */
  take({ type, metadata }: Pick<RecordedEvent, 'type' | 'metadata'>): string | null {
    const call = metadata.$causationId;
    let walk = this.#running.get(call);
    if (walk === undefined) {
      if (type !== 'QuestionAsked') return null;
      walk = new Walk(ASK.lifecycle);
      this.#running.set(call, walk);
      this.newest = walk;
    }
    const to = walk.take(type);
    if (walk.hasEnded) this.#running.delete(call);
    return to;
  }
}
