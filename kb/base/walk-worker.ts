import { parentPort } from 'node:worker_threads';

import { walk, type Found, type Walk } from './walk.ts';
import { differencesOf, type Differences } from './differing.ts';
import { packed } from './packed-listing.ts';
import { WatchedFolder } from './watched-folder.ts';

/** `walk`: a folder to list, with the id for the reply; `all`: each folder in it is read, whatever the system has told of changes. */
export type WalkRequest =
  | { readonly kind: 'walk'; readonly id: number; readonly folder: string; readonly all: boolean }
  | { readonly kind: 'watch' | 'leave'; readonly folder: string };

/** A listing with its files packed. */
interface PackedWalk extends Omit<Walk, 'found'> {
  readonly groups: readonly Uint8Array[];
}

/** What a listing of a watched folder has other than the one before. */
interface DifferingWalk extends Omit<Walk, 'found'>, Differences {}

interface PlainError {
  readonly code: string | undefined;
  readonly message: string;
}

export type WalkReply =
  | { readonly kind: 'walked'; readonly id: number; readonly packed: PackedWalk }
  | { readonly kind: 'differs'; readonly id: number; readonly differing: DifferingWalk }
  | { readonly kind: 'failed'; readonly id: number; readonly error: PlainError }
  | { readonly kind: 'changed'; readonly folder: string }
  /** The system tells nothing of this folder any more. */
  | { readonly kind: 'unwatched'; readonly folder: string; readonly error: PlainError };

/** A program that writes many files is told of this often, in milliseconds. */
const TELL_MS = 20;

const port = parentPort;
if (port === null) throw new Error('kb/base/walk-worker.ts runs in a worker thread only');
const say = (reply: WalkReply): void => port.postMessage(reply);
const watched = new Map<string, WatchedFolder>();
/** The last listing of each watched folder that was sent. */
const sent = new Map<string, readonly Found[]>();

port.on('message', (request: WalkRequest) => {
  switch (request.kind) {
    case 'walk':
      // Changes that the system reported before the request are handled in the turn between.
      setImmediate(() => setImmediate(() => say(replyTo(request))));
      break;
    case 'watch':
      watched.set(request.folder, watchedFolder(request.folder));
      sent.delete(request.folder);
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

function replyTo({ id, folder, all }: WalkRequest & { readonly kind: 'walk' }): WalkReply {
  try {
    const { found, ...rest } = watched.get(folder)?.walk(all) ?? walk(folder);
    const before = sent.get(folder);
    if (watched.has(folder)) sent.set(folder, found);
    const differences = before === undefined ? null : differencesOf(before, found);
    if (differences !== null) return { kind: 'differs', id, differing: { ...rest, ...differences } };
    return { kind: 'walked', id, packed: { ...rest, groups: packed(found) } };
  } catch (error) {
    return { kind: 'failed', id, error: plain(error) };
  }
}

function plain(error: unknown): PlainError {
  const { code, message } = error as NodeJS.ErrnoException;
  return { code, message };
}
