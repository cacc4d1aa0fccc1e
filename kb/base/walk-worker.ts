import { serialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';

import { walk, type Walk } from './walk.ts';

/** A folder to list, with the id for the reply. */
export interface WalkRequest {
  readonly id: number;
  readonly folder: string;
}

/** A listing whose files are serialized in groups, so that the receiver can read them one group after the other. */
export interface PackedWalk extends Omit<Walk, 'found'> {
  readonly groups: readonly Uint8Array[];
}

export type WalkReply =
  | { readonly id: number; readonly packed: PackedWalk }
  | { readonly id: number; readonly error: { readonly code: string | undefined; readonly message: string } };

const port = parentPort;
if (port === null) throw new Error('kb/base/walk-worker.ts runs in a worker thread only');
port.on('message', ({ id, folder }: WalkRequest) => port.postMessage(replyTo(id, folder)));

/** The files of a group, which are read in some tenths of a millisecond. */
const GROUP = 200;

function replyTo(id: number, folder: string): WalkReply {
  try {
    const { found, ...rest } = walk(folder);
    const groups: Uint8Array[] = [];
    for (let from = 0; from < found.length; from += GROUP)
      groups.push(serialize(found.slice(from, from + GROUP)));
    return { id, packed: { ...rest, groups } };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { id, error: { code, message } };
  }
}
