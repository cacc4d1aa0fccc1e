import type { Logger } from 'pino';
import { BelegError } from '../../../events/errors.ts';
import { startTrainer, type Exit, type TrainerSettings } from './trainer-process.ts';
import type {
  BenchmarkJob,
  BenchmarkResult,
  RunningTraining,
  TrainerPort,
  TrainingEnd,
  TrainingJob,
  TrainingListener,
} from './trainer-port.ts';

/** Milliseconds after which a process is killed that was told to stop or has sent its last message. */
const GRACE_MS = 5_000;
/** The time limit of a benchmark. It takes some 10 s; more on a slow machine with a large network. */
const BENCHMARK_LIMIT_MS = 90_000;

interface ForkedTrainerOptions extends TrainerSettings {
  readonly logger: Logger;
  /** How long to wait for the process to stop; tests set it. */
  readonly graceMs?: number;
}

/** Trains and measures in child processes, which end when this process does. */
export function forkedTrainer(options: ForkedTrainerOptions): TrainerPort {
  return {
    start: (job, listener) => startTraining(job, listener, options),
    benchmark: (job, signal) => measure(job, signal, options),
  };
}

function startTraining(
  job: TrainingJob,
  listener: TrainingListener,
  { logger, graceMs = GRACE_MS, ...settings }: ForkedTrainerOptions,
): RunningTraining {
  const log = logger.child({ run: job.run });
  let step = 0;
  let stopping = false;
  let lastWord: TrainingEnd | null = null;
  const broken = (detail: string, cause: unknown): void => {
    log.error({ err: cause }, 'the training process failed');
    lastWord ??= { outcome: 'failed', fault: 'INTERNAL', detail, step };
  };
  const process = startTrainer(
    (message) => {
      switch (message.kind) {
        case 'prepared': {
          step = message.preparation.step;
          const { fallback } = message.preparation.device;
          if (fallback !== null) {
            log.warn(
              { fallback, cause: message.cause },
              'training runs on a different device than configured',
            );
          }
          listener.prepared(message.preparation);
          break;
        }
        case 'progress':
          step = message.progress.step;
          listener.progress(message.progress);
          break;
        case 'epoch':
          step = message.result.step;
          listener.epoch(message.result);
          break;
        case 'ended':
          if (message.cause !== null) log.error({ cause: message.cause }, 'training failed');
          lastWord = message.end;
          process.killAfter(graceMs);
          break;
        case 'broken':
          broken('The training process could not start its work', new Error(message.cause));
          process.killAfter(graceMs);
          break;
        case 'measured':
          break;
      }
    },
    (error) => broken('The training process sent an invalid message', error),
    settings,
  );
  log.info({ trainer_pid: process.pid }, 'training process started');
  process.send({ kind: 'train', job });

  return {
    stop() {
      stopping = true;
      process.send({ kind: 'stop' });
      process.killAfter(graceMs);
    },
    ended: process.exited.then((exit): TrainingEnd => {
      if (exit.code !== 0) {
        const { code, signal, stderr, error: err } = exit;
        log.warn({ code, signal, stderr, err }, 'the training process did not stop normally');
      }
      if (lastWord !== null) return lastWord;
      if (stopping && exit.signal === 'SIGKILL') return { outcome: 'stopped', step, killed: true };
      return { outcome: 'failed', ...faultOfExit(exit), step };
    }),
  };
}

/** Describes the fault of a trainer process that ended without reporting a result. */
function faultOfExit(exit: Exit): { fault: 'OUT_OF_MEMORY' | 'PROCESS_EXITED'; detail: string } {
  const how = exit.error
    ? 'could not be started'
    : exit.signal === null
      ? `exited with code ${exit.code}`
      : `was stopped by ${exit.signal}`;
  return exit.outOfMemory
    ? { fault: 'OUT_OF_MEMORY', detail: `The training process ran out of memory: it ${how}` }
    : { fault: 'PROCESS_EXITED', detail: `The training process ${how}` };
}

async function measure(
  job: BenchmarkJob,
  signal: AbortSignal,
  { logger, graceMs = GRACE_MS, ...settings }: ForkedTrainerOptions,
): Promise<BenchmarkResult> {
  signal.throwIfAborted();
  const heard: { result?: BenchmarkResult; cause?: unknown } = {};
  const process = startTrainer(
    (message) => {
      if (message.kind === 'measured') heard.result = message.result;
      else if (message.kind === 'broken') heard.cause = message.cause;
      else return;
      process.killAfter(graceMs);
    },
    (error) => {
      heard.cause = error;
    },
    settings,
  );
  process.send({ kind: 'benchmark', job });
  process.killAfter(BENCHMARK_LIMIT_MS);
  const giveUp = (): void => process.killAfter(0);
  signal.addEventListener('abort', giveUp);
  const exit = await process.exited;
  signal.removeEventListener('abort', giveUp);
  if (heard.result !== undefined) {
    const { fallback } = heard.result.device;
    if (fallback !== null)
      logger.warn({ fallback }, 'the benchmark ran on a different device than configured');
    return heard.result;
  }
  signal.throwIfAborted();
  const cause = new Error(`${faultOfExit(exit).detail}\n${exit.stderr}`, {
    cause: heard.cause ?? exit.error,
  });
  throw new BelegError('INTERNAL', { cause });
}
