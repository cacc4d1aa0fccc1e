import type { DraftOf, IndexEvent } from '../../events/catalog/catalog.ts';
import type { EventDraft } from '../../events/define.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { Lifecycle } from '../lifecycle.ts';
import type * as knowledge from '../../events/catalog/knowledge.ts';

type IndexStatus = 'idle' | 'building';

/** The lifecycle of the index. There is one build at a time, and however it ends, the index is at rest again. */
export const INDEX_LIFECYCLE = new Lifecycle<IndexStatus, IndexEvent['type']>('reindex', 'idle', {
  idle: { ReindexStarted: 'building' },
  building: { IndexBuilt: 'idle', ReindexFailed: 'idle' },
});

export type IndexEventDraft = DraftOf<IndexEvent>;

export type IndexBuiltData = EventDraft<typeof knowledge.IndexBuilt>['data'];

/**
 * The state of the stream `knowledge-index`: the content hash of the index in service, and whether a build is running.
 */
interface IndexState {
  readonly status: IndexStatus;
  readonly index: string | null;
}

/** The numbers of changed files in the folder that caused a reindex. */
export type ChangedFiles = NonNullable<EventDraft<typeof knowledge.ReindexStarted>['data']['files']>;

export type IndexCommand =
  | { readonly type: 'start-reindex'; readonly request_id: string; readonly files?: ChangedFiles }
  | { readonly type: 'finish-reindex'; readonly built: IndexBuiltData }
  /** `faults`: number of faults found in the knowledge base. */
  | { readonly type: 'fail-reindex'; readonly error: unknown; readonly faults: number }
  /** Sent at the start by the only process that builds. It ends a reindex that a crash interrupted. */
  | { readonly type: 'abandon-reindex' };

export const initialState = (): IndexState => ({ status: 'idle', index: null });

/** Applies an event. */
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

/**
 * Decides on a command. An end without a start gives no events.
 *
 * @throws {BelegError} `REINDEX_RUNNING` for a second start.
 */
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
