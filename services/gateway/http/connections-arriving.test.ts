import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { countArriving, readQueue } from './connections-arriving.ts';

async function folder(files: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'arriving-'));
  onTestFinished(() => rm(made, { recursive: true }));
  for (const [name, lines] of Object.entries(files))
    await writeFile(
      join(made, name),
      ['  sl  local_address rem_address   st tx_queue rx_queue', ...lines, ''].join('\n'),
    );
  return made;
}

test('counts connections that are half open, and those that wait to be accepted, of one port', async () => {
  const tables = await folder({
    tcp: [
      '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000002 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0',
      '   1: 0100007F:1F90 0100007F:C001 03 00000000:00000000 01:00000064 00000000     0        0 0 1 0',
      '   2: 0100007F:1F90 0100007F:C002 01 00000000:00000005 00:00000000 00000000     0        0 2 1 0 20 4 30 10 -1',
      '   3: 0100007F:1F91 0100007F:C003 03 00000000:00000000 01:00000064 00000000     0        0 0 1 0',
    ],
    tcp6: [
      '   0: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000100007F:C004 03 00000000:00000000 01:00000064 00000000     0        0 0 1 0',
    ],
  });
  expect(await countArriving(8080, tables)).toBe(4);
  expect(await countArriving(8081, tables)).toBe(1);
  expect(await countArriving(8082, tables)).toBe(0);
  expect(readQueue(8080, 0xc002, tables)).toEqual({ waiting: 2, hasFrom: true });
  expect(readQueue(8080, 0xc001, tables)).toEqual({ waiting: 2, hasFrom: false });
});

test('counts none where the system does not tell', async () => {
  expect(await countArriving(8080, await folder({}))).toBe(0);
  expect(readQueue(8080, 1, await folder({}))).toEqual({ waiting: 0, hasFrom: false });
});
