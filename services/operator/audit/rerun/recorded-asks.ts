import type { AskEvent } from '../../../../events/catalog/catalog.ts';
import { askStream } from '../../../../events/catalog/knowledge.ts';
import type { EventOf } from '../../../../events/define.ts';
import type * as knowledge from '../../../../events/catalog/knowledge.ts';
import type { Selection } from '../../../../events/store/selection.ts';
import type { RecordedEvent } from '../../../../events/store/store.ts';
import type { OpenRecord } from '../../../foundation/record.ts';

type Question = EventOf<typeof knowledge.QuestionAsked>;
type Outcome = EventOf<typeof knowledge.AnswerGiven> | EventOf<typeof knowledge.AskFailed>;

/** An ask as it is on record. */
export interface RecordedAsk {
  readonly at: string;
  readonly asked: Question['data'];
  /** How the ask ended; `null` if it never did. */
  readonly outcome: Outcome | null;
}

/** Selects asks by the time at which they were asked. */
export type AskSelection = Pick<Selection, 'from' | 'to'>;

const OUTCOMES: readonly string[] = ['AnswerGiven', 'AskFailed'];

/** The asks of the whole record, newest first. Asks with the same request id are distinguished by their call. */
export async function* readAsks(
  { store, codec }: Pick<OpenRecord, 'store' | 'codec'>,
  selection: AskSelection,
): AsyncGenerator<RecordedAsk> {
  const types = ['QuestionAsked', ...OUTCOMES];
  yield* pair(store.readAll({ direction: 'backwards', types }), codec, selection);
}

/** The asks with one request id, newest first; none if it is not on record. */
export async function* readAsksOf(
  { store, codec }: Pick<OpenRecord, 'store' | 'codec'>,
  requestId: string,
): AsyncGenerator<RecordedAsk> {
  yield* pair(store.readStream(askStream(requestId), { direction: 'backwards' }), codec, {});
}

/**
 * Pairs questions with their outcomes. Read backwards, an outcome comes before its question, so only the outcomes of
 * asks that ran at once are held.
 */
async function* pair(
  events: AsyncIterable<RecordedEvent>,
  codec: OpenRecord['codec'],
  { from = '', to }: AskSelection,
): AsyncGenerator<RecordedAsk> {
  const outcomes = new Map<string, RecordedEvent>();
  for await (const event of events) {
    const call = event.metadata.$causationId;
    if (OUTCOMES.includes(event.type)) outcomes.set(call, event);
    if (event.type !== 'QuestionAsked') continue;
    const outcome = outcomes.get(call);
    outcomes.delete(call);
    const { at } = event.metadata;
    if (at < from || (to !== undefined && at >= to)) continue;
    const asked = (await codec.decode(event)) as Question;
    const ended = outcome === undefined ? null : ((await codec.decode(outcome)) as AskEvent as Outcome);
    yield { at, asked: asked.data, outcome: ended };
  }
}
