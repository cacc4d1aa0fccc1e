import { assertEvent, assign, fromPromise, raise, setup, stateIn } from 'xstate';
import { isBelegError } from '../../events/errors.ts';
import { countChanges, type FolderChanges } from '../../kb/base/folder-changes.ts';
import { faultIn, notProvided, tell, type Fault } from '../machine-parts.ts';

type FolderWatchEvent =
  /** The file system says that files have changed. */
  | { readonly type: 'FILES_CHANGED' }
  | { readonly type: 'CLOSE' }
  /** Events between the regions of the machine. */
  | { readonly type: 'LOOK_BEGINS' }
  | { readonly type: 'FOLDER_FOUND' }
  | { readonly type: 'FOLDER_AWAY'; readonly error: unknown };

/** The differences between the folder's files and those of the index in service, and when the differences were seen. */
interface Looked {
  readonly changes: FolderChanges;
  readonly at: Date;
}

interface Context {
  /** Whether changes are taken in, or only reported. */
  readonly takes: boolean;
  /** The time since which files are known to be newer than the index in service. */
  readonly newerSince: Date | null;
  /** The changes that are still to be taken in. */
  readonly changes: FolderChanges | null;
  /** The changes that were tried last. They are not tried again until there are others. */
  readonly tried: string | null;
  /** Why the folder could not be read the last time; `null` if it could. */
  readonly away: Fault | null;
  /** Why changes that are still in the folder were not taken in; `null` if they were, or if that was not tried. */
  readonly notTaken: Fault | null;
}

const lookedIn = ({ event }: { readonly event: { readonly output: Looked } }): Looked => event.output;

/**
 * Notices when files in the folder of a base differ from those that the index in service was built from, and has the
 * changes taken in. While it watches, three regions run side by side: whether the file system has reported a change
 * (`told`), whether the folder can be read (`folder`), and what is being done (`index`). Network drives and some
 * containers do not report changes, so the folder is also read every minute.
 *
 * `look`, `take` (rejects if the files were not taken in), `end` (resolves when no change is being taken in any more)
 * and the actions that write to the log come by `provide`.
 */
export const folderWatchMachine = setup({
  types: {
    input: {} as { readonly takes: boolean },
    context: {} as Context,
    events: {} as FolderWatchEvent,
  },
  actors: {
    look: fromPromise<Looked>(notProvided),
    take: fromPromise<void, FolderChanges>(notProvided),
    end: fromPromise<unknown>(notProvided),
  },
  actions: {
    keepNewer: assign(({ context }, { at }: Looked) => ({ newerSince: context.newerSince ?? at })),
    forgetNewer: assign({ newerSince: null, notTaken: null }),
    keepAway: assign((_, away: Fault) => ({ away })),
    forgetAway: assign({ away: null }),
    keepNotTaken: assign((_, notTaken: Fault) => ({ notTaken })),
    keepChanges: assign((_, { changes }: Looked) => ({ changes, tried: changes.state })),
    forgetTried: assign({ tried: null }),
    noteLook: raise({ type: 'LOOK_BEGINS' }),
    noteFound: raise({ type: 'FOLDER_FOUND' }),
    noteAway: raise((_, { error }: Fault) => ({ type: 'FOLDER_AWAY' as const, error })),
    tellAway: tell,
    tellNotTaken: tell,
  },
  guards: {
    isUnchanged: (_, { changes }: Looked) => countChanges(changes) === 0,
    mayTake: ({ context: { takes, tried } }, { changes }: Looked) => takes && changes.state !== tried,
    /** A fault that passes by itself: another reindex is running, or the store is away. The next look tries again. */
    isPassing: (_, { error }: Fault) =>
      isBelegError(error, 'REINDEX_RUNNING', 'STORE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'),
  },
  delays: {
    /**
     * Milliseconds without a change before a look: programs write a file in several steps, and people often copy many
     * files at once.
     */
    quiet: 250,
    /** Milliseconds after which a folder that never comes to rest is read anyway. */
    longestWait: 5_000,
    lookAgain: 60_000,
  },
}).createMachine({
  id: 'folder-watch',
  context: ({ input: { takes } }) => ({
    takes,
    newerSince: null,
    changes: null,
    tried: null,
    away: null,
    notTaken: null,
  }),
  initial: 'watching',
  states: {
    watching: {
      type: 'parallel',
      on: { CLOSE: 'closing' },
      states: {
        told: {
          initial: 'nothing',
          on: { LOOK_BEGINS: '.nothing' },
          states: {
            nothing: { on: { FILES_CHANGED: 'changing' } },
            changing: {
              after: { longestWait: 'due' },
              initial: 'waiting',
              states: {
                waiting: {
                  after: { quiet: '#due' },
                  on: { FILES_CHANGED: { target: 'waiting', reenter: true } },
                },
              },
            },
            /** A look is due. It begins as soon as the machine has nothing else to do. */
            due: { id: 'due' },
          },
        },
        folder: {
          initial: 'there',
          states: {
            there: { on: { FOLDER_AWAY: 'away' } },
            /** The folder cannot be read. The index in service stays as it is. */
            away: {
              entry: {
                type: 'tellAway',
                params: ({ event }) => {
                  assertEvent(event, 'FOLDER_AWAY');
                  return event;
                },
              },
              on: { FOLDER_FOUND: 'there' },
            },
          },
        },
        index: {
          initial: 'looking',
          states: {
            looking: {
              entry: 'noteLook',
              invoke: {
                src: 'look',
                onDone: [
                  {
                    guard: { type: 'isUnchanged', params: lookedIn },
                    target: 'resting',
                    actions: ['noteFound', 'forgetAway', 'forgetNewer'],
                  },
                  {
                    guard: { type: 'mayTake', params: lookedIn },
                    target: 'taking',
                    actions: [
                      'noteFound',
                      'forgetAway',
                      { type: 'keepNewer', params: lookedIn },
                      { type: 'keepChanges', params: lookedIn },
                    ],
                  },
                  {
                    target: 'resting',
                    actions: ['noteFound', 'forgetAway', { type: 'keepNewer', params: lookedIn }],
                  },
                ],
                onError: {
                  target: 'resting',
                  actions: [
                    { type: 'keepAway', params: faultIn },
                    { type: 'noteAway', params: faultIn },
                  ],
                },
              },
            },
            /** The changes are taken in: the index is being rebuilt. */
            taking: {
              invoke: {
                src: 'take',
                input: ({ context }) => context.changes!,
                onDone: { target: 'resting', actions: 'forgetNewer' },
                onError: [
                  {
                    guard: { type: 'isPassing', params: faultIn },
                    target: 'resting',
                    actions: ['forgetTried', { type: 'tellNotTaken', params: faultIn }],
                  },
                  {
                    target: 'resting',
                    actions: [
                      { type: 'keepNotTaken', params: faultIn },
                      { type: 'tellNotTaken', params: faultIn },
                    ],
                  },
                ],
              },
            },
            resting: {
              always: { guard: stateIn('#due'), target: 'looking' },
              after: { lookAgain: 'looking' },
            },
          },
        },
      },
    },
    /** The watch closes once the changes that are being taken in are in service. */
    closing: { id: 'closing', invoke: { src: 'end', onDone: 'closed' } },
    closed: { type: 'final' },
  },
});
