import { reportFailure } from './report-failure.ts';
import { program } from './program.ts';

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
