import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { SafetensorsError } from '../weights/safetensors.ts';
import { readBars, writeBars } from './bars.ts';
import { walk } from './walk.suite.ts';

describe('a file of bars', () => {
  const folder = sharedFolder();
  let file: string;
  beforeAll(() => {
    file = join(folder, 'bars.safetensors');
  });

  it('has the tickers in their order, and each bar as it was', async () => {
    const bars = [walk('MSFT', { to: 40 }), walk('0700.HK', { to: 30, seed: 2 }), walk('7', { to: 0 })];
    await writeBars(file, bars);
    expect(await readBars(file)).toEqual(bars);
  });

  it('that is missing or damaged is refused', async () => {
    await expect(readBars(join(folder, 'none'))).rejects.toThrow(SafetensorsError);
    await writeBars(file, [walk('MSFT', { to: 40 })]);
    const bytes = readFileSync(file);
    bytes[bytes.length - 9]! ^= 1;
    writeFileSync(file, bytes);
    await expect(readBars(file)).rejects.toThrow(SafetensorsError);
  });
});
