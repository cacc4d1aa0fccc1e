import { parentPort } from 'node:worker_threads';

import { walk, type Found, type Walk } from './walk.ts';
import { differencesOf, type Differences } from './differing.ts';
import { packed } from './packed-listing.ts';
import { listedInSnapshot, type ListedSnapshot } from '../snapshot/listed-files.ts';
import { WatchedFolder } from './watched-folder.ts';

/** A folder to list, with the id for the reply. */
export interface ToWalk {
  readonly kind: 'walk';
  readonly id: number;
  readonly folder: string;
  /** Whether each folder is read again, even if the system has reported no change in it. */
  readonly all: boolean;
  /**
   * The id of the last listing of a watched folder that the receiver has. If it is still known here, only the
   * differences are sent.
   */
  readonly since: number | null;
  /** The path of a snapshot with nearly the same files. If it can be read, only the differences from it are sent. */
  readonly snapshot: string | null;
}

export type WalkRequest = ToWalk | { readonly kind: 'watch' | 'leave'; readonly folder: string };

/** A listing with its files packed. */
interface PackedWalk extends Omit<Walk, 'found'> {
  readonly groups: readonly Uint8Array[];
}

/** How a listing differs from the one before, or from the files of a snapshot. */
export interface DifferingWalk extends Omit<Walk, 'found'>, Differences {
  /** The first line of the snapshot from which the listing differs. */
  readonly snapshot?: string;
}

interface PlainError {
  readonly code: string | undefined;
  readonly message: string;
}

export type WalkReply =
  | { readonly kind: 'walked'; readonly id: number; readonly packed: PackedWalk }
  | { readonly kind: 'differs'; readonly id: number; readonly differing: DifferingWalk }
  | { readonly kind: 'failed'; readonly id: number; readonly error: PlainError }
  | { readonly kind: 'changed'; readonly folder: string }
  /** The system does not report changes of this folder any more. */
  | { readonly kind: 'unwatched'; readonly folder: string; readonly error: PlainError };

/**
 * The milliseconds from a change to the message about it. All changes in this time make one message, because programs
 * may write many files.
 */
const TELL_MS = 20;

const port = parentPort;
if (port === null) throw new Error('kb/base/walk-worker.ts runs in a worker thread only');
const say = (reply: WalkReply): void => port.postMessage(reply);
const watched = new Map<string, WatchedFolder>();
/** The last listing of each watched folder that was sent. */
const sent = new Map<string, { readonly id: number; readonly found: readonly Found[] }>();

port.on('message', (request: WalkRequest) => {
  switch (request.kind) {
    case 'walk':
      // The request waits for two turns of the event loop. In between, changes are handled that the system reported
      // before the request.
      setImmediate(() => setImmediate(() => void answer(request)));
      break;
    case 'watch':
      // A folder whose watch has failed is watched again, so that a further failure is reported too.
      if (watched.get(request.folder)?.hasFault !== false) {
        watched.set(request.folder, watchedFolder(request.folder));
        sent.delete(request.folder);
      }
      break;
    case 'leave':
      watched.get(request.folder)?.close();
      watched.delete(request.folder);
      sent.delete(request.folder);
      break;
  }
});

function watchedFolder(folder: string): WatchedFolder {
  let telling: NodeJS.Timeout | undefined;
  const tell = (): void => {
    telling = undefined;
    say({ kind: 'changed', folder });
  };
  return new WatchedFolder({
    folder,
    onChange: () => (telling ??= setTimeout(tell, TELL_MS)),
    onFault: (error) => say({ kind: 'unwatched', folder, error: plain(error) }),
  });
}

async function answer(request: ToWalk): Promise<void> {
  // A snapshot that cannot be read is no fault here: whoever opens the snapshot reports it.
  const stored =
    request.snapshot === null ? undefined : await listedInSnapshot(request.snapshot).catch(() => undefined);
  say(replyTo(request, stored));
}

function replyTo({ id, folder, all, since }: ToWalk, stored: ListedSnapshot | undefined): WalkReply {
  try {
    const { found, ...rest } = watched.get(folder)?.walk(all) ?? walk(folder);
    const last = sent.get(folder);
    const before = stored?.files ?? (last?.id === since ? last?.found : undefined);
    if (watched.has(folder)) sent.set(folder, { id, found });
    const differences = before === undefined ? null : differencesOf(before, found);
    if (differences === null) return { kind: 'walked', id, packed: { ...rest, groups: packed(found) } };
    const of = stored === undefined ? {} : { snapshot: stored.snapshot };
    return { kind: 'differs', id, differing: { ...rest, ...differences, ...of } };
  } catch (error) {
    return { kind: 'failed', id, error: plain(error) };
  }
}

function plain(error: unknown): PlainError {
  const { code, message } = error as NodeJS.ErrnoException;
  return { code, message };
}
