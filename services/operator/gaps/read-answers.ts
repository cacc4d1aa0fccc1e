import type { AskEvent, CommentEvent } from '../../../events/catalog/catalog.ts';
import { SEALED_TEXT } from '../../../events/define.ts';
import { RELEVANT } from '../../../kb/answer-thresholds.ts';
import type { Selection } from '../../../events/store/selection.ts';
import type { OpenRecord } from '../../foundation/record.ts';

export type Reason = 'refused' | 'rated_down' | 'low_relevance';

/** The newest answer of a request and its feedback. Free text is `null` if it cannot be read. */
export interface Answered {
  readonly request_id: string;
  readonly at: string;
  readonly question: string | null;
  readonly status: 'answered' | 'refused' | 'uncertain';
  readonly relevance: number | null;
  readonly citations: readonly string[];
  /** The sources of the decisive sentence, if the answer says which it is. */
  readonly decisive: readonly string[];
  /** The source that was found first; `null` if none was found. */
  readonly nearest: string | null;
  rating: 'up' | 'down' | null;
  feedback: string | null;
  readonly comments: string[];
}

/** Selects answers by the time at which they were given. */
export type AnswerSelection = Pick<Selection, 'from' | 'to'>;

/** The reasons why an answer shows a gap of the base; empty if it shows none. */
export function reasonsOf({ status, rating, relevance }: Answered): Reason[] {
  const reasons: [Reason, boolean][] = [
    ['refused', status === 'refused'],
    ['rated_down', rating === 'down'],
    ['low_relevance', relevance !== null && relevance < RELEVANT],
  ];
  return reasons.flatMap(([reason, holds]) => (holds ? [reason] : []));
}

const TYPES = ['PassagesRetrieved', 'AnswerGiven', 'AnswerRated', 'CommentRecorded'] as const;
type ReadEvent = Extract<AskEvent | CommentEvent, { type: (typeof TYPES)[number] }>;

/** All answers of a time range, oldest first. Ratings and comments on them count whenever they were given. */
export async function readAnswers(
  { store, codec, since }: Pick<OpenRecord, 'store' | 'codec' | 'since'>,
  { from = '', to }: AnswerSelection,
): Promise<Answered[]> {
  const after = from === '' ? undefined : await since?.(from);
  const answers = new Map<string, Answered>();
  const found = new Map<string, string | null>();
  for await (const recorded of store.readAll({ types: TYPES, after })) {
    const event = (await codec.decode(recorded)) as ReadEvent;
    switch (event.type) {
      case 'PassagesRetrieved':
        found.set(recorded.stream, event.data.hits[0]?.id ?? null);
        break;
      case 'AnswerGiven': {
        const { request_id, status, relevance, citations } = event.data;
        // The sources are erased together with the text, although their type does not allow `null`.
        const sources = readable<typeof event.data.sources>(event.data.sources) ?? [];
        const nearest = found.get(recorded.stream) ?? null;
        found.delete(recorded.stream);
        answers.set(request_id, {
          request_id,
          at: event.metadata.at,
          question: readable(event.data.question),
          status,
          relevance,
          citations,
          decisive: sources
            .filter(({ quotes }) => quotes?.some((quote) => quote.decisive))
            .map(({ id }) => id),
          nearest,
          rating: null,
          feedback: null,
          // Comments belong to the request, whichever of its answers they were written for.
          comments: answers.get(request_id)?.comments ?? [],
        });
        break;
      }
      case 'AnswerRated': {
        const answer = answers.get(event.data.request_id);
        if (answer === undefined) break;
        answer.rating = event.data.rating;
        answer.feedback = readable(event.data.feedback);
        break;
      }
      case 'CommentRecorded': {
        const comment = readable(event.data.comment);
        if (comment !== null) answers.get(event.data.request_id)?.comments.push(comment);
        break;
      }
    }
  }
  return [...answers.values()].filter(({ at }) => at >= from && (to === undefined || at < to));
}

function readable<T>(text: T | null): T | null {
  return (text as unknown) === SEALED_TEXT ? null : text;
}
