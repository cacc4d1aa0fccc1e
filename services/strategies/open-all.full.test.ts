import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { ownStrategies } from './named.ts';
import { closeAll, openAll } from './open-all.ts';

/** Takes a while to load, and prints when that begins and ends. */
const SLOW = `console.log('begins');
let turns = 0;
while (turns < 3e8) turns += 1;
console.log('ends');
export default { history: 1, onSession() {} };
`;

test('no more strategies load at once than there are cores', async () => {
  // given
  const count = 2 * availableParallelism() + 1;
  const folder = temporaryFolder();
  const files = Array.from({ length: count }, (_, n) => join(folder, `slow-${n}.ts`));
  await Promise.all(files.map((file) => writeFile(file, SLOW)));
  const share = Math.floor(100 / count);
  let loading = 0;
  let most = 0;
  // when
  const opened = await openAll(ownStrategies(files.map((file) => `${file}=${share}%`).join(',')), {
    parameters: {},
    hasTicker: () => true,
    onPrinted: (_, line) => {
      loading += line.includes('begins') ? 1 : -1;
      most = Math.max(most, loading);
    },
  });
  await closeAll(opened);
  // then
  expect(opened.map((one) => ('fault' in one ? one.fault.told : 'opened'))).toEqual(
    files.map(() => 'opened'),
  );
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(availableParallelism());
});
