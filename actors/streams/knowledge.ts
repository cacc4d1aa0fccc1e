import { CHECKPOINTS_STREAM, ERASURES_STREAM } from '../../events/catalog/audit.ts';
import {
  ASK_EVENTS,
  CHECKPOINT_EVENTS,
  COMMENT_EVENTS,
  ERASURE_EVENTS,
  INDEX_EVENTS,
  type CheckpointEvent,
  type CommentEvent,
} from '../../events/catalog/catalog.ts';
import { COMMENTS_STREAM } from '../../events/catalog/feedback.ts';
import { askStream, INDEX_STREAM } from '../../events/catalog/knowledge.ts';
import * as ask from '../ask/evolve.ts';
import { ASK_LIFECYCLE } from '../ask/lifecycle.ts';
import * as erasure from '../erasure/erasure.ts';
import * as rating from '../rating/rating.ts';
import * as reindex from '../reindex/reindex.ts';
import { defineStream, jsonHash } from './define-stream.ts';

/** The events of an answer are decided by the ask's machine and appended unchanged; only ratings are decided here. */
export const ASK = defineStream({
  kind: 'ask',
  stream: askStream,
  events: ASK_EVENTS,
  lifecycle: ASK_LIFECYCLE,
  initial: ask.initialState,
  evolve: ask.evolve,
  decide: rating.decide,
  stamp: ({ data }) => ('request_id' in data ? { key: data.request_id } : {}),
});

export const INDEX = defineStream({
  kind: 'knowledge-index',
  stream: INDEX_STREAM,
  events: INDEX_EVENTS,
  lifecycle: reindex.INDEX_LIFECYCLE,
  initial: reindex.initialState,
  evolve: reindex.evolve,
  decide: reindex.decide,
  /** The client was told that the reindex has not begun, so nobody waits for its end. */
  undo: (): reindex.IndexCommand[] => [{ type: 'abandon-reindex' }],
});

/** The number of comments, which is the newest comment's id. */
interface CommentsState {
  readonly comments: number;
  /** The id of the newest event. */
  readonly last: string | null;
}

export const COMMENTS = defineStream({
  kind: 'comments',
  stream: COMMENTS_STREAM,
  events: COMMENT_EVENTS,
  initial: (): CommentsState => ({ comments: 0, last: null }),
  evolve: ({ comments }, { id }) => ({ comments: comments + 1, last: id }),
  /** The caller must know that there is an answer to comment on. */
  decide: (data: CommentEvent['data']) => [{ type: 'CommentRecorded' as const, data }],
  stamp: ({ data }) => ({ key: data.request_id }),
});

export const ERASURES = defineStream({
  kind: 'erasures',
  stream: ERASURES_STREAM,
  events: ERASURE_EVENTS,
  lifecycle: erasure.ERASURE_LIFECYCLE,
  initial: erasure.initialState,
  evolve: erasure.evolve,
  decide: erasure.decide,
  inPlace: true,
  hash: ({ pending, erased }: erasure.ErasuresState) =>
    jsonHash({
      pending: [...pending].map(([request_id, asked]) => ({ request_id, ...asked })),
      erased: [...erased].map(([request_id, at]) => ({ request_id, at })),
    }),
  readable: ({ pending, erased }: erasure.ErasuresState) => ({
    pending: Object.fromEntries([...pending].map(([id, { correlationId }]) => [id, correlationId])),
    erased: Object.fromEntries(erased),
  }),
});

/** The number of checkpoints, and the newest one, from which the Merkle tree is continued. */
interface CheckpointsState {
  readonly checkpoints: number;
  readonly newest: Omit<CheckpointEvent['data'], 'heads' | 'note'> | null;
}

export const CHECKPOINTS = defineStream({
  kind: 'checkpoints',
  stream: CHECKPOINTS_STREAM,
  events: CHECKPOINT_EVENTS,
  initial: (): CheckpointsState => ({ checkpoints: 0, newest: null }),
  evolve: ({ checkpoints }, { data: { size, root, position, frontier } }) => ({
    checkpoints: checkpoints + 1,
    newest: { size, root, position, frontier },
  }),
  /** The caller has to make sure that the checkpoint matches the record. */
  decide: (data: CheckpointEvent['data']) => [{ type: 'RecordCheckpointed' as const, data }],
});
