import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';

import { inShortTurns, TO_NUMBER, type Steps } from '../steps.ts';
import type { PackedWalk, WalkReply, WalkRequest } from './walk-worker.ts';
import type { Found, Walk } from './walk.ts';

/** The running thread that lists folders; it does not keep the process alive. */
let thread: { readonly worker: Worker; readonly waiting: Map<number, Waiting> } | undefined;
let requests = 0;

interface Waiting {
  readonly resolve: (packed: PackedWalk) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Lists a folder in a thread of its own, so that a slow drive delays nobody.
 *
 * @throws the file system's error where the folder itself cannot be read
 */
export async function walkInThread(folder: string): Promise<Walk> {
  const { worker, waiting } = (thread ??= startThread());
  const request: WalkRequest = { id: requests++, folder };
  const { promise, resolve, reject } = Promise.withResolvers<PackedWalk>();
  waiting.set(request.id, { resolve, reject });
  worker.ref();
  worker.postMessage(request);
  return inShortTurns(unpacking(await promise));
}

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

function startThread(): NonNullable<typeof thread> {
  const worker = new Worker(new URL('walk-worker.ts', import.meta.url));
  const waiting = new Map<number, Waiting>();
  worker.on('message', (reply: WalkReply) => {
    const { resolve, reject } = waiting.get(reply.id)!;
    waiting.delete(reply.id);
    if (waiting.size === 0) worker.unref();
    if ('packed' in reply) resolve(reply.packed);
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
