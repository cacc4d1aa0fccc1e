import { Worker } from 'node:worker_threads';

import type { WalkReply, WalkRequest } from './walk-worker.ts';
import type { Walk } from './walk.ts';

/** The running thread that lists folders; it does not keep the process alive. */
let thread: { readonly worker: Worker; readonly waiting: Map<number, Waiting> } | undefined;
let requests = 0;

interface Waiting {
  readonly resolve: (walk: Walk) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Lists a folder in a thread of its own, so that a slow drive delays nobody.
 *
 * @throws the file system's error where the folder itself cannot be read
 */
export function walkInThread(folder: string): Promise<Walk> {
  const { worker, waiting } = (thread ??= startThread());
  const request: WalkRequest = { id: requests++, folder };
  const { promise, resolve, reject } = Promise.withResolvers<Walk>();
  waiting.set(request.id, { resolve, reject });
  worker.ref();
  worker.postMessage(request);
  return promise;
}

function startThread(): NonNullable<typeof thread> {
  const worker = new Worker(new URL('walk-worker.ts', import.meta.url));
  const waiting = new Map<number, Waiting>();
  worker.on('message', (reply: WalkReply) => {
    const { resolve, reject } = waiting.get(reply.id)!;
    waiting.delete(reply.id);
    if (waiting.size === 0) worker.unref();
    if ('walk' in reply) resolve(reply.walk);
    else reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
  });
  const end = (error: Error): void => {
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('error', end);
  worker.on('exit', (code) => end(new Error(`the thread that looks at folders stopped with code ${code}`)));
  return { worker, waiting };
}

/** The files of a base with size and time, to notice a change without reading. */
export type FolderLook = ReadonlyMap<string, string>;

export const lookOf = ({ found, unread }: Walk): FolderLook =>
  new Map([
    ...found.map(({ path, sign }) => [path, sign] as const),
    ...unread.map(({ file }) => [file, ''] as const),
  ]);

/** @throws the file system's error where the folder itself cannot be read */
export const lookAt = async (folder: string): Promise<FolderLook> => lookOf(await walkInThread(folder));
