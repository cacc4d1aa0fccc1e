import { onBrokenOutput } from './output.ts';
import { reportFailure } from './report-failure.ts';
import { program } from './program.ts';

/** Commands that run until they are stopped. */
const SERVING: readonly string[] = ['serve', 'service'];

// Before the arguments are read: help and errors in them are printed without an action of a command.
const isServing = SERVING.includes(process.argv[2] ?? '');
if (isServing) endWithLauncher();
onBrokenOutput(isServing ? 'go on' : 'end');

/** Stops in order where the launcher was killed, which could not tell: the service would go on without anybody who can stop it. */
function endWithLauncher(): void {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
