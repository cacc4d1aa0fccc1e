// Copies rebuilt tables into the file that is read. It is a thread, so that the event loop goes on meanwhile.
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

// There is no parent port if it is called in the thread of its caller.
parentPort?.postMessage(swap(workerData as SwapData));
