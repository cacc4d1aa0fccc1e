// The program of a local model's process: it loads one model and runs one task at a time. It ends when the service
// does.
import { ModelUnusable } from '../../../kb/locate-model.ts';
import { openGeneration } from './text-generation.ts';
import { ToModel, type FromModel } from './messages.ts';
import { openPairs } from './cross-encoder.ts';
import type { Task } from './task.ts';

const OPEN = { generation: openGeneration, pairs: openPairs };

let task: Task | undefined;
let cancelled = -1;

const say = (message: FromModel): void => void process.send?.(message);

async function obey(message: ToModel): Promise<void> {
  switch (message.kind) {
    case 'load': {
      const { model, allowRemote } = message;
      task = await OPEN[message.task]({ model, allowRemote });
      say({ kind: 'loaded', facts: task.facts });
      break;
    }
    case 'run': {
      const { id, input } = message;
      // Between two runs of the session the process receives further messages.
      const output = await task?.run(input, () => cancelled === id);
      say({ kind: 'done', id, output });
      break;
    }
    case 'cancel':
      cancelled = message.id;
      break;
  }
}

function fail(message: ToModel, error: unknown): void {
  if (message.kind === 'run') {
    // Only the name of the error is sent, because its message may have text of the question.
    say({ kind: 'failed', id: message.id, fault: error instanceof Error ? error.name : typeof error });
    return;
  }
  const cause = error instanceof Error ? error.message : typeof error;
  say({
    kind: 'unusable',
    reason: error instanceof ModelUnusable ? cause : `it cannot be loaded (${cause})`,
  });
}

// The service decides when the process ends, even if a terminal sends its signal to both.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (received) => {
  const message = ToModel.parse(received);
  obey(message).catch((error: unknown) => fail(message, error));
});
