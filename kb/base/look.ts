import { Worker } from 'node:worker_threads';

import { inShortTurns } from '../steps.ts';
import { withDifferences } from './differing.ts';
import { unpacking } from './packed-listing.ts';
import type { WalkReply, WalkRequest } from './walk-worker.ts';
import type { Walk } from './walk.ts';

/** The running thread that lists and watches folders; it does not keep the process alive. */
let thread: { readonly worker: Worker; readonly waiting: Map<number, Waiting> } | undefined;
let requests = 0;
/** The folders that are watched. */
const watches = new Map<string, FolderListener>();

interface Waiting {
  readonly folder: string;
  readonly resolve: (walk: Promise<Walk>) => void;
  readonly reject: (error: Error) => void;
}

interface FolderListener {
  /** The system says that something has changed. */
  readonly onChange: () => void;
  /** The system tells nothing of this folder, or no longer. */
  readonly onFault: (error: unknown) => void;
}

interface WalkOptions {
  /** Whether a folder that is watched is read as a whole, and not only where the system has told of changes. */
  readonly all?: boolean;
}

/**
 * Lists a folder in a thread of its own, so that a slow drive delays nobody.
 *
 * @throws the file system's error where the folder itself cannot be read
 */
export function walkInThread(folder: string, { all = false }: WalkOptions = {}): Promise<Walk> {
  const { worker, waiting } = (thread ??= startThread());
  const id = requests++;
  const { promise, resolve, reject } = Promise.withResolvers<Walk>();
  waiting.set(id, { folder, resolve, reject });
  worker.ref();
  worker.postMessage({ kind: 'walk', id, folder, all } satisfies WalkRequest);
  return promise;
}

/** Watches a folder from its next listing on. Returns a function that ends this. */
export function watchInThread(folder: string, listener: FolderListener): () => void {
  watches.set(folder, listener);
  thread ??= startThread();
  thread.worker.postMessage({ kind: 'watch', folder } satisfies WalkRequest);
  return () => {
    if (watches.get(folder) !== listener) return;
    watches.delete(folder);
    thread?.worker.postMessage({ kind: 'leave', folder } satisfies WalkRequest);
  };
}

function startThread(): NonNullable<typeof thread> {
  const worker = new Worker(new URL('walk-worker.ts', import.meta.url));
  const waiting = new Map<number, Waiting>();
  /** The last listing of each watched folder, from which the next one is told. */
  const last = new Map<string, Promise<Walk>>();
  const answered = (id: number): Waiting => {
    const one = waiting.get(id)!;
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return one;
  };
  worker.on('message', (reply: WalkReply) => {
    switch (reply.kind) {
      case 'walked': {
        const { folder, resolve } = answered(reply.id);
        const { groups, ...rest } = reply.packed;
        const walk = inShortTurns(unpacking(groups)).then((found) => ({ ...rest, found }));
        if (watches.has(folder)) last.set(folder, walk);
        return resolve(walk);
      }
      case 'differs': {
        const { folder, resolve } = answered(reply.id);
        const { gone, come, ...rest } = reply.differing;
        const walk = last
          .get(folder)!
          .then(({ found }) => ({ ...rest, found: withDifferences(found, { gone, come }) }));
        last.set(folder, walk);
        return resolve(walk);
      }
      case 'failed':
        return answered(reply.id).reject(errorOf(reply.error));
      case 'changed':
        return watches.get(reply.folder)?.onChange();
      case 'unwatched':
        return watches.get(reply.folder)?.onFault(errorOf(reply.error));
    }
  });
  const end = (error: Error): void => {
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    for (const { onFault } of watches.values()) onFault(error);
    watches.clear();
  };
  worker.on('error', end);
  worker.on('exit', (code) => end(new Error(`the thread that looks at folders stopped with code ${code}`)));
  worker.unref();
  return { worker, waiting };
}

const errorOf = ({ code, message }: { readonly code: string | undefined; readonly message: string }): Error =>
  Object.assign(new Error(message), { code });

/** The files of a base with size and time, to notice a change without reading. */
export type FolderLook = Pick<Walk, 'found' | 'unread'>;

/** @throws the file system's error where the folder itself cannot be read */
export const lookAt: (folder: string) => Promise<FolderLook> = (folder) => walkInThread(folder);
