import { reportFailure } from './failure-and-exit-code.ts';
import { program } from './program.ts';

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
