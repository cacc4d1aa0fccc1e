// Copies rebuilt tables into the file that readers use. It runs in a thread, so that the event loop is not blocked.
import { parentPort, workerData } from 'node:worker_threads';
import { toFault, type Fault } from '../sqlite/faults.ts';
import type { Projection } from './projection.ts';
import { ProjectionTables } from './tables.ts';

export interface SwapData {
  file: string;
  beside: string;
  projection: Pick<Projection, 'name' | 'version' | 'tables'>;
}

export type SwapReply = { fault?: Fault };

export function swap({ file, beside, projection }: SwapData): SwapReply {
  try {
    const tables = new ProjectionTables(file, projection);
    try {
      tables.replaceFrom(beside);
    } finally {
      tables.close();
    }
    return {};
  } catch (error) {
    return { fault: toFault(error) };
  }
}

// There is no parent port if the caller runs this in its own thread.
parentPort?.postMessage(swap(workerData as SwapData));
