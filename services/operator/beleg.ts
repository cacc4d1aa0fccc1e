import { onBrokenOutput } from './output.ts';
import { reportFailure } from './report-failure.ts';
import { program } from './program.ts';

/** Commands that run until they are stopped. */
const SERVING: readonly string[] = ['serve', 'service'];

// This is decided before the arguments are read, because help and errors in the arguments are printed without any
// action of a command.
const isServing = SERVING.includes(process.argv[2] ?? '');
if (isServing) endWithLauncher();
onBrokenOutput(isServing ? 'go on' : 'end');

/**
 * Stops the service in order if its launcher is killed. A killed launcher cannot tell the service to stop, and nobody
 * else could stop it then.
 */
function endWithLauncher(): void {
  process.on('disconnect', stop);
  // The launcher may have been killed while this program was being loaded.
  if (process.send !== undefined && !process.connected) stop();
  process.channel?.unref();
}

function stop(): void {
  process.kill(process.pid, 'SIGTERM');
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
