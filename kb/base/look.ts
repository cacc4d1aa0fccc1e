import { Worker } from 'node:worker_threads';

import { inShortTurns } from '../steps.ts';
import { withDifferences } from './differing.ts';
import { unpacking } from './packed-listing.ts';
import type { DifferingWalk, ToWalk, WalkReply, WalkRequest } from './walk-worker.ts';
import type { Found, Walk } from './walk.ts';

/** The running thread that lists and watches folders; it does not keep the process alive. */
let thread: { readonly worker: Worker; readonly waiting: Map<number, Waiting> } | undefined;
let requests = 0;
/** The folders that are watched. */
const watches = new Map<string, FolderListener>();
/** The last listing of each watched folder. The thread sends only how the next listing differs from it. */
const last = new Map<string, { readonly id: number; readonly walk: () => Promise<Walk> }>();

/** A whole listing, or how it differs from the one before. */
type Answer = Extract<WalkReply, { readonly kind: 'walked' | 'differs' }>;

/** A request, with its number. */
interface Asked {
  readonly id: number;
  readonly answer: Promise<Answer>;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

interface FolderListener {
  /** Called when the system reports a change in the folder. */
  readonly onChange: () => void;
  /** Called when the system cannot report changes of this folder, or stops reporting them. */
  readonly onFault: (error: unknown) => void;
}

interface WalkOptions {
  /** Whether all of a watched folder is read again, and not only the parts in which the system has reported changes. */
  readonly all?: boolean;
}

/**
 * Lists a folder in a thread of its own, so that a slow drive delays nobody.
 *
 * @throws the file system's error where the folder itself cannot be read
 */
export function walkInThread(folder: string, { all = false }: WalkOptions = {}): Promise<Walk> {
  const before = last.get(folder);
  const { id, answer } = ask({ folder, all, since: before?.id ?? null, snapshot: null });
  const walk = answer.then((told) => wholeOf(told, async () => (await before!.walk()).found));
  if (watches.has(folder)) last.set(folder, { id, walk: always(walk) });
  return forgottenIfFailed(walk, folder, id);
}

/**
 * This function is outside of its callers on purpose: a function that is made inside of them would keep their
 * variables, and with these the listing before, and so on back to the first one.
 */
const always =
  <T>(value: T) =>
  (): T =>
    value;

/** Forgets a listing that failed, so that no later listing is sent as differences from it. */
function forgottenIfFailed(walk: Promise<Walk>, folder: string, id: number): Promise<Walk> {
  walk.catch(() => {
    if (last.get(folder)?.id === id) last.delete(folder);
  });
  return walk;
}

/**
 * The first listing of a folder. If a snapshot has nearly the same files, only the differences are sent by the thread.
 */
export interface FirstListing {
  /**
   * How the folder differs from the snapshot; `null` if there are too many differences, or if no snapshot could be
   * read.
   *
   * @throws as `walkInThread`
   */
  readonly differing: Promise<DifferingWalk | null>;
  /**
   * The whole listing, which is only made when somebody needs it.
   *
   * @param files the files of the snapshot, sorted by path; `null` if they are not at hand
   */
  readonly whole: (files: (() => Promise<readonly Found[]>) | null) => () => Promise<Walk>;
}

/**
 * Lists a folder as `walkInThread` does, and compares it in the thread with the files of the snapshot at this path.
 * Otherwise the caller would have to make two objects for each of a million files.
 *
 * @param isWatched whether the folder is watched from now on, so that a watch that begins later need not list it again
 */
export function listAtStart(folder: string, snapshot: string | null, isWatched = false): FirstListing {
  if (isWatched) tell({ kind: 'watch', folder });
  const { id, answer } = ask({ folder, all: false, since: null, snapshot });
  const differing = answer.then((told) => (told.kind === 'differs' ? told.differing : null));
  // An error is reported to those who await `differing` later.
  differing.catch(() => undefined);
  return {
    differing,
    whole: (files) => {
      let walk: Promise<Walk> | undefined;
      const whole = async (): Promise<Walk> => {
        const told = await answer;
        return told.kind === 'differs' && files === null ? walkInThread(folder) : wholeOf(told, files!);
      };
      const once = (): Promise<Walk> => (walk ??= forgottenIfFailed(whole(), folder, id));
      if (files === null) last.delete(folder);
      else if (isWatched) last.set(folder, { id, walk: once });
      return once;
    },
  };
}

/** Watches a folder from its next listing on. Returns a function that ends this. */
export function watchInThread(folder: string, listener: FolderListener): () => void {
  watches.set(folder, listener);
  tell({ kind: 'watch', folder });
  return () => {
    if (watches.get(folder) !== listener) return;
    watches.delete(folder);
    last.delete(folder);
    thread?.worker.postMessage({ kind: 'leave', folder } satisfies WalkRequest);
  };
}

function ask(request: Omit<ToWalk, 'kind' | 'id'>): Asked {
  const id = requests++;
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
  const { worker, waiting } = (thread ??= startThread());
  waiting.set(id, { resolve, reject });
  worker.ref();
  tell({ kind: 'walk', id, ...request });
  return { id, answer };
}

const tell = (request: WalkRequest): void => (thread ??= startThread()).worker.postMessage(request);

/**
 * Makes a whole listing of an answer.
 * @param filesBefore the files of the listing from which the answer has the differences
 */
async function wholeOf(answer: Answer, filesBefore: () => Promise<readonly Found[]>): Promise<Walk> {
  if (answer.kind === 'walked') {
    const { groups, ...rest } = answer.packed;
    return { ...rest, found: await inShortTurns(unpacking(groups)) };
  }
  const { gone, come, snapshot: _, ...rest } = answer.differing;
  return { ...rest, found: withDifferences(await filesBefore(), { gone, come }) };
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
      case 'differs':
        return answered(reply.id).resolve(reply);
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
    last.clear();
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

/**
 * Lists the files of a folder without reading them.
 * @throws the file system's error where the folder itself cannot be read
 */
export const lookAt: (folder: string) => Promise<FolderLook> = (folder) => walkInThread(folder);
