import type { DraftOf, IndexEvent } from '../../events/catalog/catalog.ts';
import type { EventDraft } from '../../events/define.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { Lifecycle } from '../lifecycle.ts';
import type * as knowledge from '../../events/catalog/knowledge.ts';

type IndexStatus = 'idle' | 'building';

/** There is one build at a time, and after each end, of whatever kind, the index is at rest. */
export const INDEX_LIFECYCLE = new Lifecycle<IndexStatus, IndexEvent['type']>('reindex', 'idle', {
  idle: { ReindexStarted: 'building' },
  building: { IndexBuilt: 'idle', ReindexFailed: 'idle' },
});

export type IndexEventDraft = DraftOf<IndexEvent>;

export type IndexBuiltData = EventDraft<typeof knowledge.IndexBuilt>['data'];

/** The stream `knowledge-index`, folded: what is in service by its content hash, and whether a build is running. */
interface IndexState {
  readonly status: IndexStatus;
  readonly index: string | null;
}

/** How many files in the folder changed and so began a reindex. */
export type ChangedFiles = NonNullable<EventDraft<typeof knowledge.ReindexStarted>['data']['files']>;

export type IndexCommand =
  | { readonly type: 'start-reindex'; readonly request_id: string; readonly files?: ChangedFiles }
  | { readonly type: 'finish-reindex'; readonly built: IndexBuiltData }
  /** `faults`: number of faults found in the knowledge base. */
  | { readonly type: 'fail-reindex'; readonly error: unknown; readonly faults: number }
  /** Sent at start by the only process that builds: it closes a reindex that a crash interrupted. */
  | { readonly type: 'abandon-reindex' };

export const initialState = (): IndexState => ({ status: 'idle', index: null });

/** Pure fold of one event. */
export function evolve(state: IndexState, event: IndexEvent | IndexEventDraft): IndexState {
  switch (event.type) {
    case 'ReindexStarted':
      return { ...state, status: 'building' };
    case 'IndexBuilt':
      return { status: 'idle', index: event.data.index };
    case 'ReindexFailed':
      return { ...state, status: 'idle' };
  }
}

/** `REINDEX_RUNNING` for a second start; an end without a start is nothing to record. */
export function decide(command: IndexCommand, { status }: IndexState): readonly IndexEventDraft[] {
  switch (command.type) {
    case 'start-reindex':
      if (!INDEX_LIFECYCLE.mayFollow(status, 'ReindexStarted')) throw new BelegError('REINDEX_RUNNING');
      return [
        {
          type: 'ReindexStarted',
          data: {
            request_id: command.request_id,
            ...(command.files === undefined ? {} : { files: command.files }),
          },
        },
      ];
    case 'finish-reindex':
      return INDEX_LIFECYCLE.mayFollow(status, 'IndexBuilt')
        ? [{ type: 'IndexBuilt', data: command.built }]
        : [];
    case 'fail-reindex':
      return INDEX_LIFECYCLE.mayFollow(status, 'ReindexFailed')
        ? [failed(codeOf(command.error), command.faults)]
        : [];
    case 'abandon-reindex':
      return INDEX_LIFECYCLE.mayFollow(status, 'ReindexFailed') ? [failed('INTERNAL', 0)] : [];
  }
}

function failed(code: string, faults: number): IndexEventDraft {
  return { type: 'ReindexFailed', data: { code, faults } };
}

const codeOf = (error: unknown): string => (isBelegError(error) ? error.code : 'INTERNAL');
