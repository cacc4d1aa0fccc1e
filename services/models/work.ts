import type { Logger } from 'pino';
import type { RunCommand } from '../../actors/training/run.ts';
import { isBelegError } from '../../events/errors.ts';
import type { RunningTraining, TrainingEnd } from './training/training.ts';

interface WorkOptions {
  /** Puts the data where the trainer finds it. Rejects with the signal's reason when that aborts. */
  readonly gather: (signal: AbortSignal) => Promise<void>;
  readonly start: () => RunningTraining;
  /** Steps that an earlier process has done. */
  readonly step: number;
  /** Whether the trainer has told where it begins: until then it is where the earlier one was. */
  readonly isPrepared: () => boolean;
  readonly logger: Logger;
}

/**
 * The work of a run: its data, then its trainer, which stops when the signal aborts. Resolves with how it ended; never
 * rejects.
 */
export async function work(
  { gather, start, step, isPrepared, logger }: WorkOptions,
  signal: AbortSignal,
): Promise<RunCommand> {
  try {
    await gather(signal);
    if (signal.aborted) return { type: 'EndTraining', step };
    const running = start();
    signal.addEventListener('abort', () => running.stop(), { once: true });
    const end = await running.ended;
    return endOf(end, isPrepared() ? end.step : Math.max(step, end.step));
  } catch (error) {
    if (signal.aborted) return { type: 'EndTraining', step };
    logger.error({ err: error }, 'a training could not start');
    return { type: 'FailTraining', failed: { ...faultOf(error), step } };
  }
}

function endOf(end: TrainingEnd, step: number): RunCommand {
  switch (end.outcome) {
    case 'trained': {
      const { weights, best_epoch, scores } = end;
      return { type: 'FinishTraining', finished: { weights, best_epoch, step, scores } };
    }
    case 'stopped':
      return { type: 'EndTraining', step };
    case 'failed': {
      const { fault, detail } = end;
      // A process that is gone says nothing against going on from where it was.
      if (fault === 'PROCESS_EXITED') return { type: 'AbandonTraining', detail, step };
      return { type: 'FailTraining', failed: { fault, detail, step } };
    }
  }
}

/** For whoever looks at the run: no exception text. */
function faultOf(error: unknown): { fault: string; detail: string } {
  if (isBelegError(error)) return { fault: error.code, detail: error.message };
  if (error instanceof Error && 'code' in error && 'syscall' in error) {
    return { fault: 'DISK_FAILED', detail: 'The bars could not be written' };
  }
  return { fault: 'INTERNAL', detail: 'The bars could not be collected' };
}
