// Prints the test files of a JSON report by vitest that did not hold, one a line: failed, or cut off with a test under way.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { name, status, assertionResults } of testResults) {
  const isCutOff =
    assertionResults.length === 0 || assertionResults.some((test) => test.status === 'pending');
  if (status === 'failed' || isCutOff) process.stdout.write(`${relative(process.cwd(), name)}\n`);
}
