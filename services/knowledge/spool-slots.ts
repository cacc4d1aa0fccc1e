import { join } from 'node:path';
import { readText } from '../../kb/snapshot/durable-file.ts';
import { claim, slotFolders, type Slot } from '../foundation/process-slot.ts';
import {
  holdsEvents,
  openSpool,
  readSpoolFigures,
  type Spool,
  type SpoolFigures,
} from '../foundation/spool.ts';

/** A spool that this process may deliver. */
export interface HeldSpool {
  /** The process that wrote the spool. */
  readonly owner: string;
  readonly spool: Spool;
  /** Closes the spool and releases it. */
  release(): Promise<void>;
}

/** The figures of a spool and its owner. */
export interface OwnedFigures extends SpoolFigures {
  readonly owner: string;
}

/** The spools of other processes. */
export interface OtherSpools {
  /** The owner of this process's own spool. */
  readonly owner: string;
  /**
   * Takes over the spools that have entries and whose process is dead. Call it repeatedly, because a process may die at
   * any time. Rejects with the fault of the file system.
   */
  adopt(): Promise<HeldSpool[]>;
  /** The figures of the spools that are not held here, whoever holds them. */
  figures(): Promise<OwnedFigures[]>;
  /** Makes sure that the spools held here stay locked; false if somebody else has taken one. */
  keep(): boolean;
}

/** For a process that does not share its `DATA_DIR`: there are no other spools. */
export const noOtherSpools = (owner: string): OtherSpools => ({
  owner,
  adopt: () => Promise.resolve([]),
  figures: () => Promise.resolve([]),
  keep: () => true,
});

/** The folder of a slot's spool. */
export const spoolOf = (slotFolder: string): string => join(slotFolder, 'spool');

/**
 * Whether the spool is empty. Only such a slot suits a process that records nothing, because that process delivers
 * nothing.
 */
export const isFreeOfEvents = async (slotFolder: string): Promise<boolean> =>
  !(await holdsEvents(spoolOf(slotFolder)));

/** The spools in the slots of a `DATA_DIR` that several processes may share. */
export function spoolsBeside(dataDir: string, own: Slot): OtherSpools {
  const held = new Map<string, Slot>([[own.folder, own]]);
  const others = async (): Promise<string[]> =>
    (await slotFolders(dataDir)).filter((folder) => !held.has(folder));

  async function adoptOne(folder: string): Promise<HeldSpool | undefined> {
    if (await isFreeOfEvents(folder)) return undefined;
    // Checked again under the lock, because the slot's process may have delivered everything and ended.
    const slot = await claim(folder, async () => !(await isFreeOfEvents(folder)));
    if (slot === undefined) return undefined;
    held.set(folder, slot);
    const giveBack = async (): Promise<void> => {
      held.delete(folder);
      await slot.release();
    };
    try {
      const spool = await openSpool(spoolOf(folder));
      const release = async (): Promise<void> => {
        await spool.close();
        await giveBack();
      };
      return { owner: slot.owner, spool, release };
    } catch (error) {
      await giveBack();
      throw error;
    }
  }

  return {
    owner: own.owner,
    async adopt() {
      const adopted: HeldSpool[] = [];
      for (const folder of await others()) {
        const one = await adoptOne(folder);
        if (one !== undefined) adopted.push(one);
      }
      return adopted;
    },
    async figures() {
      const folders = await others();
      const found = await Promise.all(
        folders.map(async (folder) => ({
          owner: (await readText(join(folder, 'owner'))) ?? folder,
          ...(await readSpoolFigures(spoolOf(folder))),
        })),
      );
      return found.filter(({ waiting, lost }) => waiting > 0 || lost > 0);
    },
    keep: () => [...held.values()].every((slot) => slot.keep()),
  };
}

/**
 * Merges figures into one entry for each spool, because processes with one `DATA_DIR` see the same spools. The entry
 * with the highest numbers is the newest.
 */
export function mergeFigures(all: readonly OwnedFigures[]): SpoolFigures {
  const byOwner = new Map<string, SpoolFigures>();
  for (const { owner, waiting, lost } of all) {
    const known = byOwner.get(owner) ?? { waiting: 0, lost: 0 };
    byOwner.set(owner, { waiting: Math.max(known.waiting, waiting), lost: Math.max(known.lost, lost) });
  }
  const spools = [...byOwner.values()];
  return {
    waiting: spools.reduce((sum, { waiting }) => sum + waiting, 0),
    lost: spools.reduce((sum, { lost }) => sum + lost, 0),
  };
}
