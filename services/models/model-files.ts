import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders of runs that are kept beside those whose weights are in use or saved. */
const KEPT_RUNS = 3;
/** How files end while `writeDurably` writes them. */
const UNFINISHED = '.part';

/** What is where below the folder of the models. */
export class ModelFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A run's own: its bars, its checkpoint, what it has trained. */
  run(run: string): string {
    return join(this.#folder, 'runs', run);
  }

  bars(run: string): string {
    return join(this.run(run), 'bars.safetensors');
  }

  trainedWeights(run: string): string {
    return join(this.run(run), 'weights.safetensors');
  }

  trainedModel(run: string): string {
    return join(this.run(run), 'model.onnx');
  }

  get savedWeights(): string {
    return join(this.#folder, 'saved', 'weights.safetensors');
  }

  /** For other programs. */
  get savedModel(): string {
    return join(this.#folder, 'saved', 'model.onnx');
  }

  /** Removes the folders of old runs: all but the newest three and `needed`. Resolves with how many. */
  async prune(needed: readonly (string | null)[]): Promise<number> {
    const runs = (await readdir(join(this.#folder, 'runs')).catch(nothing)).sort();
    const old = runs.slice(0, -KEPT_RUNS).filter((run) => !needed.includes(run));
    for (const run of old) await rm(this.run(run), { recursive: true, force: true });
    return old.length;
  }

  /** Removes what a crash has left of files that were being written. Not while any is. */
  async sweep(): Promise<void> {
    const runs = await readdir(join(this.#folder, 'runs')).catch(nothing);
    for (const folder of [join(this.#folder, 'saved'), ...runs.map((run) => this.run(run))]) {
      const unfinished = (await readdir(folder).catch(nothing)).filter((name) => name.endsWith(UNFINISHED));
      for (const name of unfinished) await rm(join(folder, name), { force: true });
    }
  }
}

function nothing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
