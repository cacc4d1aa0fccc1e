import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';

import { inShortTurns, TO_NUMBER, type Steps } from '../steps.ts';
import type { PackedWalk, WalkReply, WalkRequest } from './walk-worker.ts';
import type { Found, Walk } from './walk.ts';

/** The running thread that lists and watches folders; it does not keep the process alive. */
let thread: { readonly worker: Worker; readonly waiting: Map<number, Waiting> } | undefined;
let requests = 0;
/** The folders that are watched. */
const watches = new Map<string, FolderListener>();

interface Waiting {
  readonly resolve: (packed: PackedWalk) => void;
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
export async function walkInThread(folder: string, { all = false }: WalkOptions = {}): Promise<Walk> {
  const { worker, waiting } = (thread ??= startThread());
  const id = requests++;
  const { promise, resolve, reject } = Promise.withResolvers<PackedWalk>();
  waiting.set(id, { resolve, reject });
  worker.ref();
  worker.postMessage({ kind: 'walk', id, folder, all } satisfies WalkRequest);
  return inShortTurns(unpacking(await promise));
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
  const answered = (id: number): Waiting => {
    const one = waiting.get(id)!;
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return one;
  };
  worker.on('message', (reply: WalkReply) => {
    switch (reply.kind) {
      case 'walked':
        return answered(reply.id).resolve(reply.packed);
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

/** The cost of reading a group of files, measured in compared words. */
const A_GROUP = 4_000;

function* unpacking({ groups, ...rest }: PackedWalk): Steps<Walk> {
  const found: Found[] = [];
  for (const group of groups) {
    found.push(...(deserialize(group) as Found[]));
    yield A_GROUP;
  }
  return { ...rest, found };
}

/** The files of a base with size and time, to notice a change without reading. */
export type FolderLook = ReadonlyMap<string, string>;

/** The files that are noted in one step. */
const FILES_A_STEP = 100;

export function* looking({ found, unread }: Walk): Steps<FolderLook> {
  const look = new Map<string, string>();
  for (const [number, { path, sign }] of found.entries()) {
    look.set(path, sign);
    if (number % FILES_A_STEP === 0) yield TO_NUMBER * FILES_A_STEP;
  }
  for (const { file } of unread) look.set(file, '');
  return look;
}

/** @throws the file system's error where the folder itself cannot be read */
export const lookAt = async (folder: string): Promise<FolderLook> =>
  inShortTurns(looking(await walkInThread(folder)));
