import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { claimSlot, type Slot } from './process-slot.ts';

describe('slots', () => {
  let dataDir: string;
  const claimed: Slot[] = [];
  const claim = async (): Promise<Slot> => {
    const slot = await claimSlot(dataDir);
    claimed.push(slot);
    return slot;
  };

  beforeEach(() => {
    dataDir = temporaryFolder();
  });
  afterEach(async () => {
    for (const slot of claimed.splice(0)) await slot.release();
  });

  test('are one for each who asks, with an owner of its own', async () => {
    const slots = await Promise.all([claim(), claim(), claim()]);
    expect(slots.map(({ folder }) => folder).sort()).toEqual(
      ['0', '1', '2'].map((n) => join(dataDir, 'slots', n)),
    );
    expect(new Set(slots.map(({ owner }) => owner)).size).toBe(3);
  });

  test('are claimed again once released, with the same owner', async () => {
    const [first, second] = [await claim(), await claim()];
    await first.release();
    const next = await claim();
    expect({ folder: next.folder, owner: next.owner }).toEqual({ folder: first.folder, owner: first.owner });
    expect(next.owner).not.toBe(second.owner);
  });

  test('of a process that was killed are free', async () => {
    const module = JSON.stringify(join(import.meta.dirname, 'process-slot.ts'));
    const program = `
      const { claimSlot } = await import(${module});
      const slot = await claimSlot(process.argv[1]);
      console.log(slot.owner);
      process.stdin.resume();
      globalThis.slot = slot;`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const beside = await claim();
    expect(beside.folder).toBe(join(dataDir, 'slots', '1'));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const taken = await claim();
    expect(taken).toMatchObject({ folder: join(dataDir, 'slots', '0'), owner: line.toString().trim() });
  });
});
