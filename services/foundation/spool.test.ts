import { appendFile, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { fillDisk } from '../../testing/faults/full-disk.suite.ts';
import {
  damagedFileIn,
  holdsEvents,
  openSpool,
  readSpoolFigures,
  type Spool,
  type SpoolEntry,
} from './spool.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(opened.splice(0).map((spool) => spool.close()));
});

const file = () => join(folder, 'events.jsonl');
const kept = () => join(folder, 'events.jsonl.damaged');
const opened: Spool[] = [];

/** The spool as the next start finds it; the one before is not closed, as after a kill. */
async function reopen(maxBytes = 1_000_000): Promise<Spool> {
  const spool = await openSpool(folder, { maxBytes });
  opened.push(spool);
  return spool;
}

function entry(number: number, key?: string): SpoolEntry {
  const metadata = { at: '2026-01-01T00:00:00.000Z', version: 1, $correlationId: 'r', $causationId: 'c' };
  return {
    stream: `ask-${number}`,
    events: [
      {
        id: `id-${number}`,
        type: 'AnswerGiven',
        data: { answer: { $sealed: 'bytes' } },
        metadata: { ...metadata, ...(key === undefined ? {} : { key }) },
      },
    ],
  };
}

async function drain(spool: Spool): Promise<SpoolEntry[]> {
  const entries = spool.first(Infinity);
  await spool.remove(entries);
  return entries;
}

