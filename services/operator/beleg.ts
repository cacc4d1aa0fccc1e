import { onBrokenOutput } from './output.ts';
import { reportFailure } from './report-failure.ts';
import { program } from './program.ts';

/** Commands that run until they are stopped. */
const SERVING: readonly string[] = ['serve', 'service'];

// Before the arguments are read: help and errors in them are printed without an action of a command.
onBrokenOutput(SERVING.includes(process.argv[2] ?? '') ? 'go on' : 'end');
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
