import { SafetensorsError } from '../weights/safetensors.ts';
import { complainsOfMemory } from './out-of-memory.ts';
import { TrainingFailure, type TrainingFault } from './trainer-port.ts';

/** The public form of an error that ended a run, without paths or the text of an exception. */
export function faultOf(error: unknown): { fault: TrainingFault; detail: string } {
  if (error instanceof TrainingFailure) return { fault: error.fault, detail: error.message };
  if (!(error instanceof Error)) return { fault: 'INTERNAL', detail: 'The training process failed' };
  if (complainsOfMemory(error.message)) {
    return { fault: 'OUT_OF_MEMORY', detail: 'There is not enough memory for the network and its batches' };
  }
  if (error instanceof SafetensorsError) {
    return { fault: 'DISK_FAILED', detail: `The bars of the training cannot be read: ${error.message}` };
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && syscall !== undefined) {
    return { fault: 'DISK_FAILED', detail: `The folder of the training cannot be read or written (${code})` };
  }
  return { fault: 'INTERNAL', detail: 'The training process failed' };
}
