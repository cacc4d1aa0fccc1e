import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { createActor, fromCallback, fromPromise, waitFor } from 'xstate';
import { startedAt } from '../../actors/lifecycle.ts';
import { trainingMachine, type StopWork, type TrainingMachineEvent } from '../../actors/training/machine.ts';
import type { TRAINING } from '../../actors/streams/models.ts';
import type { RunCommand, RunState } from '../../actors/training/training-run.ts';
import { isBelegError } from '../../events/errors.ts';
import { deterministicId } from '../../events/json.ts';
import type { CallContext } from '../../events/messages/define.ts';
import type { ActorHost } from '../foundation/actor-host.ts';
import type { WriterOf } from '../foundation/streams/writer.ts';
import type {
  Device,
  Progress,
  RunningTraining,
  TrainingListener,
  TrainingEnd,
} from './training/trainer-port.ts';

export type RunRecord = WriterOf<typeof TRAINING>;

interface RunOptions {
  readonly record: RunRecord;
  /** Collects the data of the run if it is not on disk. Rejects with the signal's reason. */
  readonly gather: (signal: AbortSignal) => Promise<void>;
  readonly start: (listener: TrainingListener) => RunningTraining;
  /** The correlation id of the call that started the run. */
  readonly correlationId: string;
  readonly logger: Logger;
  readonly actors: ActorHost;
  /** The id of the run. */
  readonly run: string;
  /** Called if the record can no longer be written; the run is stopped. */
  readonly giveUp: () => void;
}

/** Milliseconds to record the end of a run when the service stops. If that fails, the next start records it. */
const LAST_WORD_MS = 2_000;

/** A run of this process: its machine, its trainer, and its progress, which is not recorded. */
export function runUnderWay({
  record,
  run,
  gather,
  start,
  correlationId,
  logger,
  actors,
  giveUp,
}: RunOptions) {
  const stopWork = new AbortController();
  const workOver = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  let newest: Progress | null = null;
  let usedDevice: Device | null = null;
  const session = randomUUID();
  const actor = createActor(
    startedAt(trainingMachine, { run: record.state.status }).provide({
      actors: {
        work: fromCallback<StopWork>(({ sendBack, receive }) => {
          receive(() => stopWork.abort());
          void work(() => start(listener(sendBack)))
            .then((command) => sendBack({ type: 'ENDED', command }))
            .finally(() => workOver.resolve());
        }),
        record: fromPromise(({ input: { command } }) =>
          record.submit(command, { correlationId, callId: callIdOf(session, command) }).then(() => undefined),
        ),
      },
    }),
    { clock: actors.clock },
  );
  actors.host(actor, { kind: 'training', id: run });
  actor.on('record-delayed', ({ error }) => {
    logger.warn({ err: error }, 'a step of the training could not be recorded yet; trying again');
  });
  actor.on('lost', ({ error }) => {
    logger.warn({ err: error }, 'this process stops the training');
    giveUp();
  });
  const unfollow = record.follow((events) => {
    for (const { type } of events) actor.send({ type });
  });
  void over.promise.then(unfollow);
  actor.subscribe(({ status }) => {
    if (status === 'done') over.resolve();
  });
  actor.start();

  /** Collects the data and runs the trainer until it ends or is stopped. Never rejects. */
  async function work(begin: () => RunningTraining): Promise<RunCommand> {
    const { signal } = stopWork;
    const { state } = record;
    /** The last recorded step counts until the trainer reports its first one. */
    const step = state.status === 'idle' ? 0 : state.step;
    try {
      await gather(signal);
      if (signal.aborted) return { type: 'end-training', step };
      const running = begin();
      signal.addEventListener('abort', () => running.stop(), { once: true });
      const end = await running.ended;
      return endOf(end, usedDevice === null ? Math.max(step, end.step) : end.step);
    } catch (error) {
      if (signal.aborted) return { type: 'end-training', step };
      logger.error({ err: error }, 'a training could not start');
      return { type: 'fail-training', failed: { ...faultOf(error), step } };
    }
  }

  function listener(tell: (event: TrainingMachineEvent) => void): TrainingListener {
    const report = (command: RunCommand): void => tell({ type: 'REPORT', command });
    return {
      prepared: ({ device, ...prepared }) => {
        const { provider, fallback } = device;
        usedDevice = device;
        logger.info({ provider, steps: prepared.steps, step: prepared.step }, 'training prepared');
        report({ type: 'record-preparation', prepared: { ...prepared, provider, fallback } });
      },
      progress: (progress) => {
        newest = progress;
        logger.debug(progress, 'training');
      },
      epoch: (epoch) => {
        logger.info(epoch, 'training epoch finished');
        report({ type: 'record-epoch', epoch });
      },
    };
  }

  return {
    /** The recorded state. */
    get state(): RunState {
      return record.state;
    },
    /** The progress of the running trainer; `null` before it has reported any. */
    get progress(): Progress | null {
      return newest;
    },
    get device(): Device | null {
      return usedDevice;
    },
    /** Resolves when the run is over and its end is recorded, or when this process no longer works on the run. */
    done: over.promise,
    /** Stops the run; resolves when it is over. Rejects if the record cannot be written. */
    async stop(call: CallContext): Promise<void> {
      try {
        await record.submit({ type: 'stop-training' }, call);
      } catch (error) {
        if (!isBelegError(error, 'NOT_TRAINING')) throw error;
      }
      await over.promise;
    },
    /** Ends the work, and records this if it can be done soon. */
    async close(): Promise<void> {
      if (actor.getSnapshot().status === 'done') return;
      actor.send({ type: 'SHUTDOWN' });
      await workOver.promise;
      await waitFor(actor, ({ status, value }) => status === 'done' || value.record === 'lost', {
        timeout: LAST_WORD_MS,
      }).catch(() => undefined);
      actor.stop();
      over.resolve();
    },
  };
}

export type RunUnderWay = ReturnType<typeof runUnderWay>;

/** A repeated report has the same id and so gives the same event. */
function callIdOf(session: string, command: RunCommand): string {
  return deterministicId(session, command.type, command.type === 'record-epoch' ? command.epoch.epoch : 0);
}

function endOf(end: TrainingEnd, step: number): RunCommand {
  switch (end.outcome) {
    case 'trained': {
      const { weights, best_epoch, scores } = end;
      return { type: 'finish-training', finished: { weights, best_epoch, step, scores } };
    }
    case 'stopped':
      return { type: 'end-training', step };
    case 'failed': {
      const { fault, detail } = end;
      // A run whose process was lost can be resumed.
      if (fault === 'PROCESS_EXITED') return { type: 'abandon-training', detail, step };
      return { type: 'fail-training', failed: { fault, detail, step } };
    }
  }
}

/** The fault in words for people. It never has the text of an exception. */
function faultOf(error: unknown): { fault: string; detail: string } {
  if (isBelegError(error)) return { fault: error.code, detail: error.message };
  if (error instanceof Error && 'code' in error && 'syscall' in error) {
    return { fault: 'DISK_FAILED', detail: 'The bars could not be written' };
  }
  return { fault: 'INTERNAL', detail: 'The bars could not be collected' };
}
