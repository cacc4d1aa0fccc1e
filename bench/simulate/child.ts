import { mkdtempSync, rmSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installHooks } from './hooks.ts';
import { parsePatch } from './patch.ts';

/** What the parent asks of a child. */
export interface Order {
  readonly seed: number;
  /** Lines too where there is no fault. */
  readonly tellAll: boolean;
  /** Errors have their stacks, which take time. */
  readonly stacks: boolean;
}

const patch = process.argv[2];
installHooks(patch === undefined ? [] : parsePatch(readFileSync(patch, 'utf8')));

// After the hooks: everything that is loaded from here on is loaded through them.
const { playStory } = await import('./story.ts');
const { loadWork } = await import('./replaced/worker-threads.ts');
const { openBases } = await import('./bases.ts');

await loadWork();
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'beleg-simulate-'));
const remove = (): void => rmSync(folder, { recursive: true, force: true });
process.on('exit', remove);
const indexes = await openBases(folder);

process.on('message', ({ seed, tellAll, stacks }: Order) => {
  Error.stackTraceLimit = stacks ? 30 : 0;
  void playStory(seed, folder, indexes).then((outcome) =>
    process.send!(tellAll || outcome.faults.length > 0 ? outcome : { ...outcome, lines: [] }),
  );
});
process.on('disconnect', () => process.exit());
process.send!('ready');
