import { parentPort } from 'node:worker_threads';

import { walk, type Walk } from './walk.ts';

/** A folder to list, with the id for the reply. */
export interface WalkRequest {
  readonly id: number;
  readonly folder: string;
}

export type WalkReply =
  | { readonly id: number; readonly walk: Walk }
  | { readonly id: number; readonly error: { readonly code: string | undefined; readonly message: string } };

const port = parentPort;
if (port === null) throw new Error('kb/base/walk-worker.ts runs in a worker thread only');
port.on('message', ({ id, folder }: WalkRequest) => port.postMessage(replyTo(id, folder)));

function replyTo(id: number, folder: string): WalkReply {
  try {
    return { id, walk: walk(folder) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { id, error: { code, message } };
  }
}
