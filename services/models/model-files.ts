import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeLeftParts } from '../../kb/snapshot/durable-file.ts';

/** The folders of runs that are kept besides those whose weights are in use or saved. */
const KEPT_RUNS = 3;

/** The paths below the folder of the models. */
export function modelFiles(folder: string) {
  /** Returns the folder of one training run, which holds its bars, its checkpoint and its trained weights. */
  const folderOf = (run: string): string => join(folder, 'runs', run);
  const saved = join(folder, 'saved');

  return {
    run: folderOf,
    bars: (run: string) => join(folderOf(run), 'bars.safetensors'),
    trainedWeights: (run: string) => join(folderOf(run), 'weights.safetensors'),
    trainedModel: (run: string) => join(folderOf(run), 'model.onnx'),
    savedWeights: join(saved, 'weights.safetensors'),
    /** The model as a file for other programs. */
    savedModel: join(saved, 'model.onnx'),
    /** Removes the folders of old runs: all but the newest three and `needed`. Resolves with their number. */
    async prune(needed: readonly (string | null)[]): Promise<number> {
      const runs = (await readdir(join(folder, 'runs')).catch(nothing)).sort();
      const old = runs.slice(0, -KEPT_RUNS).filter((run) => !needed.includes(run));
      for (const run of old) await rm(folderOf(run), { recursive: true, force: true });
      return old.length;
    },
    /** Removes unfinished files that a crash left. It must not run while a file is being written. */
    async sweep(): Promise<void> {
      const runs = await readdir(join(folder, 'runs')).catch(nothing);
      for (const place of [saved, ...runs.map(folderOf)]) await removeLeftParts(place, Infinity);
    },
  };
}

export type ModelFiles = ReturnType<typeof modelFiles>;

function nothing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
