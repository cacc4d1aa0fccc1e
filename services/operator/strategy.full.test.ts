import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { ownStrategies } from '../strategies/named.ts';
import { openStrategy } from '../strategies/own-strategy.ts';
import { EXAMPLES } from './examples.ts';
import { strategyNew } from './strategy.ts';

test.each(['mine.ts', 'mine.js'])(
  'a new %s can be loaded as it is, and is not written over',
  async (name) => {
    const folder = temporaryFolder();
    const file = join(folder, name);
    await strategyNew(file, 'momentum');
    const strategy = await openStrategy(ownStrategies(file)[0]!);
    await strategy.close();
    expect(strategy).toMatchObject({ history: 300, parameters: { lookback: 120, held: 3 } });
    expect(await readFile(join(folder, 'beleg-strategy.d.ts'), 'utf8')).toContain(
      'onSession(day: Day<Names>)',
    );
    await expect(strategyNew(file, 'momentum')).rejects.toThrow('is there already');
  },
);

test.each(EXAMPLES)(
  'a strategy from %s can be loaded as it is, in TypeScript and in JavaScript',
  async (name) => {
    const folder = temporaryFolder();
    for (const file of [join(folder, 'mine.ts'), join(folder, 'mine.js')]) {
      await strategyNew(file, name);
      const strategy = await openStrategy(ownStrategies(file)[0]!);
      await strategy.close();
      expect(Object.keys(strategy.declared).length).toBeGreaterThan(0);
    }
  },
);

test('each example can be begun from', async () => {
  const files = await readdir(new URL('../../examples/strategies/', import.meta.url));
  const named = files.filter((file) => file.endsWith('.ts')).map((file) => file.replace(/\.ts$/, ''));
  expect(EXAMPLES.toSorted()).toEqual(named.toSorted());
});
