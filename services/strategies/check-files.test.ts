import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';
import { checkFiles } from './check-files.ts';
import { ownStrategies } from './named.ts';

const folder = sharedFolder();
const there = join(folder, 'there.py');
writeFileSync(there, '');
const away = join(folder, 'away');

test.each([
  `${away}.ts`,
  `exec:python3 ${away}.py`,
  `exec:python3 -u ${away}.py --seed 1`,
  `exec:node "${away}.mjs" ${there}`,
  `exec:${away} --fast`,
])('a start is refused where a file of a strategy is not there: %s', (text) => {
  expect(() => checkFiles(ownStrategies(text))).toThrow(`TD_STRATEGY: ${away}`);
});

test.each([`exec:python3 ${there} out.csv`, `exec:${there}`, 'exec:python3 -m strategy.main', 'momentum'])(
  'a start is not refused where nothing is missing, or only the program could tell: %s',
  (text) => {
    expect(() => checkFiles(ownStrategies(text))).not.toThrow();
  },
);
