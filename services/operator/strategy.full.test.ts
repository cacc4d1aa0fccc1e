import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { ownStrategies } from '../strategies/named.ts';
import { openStrategy } from '../strategies/own-strategy.ts';
import { strategyNew } from './strategy.ts';

test.each(['mine.ts', 'mine.js'])(
  'a new %s can be loaded as it is, and is not written over',
  async (name) => {
    const folder = temporaryFolder();
    const file = join(folder, name);
    await strategyNew(file);
    const strategy = await openStrategy(ownStrategies(file)[0]!);
    await strategy.close();
    expect(strategy).toMatchObject({ history: 251, parameters: { lookback: 120, held: 3 } });
    expect(await readFile(join(folder, 'beleg-strategy.d.ts'), 'utf8')).toContain(
      'onSession(day: Day<Names>)',
    );
    await expect(strategyNew(file)).rejects.toThrow('is there already');
  },
);
