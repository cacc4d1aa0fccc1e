import { parentPort, workerData } from 'node:worker_threads';
import { toFault } from './faults.ts';
import { checkIntegrity, type Told } from './integrity.ts';

parentPort!.postMessage(told());

function told(): Told {
  try {
    return { messages: checkIntegrity(workerData as string) };
  } catch (error) {
    return { fault: toFault((error as Error).cause) };
  }
}
