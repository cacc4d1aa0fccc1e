import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { ownStrategies, type StrategySource } from './named.ts';
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

/** How many processes run this file. */
const running = (file: string): number =>
  readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(file);
    } catch {
      // The process has ended.
      return false;
    }
  }).length;

test.skipIf(!existsSync('/proc'))(
  'if one throws what is no fault of a strategy, none stays open',
  async () => {
    // given
    const file = join(temporaryFolder(), 'first.ts');
    await writeFile(file, 'export default { history: 1, onSession() {} };');
    const [first] = ownStrategies(file);
    // No program can have this name, and spawning it throws.
    const impossible: StrategySource = {
      name: 'impossible',
      source: 'exec:',
      share: null,
      runs: { kind: 'program', command: ['\0'] },
    };
    let most = 0;
    // when
    const opening = openAll([first!, impossible], {
      parameters: {},
      hasTicker: () => true,
      onPrinted: () => undefined,
    });
    most = running(file);
    // then
    await expect(opening).rejects.toThrow('null bytes');
    expect(most).toBe(1);
    expect(running(file)).toBe(0);
  },
);
