import type { Logger } from 'pino';
import { createActor, fromPromise, waitFor } from 'xstate';
import { folderWatchMachine } from '../../actors/folder-watch/machine.ts';
import { KnowledgeBaseInvalid } from '../../kb/base/faults.ts';
import type { FolderChanges } from '../../kb/base/folder-changes.ts';
import { watchInThread } from '../../kb/base/look.ts';
import { OWN_FILES } from '../../kb/base/walk.ts';
import type { ActorHost } from '../foundation/actor-host.ts';
import type { Knowledge } from './index-in-use.ts';

interface FolderWatchOptions {
  readonly knowledge: Pick<Knowledge, 'folder' | 'changes'>;
  /** Rebuilds the index, and rejects if that fails; `null` if changes are only reported. */
  readonly take: ((changes: FolderChanges) => Promise<void>) | null;
  readonly logger: Logger;
  readonly actors: ActorHost;
  readonly now: () => Date;
}

/** Watches the folder of a base: runs the machine with its effects. */
export function watchFolder({ knowledge, take, logger, actors, now }: FolderWatchOptions) {
  /**
   * The rebuild that runs, also one for which the closing machine no longer waits. It still runs to its end. A look
   * changes nothing, so nobody waits for it.
   */
  let underWay: Promise<unknown> = Promise.resolve();

  const machine = folderWatchMachine.provide({
    actors: {
      look: fromPromise(async () => ({ changes: await knowledge.changes(), at: now() })),
      ...(take && {
        take: fromPromise<void, FolderChanges>(({ input }) => {
          const taking = take(input);
          underWay = Promise.allSettled([taking]);
          return taking;
        }),
      }),
      end: fromPromise<unknown>(() => underWay),
    },
    actions: {
      tellAway: (_, { error }) =>
        logger.warn({ err: error }, 'the folder of the knowledge base cannot be looked at'),
      tellNotTaken: (_, { error }) =>
        logger.warn(
          { err: error },
          'changed files of the knowledge base were not taken in; the index in use stays',
        ),
    },
  });
  const actor = actors.host(createActor(machine, { input: { takes: take !== null }, clock: actors.clock }), {
    kind: 'folder-watch',
    id: 'knowledge-base',
  });
  const leave = watchInThread(knowledge.folder, {
    onChange: () => actor.send({ type: 'FILES_CHANGED' }),
    // The folder is still looked at every minute.
    onFault: (error) =>
      logger.info(
        { err: error },
        'changes of the knowledge base are looked for every minute: the system does not tell of them',
      ),
  });
  actor.start();

  return {
    /** Since when files are known to be newer than the index in service; `null` if none is. */
    newerSince: (): Date | null => actor.getSnapshot().context.newerSince,
    /** Why the index in service cannot follow the folder, in words that everybody may read; `null` where it can. */
    trouble(): string | null {
      const { away, notTaken } = actor.getSnapshot().context;
      if (away !== null) return `the folder cannot be looked at (${codeOf(away.error)})`;
      return notTaken === null ? null : whyNotTaken(notTaken.error);
    },
    /**
     * Closes after the rebuild that the watch has caused. A check of a large folder or a slow drive may take minutes,
     * so it is not waited for.
     */
    async close(): Promise<void> {
      leave();
      if (actor.getSnapshot().matches('watching')) actor.send({ type: 'CLOSE' });
      await waitFor(actor, (snapshot) => snapshot.matches('closed'));
    },
  };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';

const NOTHING_LEFT =
  'the folder has no document that can be read: is its drive mounted? The index from before answers meanwhile';

/**
 * Names the base's own file that is broken, with its line, or says that the folder has nothing left. Other file names and what is
 * wrong stand in the log alone.
 */
function whyNotTaken(error: unknown): string {
  const invalid = error instanceof Error ? error.cause : undefined;
  const faults = invalid instanceof KnowledgeBaseInvalid ? invalid.faults : [];
  const own = faults.find(({ file }) => OWN_FILES.includes(file));
  if (own !== undefined)
    return own.line === 0 ? `${own.file} is broken` : `${own.file} is broken in line ${own.line}`;
  // Without a fault of its own files, a base is only refused where no other file can be read, or the folder itself.
  if (invalid instanceof KnowledgeBaseInvalid) return NOTHING_LEFT;
  return `changed files were not taken in (${codeOf(error)})`;
}

export type FolderWatch = ReturnType<typeof watchFolder>;
