import { mkdtemp, rename, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { KnowledgeBaseInvalid } from '../../kb/base/faults.ts';
import { readBase } from '../../kb/base/files.ts';
import { loadKnowledgeBase } from '../../kb/base/load.ts';
import { lookAt, type FolderLook } from '../../kb/base/look.ts';
import { ActorHost } from '../foundation/actor-host.ts';
import type { Clock } from '../foundation/clock.ts';
import { changesBetween, type FolderChanges } from '../../kb/base/folder-changes.ts';
import { watchFolder, type FolderWatch } from './folder-watch.ts';

let folder: string;
let watching: FolderWatch | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beleg-watch-'));
  await writeFile(join(folder, 'a.md'), 'eins');
  await writeFile(join(folder, 'b.md'), 'zwei');
});
afterEach(async () => {
  await watching?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Changes a file at once: a file that is being written may be seen twice. */
async function put(name: string, text: string): Promise<void> {
  await writeFile(`${folder}.new`, text);
  await rename(`${folder}.new`, join(folder, name));
}

const now = (): Date => new Date();
const logger = pino({ level: 'silent' });

/** A base of this folder, with an index of the files as they were when it was last built. */
async function base() {
  let look: FolderLook = await lookAt(folder);
  return {
    folder,
    changes: async () => changesBetween(look, await lookAt(folder)),
    take: async (): Promise<void> => void (look = await lookAt(folder)),
  };
}

/** A clock whose minute ends when a test says so; short delays end at once. */
function minuteClock() {
  let minute: (() => void) | null = null;
  const clock: Clock = {
    now: Date.now,
    after: (ms, run) => {
      if (ms >= 60_000) {
        minute = run;
        return () => (minute = null);
      }
      const soon = setImmediate(run);
      return () => clearImmediate(soon);
    },
    every: () => () => undefined,
  };
  /** Ends the minute once the watch waits for it. */
  async function passMinute(): Promise<void> {
    await vi.waitFor(() => expect(minute).not.toBeNull());
    const run = minute!;
    minute = null;
    run();
  }
  return { actors: new ActorHost({ logger, clock }), passMinute };
}

describe('the folder of a base', () => {
  it('has what changes in it taken in once, by name', async () => {
    const knowledge = await base();
    const taken: FolderChanges[] = [];
    watching = watchFolder({
      knowledge,
      logger,
      actors: new ActorHost({ logger }),
      now,
      take: async (changes) => {
        taken.push(changes);
        await knowledge.take();
      },
    });
    await put('neu.md', 'drei');
    await vi.waitFor(() => expect(taken).toHaveLength(1), PATIENT);
    expect(taken[0]).toMatchObject({ added: ['neu.md'], changed: [], removed: [] });
    // Files that were changed before the start count as well.
    await vi.waitFor(async () => expect((await knowledge.changes()).added).toEqual([]), PATIENT);
    await put('a.md', 'anders');
    await unlink(join(folder, 'b.md'));
    await vi.waitFor(async () => expect((await knowledge.changes()).removed).toEqual([]), PATIENT);
    expect(taken.slice(1).flatMap(({ removed }) => removed)).toEqual(['b.md']);
    expect(taken.slice(1).flatMap(({ changed }) => changed)).toEqual(['a.md']);
  });

  it('is looked at every minute where the system tells nothing', async () => {
    const knowledge = await base();
    const { actors, passMinute } = minuteClock();
    const take = vi.fn(knowledge.take);
    const changes = vi.fn(knowledge.changes);
    watching = watchFolder({
      knowledge: { folder: join(folder, 'nowhere'), changes },
      logger,
      take,
      actors,
      now,
    });
    await vi.waitFor(() => expect(changes).toHaveBeenCalledOnce());
    // A file that is renamed during a look may be seen as changed.
    await changes.mock.results[0]!.value;
    await rename(join(folder, 'a.md'), join(folder, 'c.md'));
    await passMinute();
    await vi.waitFor(() => expect(take).toHaveBeenCalledOnce());
    expect(take).toHaveBeenCalledWith(expect.objectContaining({ added: ['c.md'], removed: ['a.md'] }));
  });

  it('says since when it is newer than the index where nothing is to be taken in', async () => {
    const knowledge = await base();
    const { actors, passMinute } = minuteClock();
    watching = watchFolder({ knowledge, logger, take: null, actors, now });
    expect(watching.newerSince()).toBeNull();
    await utimes(join(folder, 'a.md'), 1, 1);
    await passMinute();
    await vi.waitFor(() => expect(watching!.newerSince()).toBeInstanceOf(Date));
    await knowledge.take();
    await passMinute();
    await vi.waitFor(() => expect(watching!.newerSince()).toBeNull());
  });

  it('is not tried again as it was refused, but again where another reindex was in the way', async () => {
    const knowledge = await base();
    const { actors, passMinute } = minuteClock();
    const take = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(new BelegError('REINDEX_RUNNING'))
      .mockRejectedValue(new BelegError('KB_INVALID'));
    const changes = vi.fn(knowledge.changes);
    watching = watchFolder({
      knowledge: { folder: join(folder, 'nowhere'), changes },
      logger,
      take,
      actors,
      now,
    });
    await vi.waitFor(() => expect(changes).toHaveBeenCalledTimes(1));
    await writeFile(join(folder, 'a.md'), 'anders');
    for (const [looks, tries] of [
      [2, 1],
      [3, 2],
      [4, 2],
    ] as const) {
      await passMinute();
      await vi.waitFor(() => expect(changes).toHaveBeenCalledTimes(looks));
      await vi.waitFor(() => expect(take).toHaveBeenCalledTimes(tries));
    }
    expect(watching.newerSince()).toBeInstanceOf(Date);
  });

  it('may be away, and be there again', async () => {
    const knowledge = await base();
    const { actors, passMinute } = minuteClock();
    const take = vi.fn(knowledge.take);
    const changes = vi.fn(knowledge.changes).mockRejectedValueOnce(new Error('ENOENT'));
    watching = watchFolder({
      knowledge: { folder: join(folder, 'nowhere'), changes },
      logger,
      take,
      actors,
      now,
    });
    await vi.waitFor(() => expect(changes).toHaveBeenCalledOnce());
    await writeFile(join(folder, 'c.md'), 'neu');
    await vi.waitFor(() =>
      expect(watching!.trouble()).toBe('the folder cannot be looked at (unknown error)'),
    );
    await passMinute();
    await vi.waitFor(() => expect(take).toHaveBeenCalledOnce());
    await vi.waitFor(() => expect(watching!.trouble()).toBeNull());
  });

  it('closes while a look at it is under way, which may take long', async () => {
    const looked = Promise.withResolvers<void>();
    const changes = (): Promise<FolderChanges> => {
      looked.resolve();
      return new Promise(() => undefined);
    };
    const { actors } = minuteClock();
    watching = watchFolder({ knowledge: { folder, changes }, logger, take: null, actors, now });
    await looked.promise;
    await watching.close();
  });

  it('says that it has nothing left, until something is there', async () => {
    const knowledge = await base();
    const { actors } = minuteClock();
    const take: typeof knowledge.take = async (...given) => {
      const { files } = await readBase(folder);
      // As a base is loaded.
      if (files.length === 0)
        throw new BelegError('KB_INVALID', {
          cause: await loadKnowledgeBase(folder).catch((error: unknown) => error),
        });
      return knowledge.take(...given);
    };
    watching = watchFolder({ knowledge, logger, take, actors, now });
    await Promise.all(['a.md', 'b.md'].map((name) => unlink(join(folder, name))));
    await vi.waitFor(
      () => expect(watching!.trouble()).toMatch(/^the folder has no document that can be read: /u),
      PATIENT,
    );
    await put('c.md', 'drei');
    await vi.waitFor(() => expect(watching!.trouble()).toBeNull(), PATIENT);
  });

  it('says which file of the base keeps changes out, until that is mended', async () => {
    const knowledge = await base();
    const { actors, passMinute } = minuteClock();
    const faults = [
      { file: 'geheim.md', line: 1, message: 'private words' },
      { file: 'base.yaml', line: 2, message: 'private words' },
    ];
    let isBroken = true;
    // Refuses as long as the file is broken, because the folder may report one change several times.
    const take: typeof knowledge.take = async (...given) => {
      if (isBroken) throw new BelegError('KB_INVALID', { cause: new KnowledgeBaseInvalid(faults) });
      return knowledge.take(...given);
    };
    watching = watchFolder({ knowledge, logger, take, actors, now });
    await writeFile(join(folder, 'base.yaml'), 'language: fr');
    await vi.waitFor(() => expect(watching!.trouble()).toBe('base.yaml is broken in line 2'), PATIENT);
    // Looked at again, it is still as it was refused.
    await passMinute();
    expect(watching.trouble()).toBe('base.yaml is broken in line 2');
    isBroken = false;
    await writeFile(join(folder, 'base.yaml'), 'language: de');
    await vi.waitFor(() => expect(watching!.trouble()).toBeNull(), PATIENT);
  });
});
