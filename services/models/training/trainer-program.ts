// The program of the trainer's process: it handles one request of the service and ends. It also ends when the service
// does.
import { inspect } from 'node:util';
import { measureTraining } from './benchmark.ts';
import { ToTrainer, type FromTrainer } from './trainer-messages.ts';
import { loadDataset, train, type TrainListener } from './run-job.ts';
import type { TrainingJob } from './trainer-port.ts';

const stop = new AbortController();
let over = false;

function say(message: FromTrainer): void {
  process.send!(message);
}

/** Sends the last message; after that nothing keeps this process alive. */
function end(message: FromTrainer): void {
  over = true;
  process.send!(message, () => process.disconnect());
}

async function obey(received: unknown): Promise<void> {
  const message = ToTrainer.parse(received);
  switch (message.kind) {
    case 'train':
      end(await trained(message.job));
      break;
    case 'benchmark':
      end({ kind: 'measured', result: await measureTraining(message.job) });
      break;
    case 'stop':
      stop.abort();
      break;
  }
}

async function trained(job: TrainingJob): Promise<FromTrainer> {
  const listener: TrainListener = {
    prepared: (preparation, cause) => say({ kind: 'prepared', preparation, cause: describe(cause) }),
    progress: (progress) => say({ kind: 'progress', progress }),
    epoch: (result) => say({ kind: 'epoch', result }),
  };
  const { end, cause } = await train(job, () => loadDataset(job), listener, stop.signal);
  return { kind: 'ended', end, cause: describe(cause) };
}

const describe = (cause: unknown): string | null => (cause === null ? null : inspect(cause));

// A terminal or a supervisor that ends the service also signals its children. The run must still write its checkpoint.
process.on('SIGINT', () => stop.abort());
process.on('SIGTERM', () => stop.abort());
// Events are handled between two runs of a session and never within one, so it is safe to exit here.
process.on('disconnect', () => process.exit(over ? 0 : 1));
process.on('message', (received) => {
  obey(received).catch((error: unknown) => end({ kind: 'broken', cause: inspect(error) }));
});
