import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { complainsOfMemory, oomKills } from './out-of-memory.ts';

/** A root folder with the files of a cgroup. */
async function machine(group: string, events: string): Promise<string> {
  const root = temporaryFolder();
  await mkdir(join(root, 'proc/self'), { recursive: true });
  await mkdir(join(root, 'sys/fs/cgroup/service'), { recursive: true });
  await writeFile(join(root, 'proc/self/cgroup'), group);
  await writeFile(join(root, 'sys/fs/cgroup/service/memory.events'), events);
  return `${root}/`;
}

test('the kernel’s kills for want of memory are read from the cgroup', async () => {
  const events = 'low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n';
  expect(oomKills(await machine('0::/service\n', events))).toBe(2);
  expect(oomKills(await machine('4:memory:/x\n0::/service\n', events))).toBe(2);
});

test('where they cannot be read nothing is claimed', async () => {
  expect(oomKills('/nowhere/')).toBeNull();
  expect(oomKills(await machine('4:memory:/service\n', 'oom_kill 1\n'))).toBeNull();
  expect(oomKills(await machine('0::/service\n', 'oom 1\n'))).toBeNull();
});

test.each([
  ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', true],
  ["terminate called after throwing an instance of 'std::bad_alloc'", true],
  ['RangeError: Array buffer allocation failed', true],
  ['Failed to allocate memory for requested buffer of size 137438953472', true],
  ['Assertion failed', false],
])('%s', (words, memory) => expect(complainsOfMemory(words)).toBe(memory));
