import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.suite.ts';
import { GroupCommit } from './group-commit.ts';
import { isLocked } from './lock.ts';
import type { TestJob, TestResult } from './writer-thread.fixture.ts';

describe('Group commit', () => {
  let folder: string;
  let commits: number;
  let writer: GroupCommit<TestJob, TestResult>;

  beforeEach(async () => {
    folder = temporaryFolder();
    commits = 0;
    writer = await open();
  });

  afterEach(async () => {
    await writer.close();
  });

  const open = (): Promise<GroupCommit<TestJob, TestResult>> =>
    GroupCommit.open({
      file: join(folder, 'test.db'),
      thread: new URL('./writer-thread.fixture.ts', import.meta.url),
      onCommit: () => commits++,
    });

  const put = (value: number, bytes = 1): Promise<TestResult> => writer.submit({ put: value }, bytes);
  const all = async (): Promise<number[]> => (await writer.submit({ list: true }, 1)) as number[];
  const unavailable = { code: 'STORE_UNAVAILABLE' };

  it('has given its lock up when an opening that failed is told', async () => {
    const file = join(folder, 'bad.db');
    writeFileSync(file, 'no database'.repeat(100));
    const thread = new URL('./writer-thread.fixture.ts', import.meta.url);
    for (let time = 0; time < 5; time++) {
      await expect(GroupCommit.open({ file, thread })).rejects.toMatchObject(unavailable);
      expect(isLocked(file)).toBe(false);
    }
  });

  it('writes what one turn submits in one transaction, and answers each in its place', async () => {
    const results = await Promise.all(Array.from({ length: 100 }, (_, n) => put(n)));
    expect(results).toEqual([...Array(100).keys()]);
    expect(commits).toBe(1);
  });

  it('bounds a transaction in bytes, and keeps the order', async () => {
    const large = 5 * 1024 * 1024;
    await Promise.all([put(1, large), put(2, large), put(3, large), put(4, 20 * 1024 * 1024)]);
    expect(commits).toBe(4);
    expect(await all()).toEqual([1, 2, 3, 4]);
  });

  it('refuses at once what its queue cannot hold, and goes on', async () => {
    const accepted = put(1, 60 * 1024 * 1024);
    await expect(put(2, 10 * 1024 * 1024)).rejects.toMatchObject({ ...unavailable, retryAfter: 1 });
    await accepted;
    await put(3);
    expect(await all()).toEqual([1, 3]);

    const many = await Promise.allSettled(Array.from({ length: 12_000 }, (_, n) => put(n)));
    expect(many.filter((outcome) => outcome.status === 'rejected')).toHaveLength(2_000);
    expect(await all()).toHaveLength(10_002);
  });

  it('keeps nothing of a batch that met a fault, tells all of its callers, and goes on afresh', async () => {
    const batch = await Promise.allSettled([put(1), writer.submit({ fail: true }, 1), put(2)]);
    for (const outcome of batch) expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable });
    await put(3);
    expect(await all()).toEqual([3]);
  });

  it('starts another thread when one has died', async () => {
    await put(1);
    const lost = await Promise.allSettled([put(2), writer.submit({ die: true }, 1)]);
    for (const outcome of lost) expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable });
    await put(3);
    expect(await all()).toEqual([1, 3]);
  });

  it('closes after a thread has died', async () => {
    await expect(writer.submit({ die: true }, 1)).rejects.toMatchObject(unavailable);
    await writer.close();
    await expect(put(1)).rejects.toMatchObject(unavailable);
  });

  it('refuses a second writer of the file, and lets it in after the first has closed', async () => {
    await expect(open()).rejects.toMatchObject({
      ...unavailable,
      detail: 'the database is locked by another process',
    });
    await put(1);
    await writer.close();
    writer = await open();
    expect(await all()).toEqual([1]);
  });
});
