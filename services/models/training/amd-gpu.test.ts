import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { onlyAmdGpusOpen } from './amd-gpu.ts';

const AMD = '0x1002';
const INTEL = '0x8086';

/** A root folder in which the GPUs have these vendors and the process has these files open. */
async function machine(vendors: readonly string[], open: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await mkdir(join(root, 'proc/self/fd'), { recursive: true });
  for (const [at, vendor] of vendors.entries()) {
    const device = join(root, `sys/class/drm/renderD${128 + at}/device`);
    await mkdir(device, { recursive: true });
    await writeFile(join(device, 'vendor'), `${vendor}\n`);
  }
  for (const [fd, path] of open.entries()) await symlink(path, join(root, `proc/self/fd/${fd}`));
  return `${root}/`;
}

test('an AMD GPU is in use where the process holds its device file', async () => {
  expect(onlyAmdGpusOpen(await machine([AMD], ['/dev/null', '/dev/dri/renderD128']))).toBe(true);
});

test('one that is there and not in use is none in use', async () => {
  expect(onlyAmdGpusOpen(await machine([AMD], ['/dev/null']))).toBe(false);
});

test('where it could be another one nothing is claimed', async () => {
  const both = ['/dev/dri/renderD128', '/dev/dri/renderD129'];
  expect(onlyAmdGpusOpen(await machine([AMD, INTEL], both))).toBe(false);
  expect(onlyAmdGpusOpen(await machine([AMD], ['/dev/dri/renderD128', '/dev/nvidia0']))).toBe(false);
  expect(onlyAmdGpusOpen(await machine([], ['/dev/dri/renderD128']))).toBe(false);
  expect(onlyAmdGpusOpen('/nowhere/')).toBe(false);
});
