// Replaces the trainer, and misbehaves as the name of the run says.
import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import type { FromTrainer, ToTrainer } from './trainer-messages.ts';

const say = (message: FromTrainer) => process.send!(message);
const progress = (step: number): void => {
  say({
    kind: 'progress',
    progress: { epoch: 1, step, loss: 0.5, steps_per_second: 10, seconds_left: 1 },
  });
};
/** Keeps the process alive even if the channel closes. */
const stay = () => setInterval(() => undefined, 1_000);

process.on('message', (message: ToTrainer) => {
  if (message.kind === 'stop') return;
  switch (message.kind === 'train' ? message.job.run : 'benchmark') {
    case 'ignores-stop':
      progress(17);
      stay();
      break;
    case 'exits':
      writeSync(2, 'secret path /home/somebody\n');
      process.exit(7);
      break;
    case 'crashes':
      progress(3);
      setImmediate(() => process.kill(process.pid, 'SIGSEGV'));
      break;
    case 'heap':
      // A process cannot make its own heap small, so another process prints V8's words for it.
      spawnSync(
        process.execPath,
        ['--max-old-space-size=16', '-e', 'const held = []; for (;;) held.push(Array.from("held"))'],
        { stdio: 'inherit' },
      );
      process.abort();
      break;
    case 'talks-nonsense':
      process.send!({ kind: 'progress', progress: { step: 'many' } });
      stay();
      break;
    case 'lingers':
      say({ kind: 'ended', end: { outcome: 'stopped', step: 5, killed: false }, cause: null });
      stay();
      break;
    case 'environment':
      writeSync(2, JSON.stringify(process.env));
      process.exit(1);
      break;
    case 'benchmark':
      say({ kind: 'broken', cause: 'no such network' });
      process.disconnect();
      break;
  }
});
