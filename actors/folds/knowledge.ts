import { CHECKPOINTS_STREAM, ERASURES_STREAM, type RecordCheckpointed } from '../../events/catalog/audit.ts';
import type { AskEvent, CommentEvent, ErasureEvent, IndexEvent } from '../../events/catalog/catalog.ts';
import { COMMENTS_STREAM } from '../../events/catalog/feedback.ts';
import { INDEX_STREAM } from '../../events/catalog/knowledge.ts';
import type { EventOf } from '../../events/define.ts';
import * as ask from '../ask/evolve.ts';
import * as erasure from '../erasure/erasure.ts';
import { jsonHash, plain, typesOf, type StreamFold } from './fold.ts';
import * as reindex from '../reindex/reindex.ts';

export const askFold: StreamFold<ask.AskState> = {
  ...plain,
  kind: 'ask',
  version: 1,
  types: typesOf<AskEvent>({
    QuestionAsked: true,
    PassagesRetrieved: true,
    AnswerDrafted: true,
    DraftVerified: true,
    AnswerGiven: true,
    AskFailed: true,
    AnswerRated: true,
  }),
  matches: (stream) => stream.startsWith('ask-'),
  initial: () => ask.initialState,
  evolve: (state, event) => ask.evolve(state, event as AskEvent),
};

export const indexFold: StreamFold<reindex.IndexState> = {
  ...plain,
  kind: 'knowledge-index',
  version: 1,
  types: typesOf<IndexEvent>({ ReindexStarted: true, IndexBuilt: true, ReindexFailed: true }),
  matches: (stream) => stream === INDEX_STREAM,
  initial: () => reindex.initialState,
  evolve: (state, event) => reindex.evolve(state, event as IndexEvent),
};

/** What the writer of comments goes by: how many there are, which is the newest one's id. */
export interface CommentsState {
  readonly comments: number;
  /** Id of the newest one's event. */
  readonly last: string | null;
}

export const commentsFold: StreamFold<CommentsState> = {
  ...plain,
  kind: 'comments',
  version: 1,
  types: typesOf<CommentEvent>({ CommentRecorded: true }),
  matches: (stream) => stream === COMMENTS_STREAM,
  initial: () => ({ comments: 0, last: null }),
  evolve: ({ comments }, { id }) => ({ comments: comments + 1, last: id }),
};

export const erasuresFold: StreamFold<erasure.ErasuresState> = {
  kind: 'erasures',
  version: 1,
  types: typesOf<ErasureEvent>({ ErasureRequested: true, TextErased: true }),
  matches: (stream) => stream === ERASURES_STREAM,
  initial: erasure.initialState,
  evolve: (state, event) => erasure.evolve(state, event as ErasureEvent),
  hash: ({ pending, erased }) =>
    jsonHash({
      pending: [...pending].map(([request_id, asked]) => ({ request_id, ...asked })),
      erased: [...erased].map(([request_id, at]) => ({ request_id, at })),
    }),
  readable: ({ pending, erased }) => ({
    pending: Object.fromEntries([...pending].map(([id, { correlationId }]) => [id, correlationId])),
    erased: Object.fromEntries(erased),
  }),
  toLines: ({ pending, erased }) => [
    JSON.stringify([...pending]),
    ...[...erased].map((entry) => JSON.stringify(entry)),
  ],
  fromLines: ([pending, ...erased]) => ({
    pending: new Map(JSON.parse(pending!) as [string, erasure.PendingErasure][]),
    erased: new Map(erased.map((entry) => JSON.parse(entry) as [string, string])),
  }),
};

type CheckpointEvent = EventOf<typeof RecordCheckpointed>;

/** The newest checkpoint, which says enough to go on from there. */
export interface CheckpointsState {
  readonly checkpoints: number;
  readonly newest: Omit<CheckpointEvent['data'], 'heads' | 'note'> | null;
}

export const checkpointsFold: StreamFold<CheckpointsState> = {
  ...plain,
  kind: 'checkpoints',
  version: 1,
  types: typesOf<CheckpointEvent>({ RecordCheckpointed: true }),
  matches: (stream) => stream === CHECKPOINTS_STREAM,
  initial: () => ({ checkpoints: 0, newest: null }),
  evolve: ({ checkpoints }, event) => {
    const { size, root, position, frontier } = (event as CheckpointEvent).data;
    return { checkpoints: checkpoints + 1, newest: { size, root, position, frontier } };
  },
};