describe('Spool', () => {
  test('starts empty and writes nothing until something is pushed', async () => {
    const spool = await reopen();
    expect(spool.size).toBe(0);
    await expect(readFile(file())).rejects.toThrow('ENOENT');
  });

  test('gives back what was pushed, in order, also after a kill', async () => {
    const spool = await reopen();
    await Promise.all([1, 2, 3].map((number) => spool.push(entry(number, `key-${number}`))));
    const again = await reopen();
    expect(again.size).toBe(3);
    expect(again.usesKey('key-2')).toBe(true);
    expect(again.usesKey('key-4')).toBe(false);
    expect(await drain(again)).toEqual([1, 2, 3].map((number) => entry(number, `key-${number}`)));
  });

  test('empties the file with the last entry', async () => {
    const spool = await reopen();
    await spool.push(entry(1));
    await drain(spool);
    expect(await readFile(file(), 'utf8')).toBe('');
    await spool.push(entry(2));
    expect((await reopen()).first(2)).toEqual([entry(2)]);
  });

  test('keeps what comes after an emptying that did not get to the disk', async () => {
    const spool = await reopen();
    await spool.push(entry(1));
    const handle = await open(file(), 'r');
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'datasync');
    await handle.close();
    sync.mockRejectedValueOnce(new Error('EIO'));
    await expect(spool.remove(spool.first(1))).rejects.toThrow('EIO');
    await spool.push(entry(2));
    const next = await reopen();
    expect([next.lost, next.first(2)]).toEqual([0, [entry(2)]]);
  });

  test.each([
    ['removed', () => rm(folder, { recursive: true })],
    ['emptied', () => writeFile(file(), '')],
  ])('makes its file again that somebody has %s while it waits', async (_, harm) => {
    const spool = await reopen();
    await spool.push(entry(1));
    await harm();
    await spool.push(entry(2));
    expect((await reopen()).first(3)).toEqual([entry(1), entry(2)]);
    await harm();
    await spool.check();
    expect((await reopen()).first(3)).toEqual([entry(1), entry(2)]);
  });

  test('keeps an entry whose file is removed while it is written', async () => {
    const spool = await reopen();
    await spool.push(entry(1));
    const probe = await open(file());
    const written = vi.spyOn(Object.getPrototypeOf(probe) as typeof probe, 'datasync');
    written.mockImplementationOnce(() => rm(folder, { recursive: true }));
    await spool.push(entry(2));
    await probe.close();
    expect((await reopen()).first(3)).toEqual([entry(1), entry(2)]);
  });

  test('leaves its entries behind in a file that was removed before it is closed', async () => {
    const spool = await openSpool(folder);
    await spool.push(entry(1));
    await rm(folder, { recursive: true });
    await spool.close();
    expect((await reopen()).first(2)).toEqual([entry(1)]);
  });

  test('is for its owner alone', async () => {
    const spool = await openSpool(join(folder, 'new'));
    opened.push(spool);
    await spool.push(entry(1));
    expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'new', 'events.jsonl'))).mode & 0o777).toBe(0o600);
  });

  test('counts what cannot be read once, also after the file has been emptied', async () => {
    await writeFile(file(), `{"stream":1}\n${JSON.stringify(entry(1))}\n`);
    await drain(await reopen());
    const again = await reopen();
    expect([again.lost, again.size]).toEqual([1, 0]);
    await again.lose(2);
    expect(await readSpoolFigures(folder)).toEqual({ waiting: 0, lost: 3 });
  });

  test('clears away what a kill has cut off, and a line that is damaged alone', async () => {
    await writeFile(file(), '{"stream":1}\n{"stre');
    const spool = await reopen();
    expect(await holdsEvents(folder)).toBe(true);
    await spool.check();
    expect(await holdsEvents(folder)).toBe(false);
    expect((await reopen()).lost).toBe(1);
  });

  test('tells whoever looks from outside how many events wait', async () => {
    expect(await readSpoolFigures(folder)).toEqual({ waiting: 0, lost: 0 });
    const spool = await reopen();
    const [one] = entry(1).events;
    const misleading = { ...one!, data: { text: '"$causationId":"x"', n: 1 } };
    await spool.push({ stream: 'ask-1', events: [one!, { ...misleading, id: 'id-2' }] });
    await spool.push(entry(2));
    expect(await readSpoolFigures(folder)).toEqual({ waiting: spool.size, lost: 0 });
    await drain(spool);
    expect(await readSpoolFigures(folder)).toEqual({ waiting: 0, lost: 0 });
  });

  test('drops a torn last line, and writes over it', async () => {
    const spool = await reopen();
    await spool.push(entry(1));
    await appendFile(file(), JSON.stringify(entry(2)).repeat(3).slice(0, -9));
    const torn = await reopen();
    expect(torn).toMatchObject({ size: 1, lost: 0 });
    await torn.push(entry(3));
    expect(await drain(await reopen())).toEqual([entry(1), entry(3)]);
  });

  test('counts a whole line that cannot be read', async () => {
    await writeFile(file(), `{"stream":1}\n${JSON.stringify(entry(1))}\n`);
    expect(await reopen()).toMatchObject({ size: 1, lost: 1 });
  });

  test('delivers no line that is a mixture of two', async () => {
    const spool = await reopen();
    await spool.push(entry(1));
    await spool.push(entry(2));
    await writeFile(file(), (await readFile(file(), 'utf8')).replace('"id":"id-2"', '"id":"id-7"'));
    const again = await reopen();
    expect(again).toMatchObject({ size: 1, lost: 1 });
    expect(again.first(2)).toEqual([entry(1)]);
  });

  describe('a line among others that was damaged', () => {
    let line: Buffer;

    beforeEach(async () => {
      const spool = await reopen();
      const [one] = entry(2).events;
      await spool.push(entry(1));
      await spool.push({ stream: 'ask-2', events: [one!, { ...one!, id: 'id-3' }] });
      await spool.push(entry(4));
      const bytes = await readFile(file());
      const start = bytes.indexOf('\n') + 1;
      // Bytes that are no UTF-8 have to be kept as they are.
      bytes.fill(0xff, start + 40, start + 52);
      line = bytes.subarray(start, bytes.indexOf('\n', start) + 1);
      await writeFile(file(), bytes);
    });

    test('is named with its number and reason, counted by its events, and kept', async () => {
      const spool = await reopen();
      expect(spool.damage).toEqual({
        file: file(),
        kept: kept(),
        lines: [{ line: 2, reason: 'its checksum does not match its content' }],
      });
      expect(spool.lost).toBe(2);
      expect(await damagedFileIn(folder)).toBeUndefined();
      expect(await drain(spool)).toEqual([entry(1), entry(4)]);
      expect([spool.lost, await readFile(file(), 'utf8')]).toEqual([2, '']);
      expect(await damagedFileIn(folder)).toBe(kept());
      expect(await readFile(kept())).toEqual(line);
      expect((await stat(kept())).mode & 0o777).toBe(0o600);
    });

    test('is kept also where somebody has removed the file meanwhile, behind those of earlier times', async () => {
      await writeFile(kept(), 'earlier\n');
      const spool = await reopen();
      await rm(file());
      await spool.check();
      expect(await readFile(kept())).toEqual(Buffer.concat([Buffer.from('earlier\n'), line]));
    });

    test('stays in the spool until the disk has room for it elsewhere', async () => {
      const spool = await reopen();
      const before = await readFile(file());
      await fillDisk(0);
      await expect(drain(spool)).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(await damagedFileIn(folder)).toBeUndefined();
      expect(await readFile(file())).toEqual(before);
      vi.restoreAllMocks();
      await spool.check();
      expect([await readFile(kept()), await readFile(file(), 'utf8'), spool.lost]).toEqual([line, '', 2]);
    });
  });

  test('is bounded', async () => {
    const spool = await reopen(300);
    await spool.push(entry(1));
    await expect(spool.push(entry(2))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(spool.size).toBe(1);
    await drain(spool);
    await spool.push(entry(2));
  });

  test('says so when it cannot be written, and keeps nothing', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file where the folder should be');
    await expect(openSpool(folder, { maxBytes: 1000 })).rejects.toThrow('ENOTDIR');
    await rm(folder);
    await mkdir(folder);
    const spool = await reopen();
    await mkdir(file());
    await expect(spool.push(entry(1))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(spool.size).toBe(0);
  });

  test('keeps nothing that a full disk had room for half of, and takes more once there is room', async () => {
    const spool = await reopen();
    await spool.push(entry(1));
    await fillDisk(50);
    await expect(spool.push(entry(2))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await reopen()).toMatchObject({ size: 1, lost: 0 });
    vi.restoreAllMocks();
    await spool.push(entry(3));
    expect(await drain(await reopen())).toEqual([entry(1), entry(3)]);
  });

  test('says whether there is room, and leaves nothing of the look', async () => {
    const spool = await reopen();
    await spool.push(entry(1));
    expect(await spool.hasRoom()).toBe(true);
    await fillDisk(50);
    expect(await spool.hasRoom()).toBe(false);
    expect(await reopen()).toMatchObject({ size: 1, lost: 0 });
    vi.restoreAllMocks();
    expect(await spool.hasRoom()).toBe(true);
    await spool.push(entry(2));
    expect(await drain(await reopen())).toEqual([entry(1), entry(2)]);
    expect(await (await reopen(1_000)).hasRoom()).toBe(false);
  });

  test.each([
    ['nothing was lost before', 0],
    ['an operator has taken note of earlier ones', 3],
  ])('counts on a full disk what is lost, over a kill, where %s', async (_, earlier) => {
    const lostFile = join(folder, 'lost.json');
    let spool = await reopen();
    await spool.lose(earlier);
    await rm(lostFile);
    await spool.check();
    expect(spool.lost).toBe(0);
    // The disk takes no more than the room that the file has already.
    await fillDisk(64);
    const { size, ino } = await stat(lostFile);
    await spool.lose(1_234_567);
    expect(await stat(lostFile)).toMatchObject({ size, ino });
    spool = await reopen();
    expect(spool.lost).toBe(1_234_567);
  });

  test('whatever prefix of the file a kill leaves: a prefix of what was pushed comes back', async () => {
    const spool = await reopen();
    const pushed = [1, 2, 3, 4].map((number) => entry(number));
    for (const one of pushed) await spool.push(one);
    const bytes = await readFile(file());
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), async (length) => {
        await writeFile(file(), bytes.subarray(0, length));
        const again = await reopen();
        const whole = bytes.subarray(0, length).filter((byte) => byte === 10).length;
        expect(await drain(again)).toEqual(pushed.slice(0, whole));
      }),
      { numRuns: 50 },
    );
  });
});
