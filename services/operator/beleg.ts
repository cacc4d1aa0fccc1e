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
  const stop = (): void => void process.kill(process.pid, 'SIGTERM');
  // The launcher may have been killed while this program was being loaded.
  if (process.connected === false) stop();
  process.on('disconnect', stop);
  process.channel?.unref();
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
