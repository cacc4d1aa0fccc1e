import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { seeded } from '../../events/seeded.ts';
import { buildKnowledge, changeKnowledge, isWhole, openKnowledge } from '../../kb/open.ts';
import { differencesToRebuild } from './as-rebuilt.ts';
import { ChangingFolder } from './changing-folder.ts';

interface HistoryReport {
  readonly changes: number;
  /** How often an index took changes in beside what it had, was built anew, and was opened from its snapshot. */
  readonly taken: number;
  readonly built: number;
  readonly opened: number;
  readonly compared: number;
  readonly faults: readonly string[];
}

/**
 * Random changes of the files of a base, which are taken in one or several at a time, with merges and restarts in between. Every
 * hundredth time the index is compared with one that is built of the files alone.
 */
export async function runHistory(options: {
  readonly changes: number;
  readonly seed: number;
  readonly compareAfter?: number;
  readonly onCompared?: (changes: number) => void;
}): Promise<HistoryReport> {
  const { changes, seed, compareAfter = 100, onCompared } = options;
  const random = seeded(seed);
  const work = await mkdtemp(join(tmpdir(), 'beleg-history-'));
  const base = { folder: join(work, 'base'), snapshotDir: join(work, 'index') };
  const counts = { taken: 0, built: 0, opened: 0, compared: 0 };
  const faults: string[] = [];
  try {
    const folder = await ChangingFolder.create({ folder: base.folder, random });
    let { index } = await openKnowledge(base);
    const build = async (): Promise<void> => {
      ({ index } = await buildKnowledge(base));
      counts.built++;
    };
    const take = async (): Promise<void> => {
      const changed = await changeKnowledge(index, base);
      if (changed === null) return build();
      ({ index } = changed);
      if (!isWhole(index)) counts.taken++;
    };
    for (let change = 1; change <= changes; change++) {
      await folder.change();
      const isToCompare = change % compareAfter === 0;
      if (random() < 0.008) await build();
      else if (random() < 0.01) {
        ({ index } = await openKnowledge(base));
        counts.opened++;
      } else if (isToCompare || random() < 0.7) await take();
      if (!isToCompare) continue;
      const differences = await differencesToRebuild(index, base.folder, folder.questions(10));
      faults.push(...differences.map((difference) => `change ${change}: ${difference}`));
      counts.compared++;
      onCompared?.(change);
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return { changes, ...counts, faults };
}
