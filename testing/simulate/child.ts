import { mkdtempSync, rmSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installHooks } from './module-hooks.ts';
import { parsePatch } from './patch.ts';
import type { Outcome } from './story.ts';

/** An order of the parent to a child. */
export interface Order {
  readonly seed: number;
  /** Whether to play it twice and compare. */
  readonly twice: boolean;
  /** Also returns lines without a fault, and errors with their stacks, which takes time. */
  readonly tellAll: boolean;
}

const patch = process.argv[2];
installHooks(patch === undefined ? [] : parsePatch(readFileSync(patch, 'utf8')));

// Imported after the hooks are installed, so that everything from here on is loaded through them.
const { playStory } = await import('./story.ts');
const { loadWork } = await import('./replaced/worker-threads.ts');
const { openBases } = await import('./small-bases.ts');

await loadWork();
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'beleg-simulate-'));
const remove = (): void => rmSync(folder, { recursive: true, force: true });
process.on('exit', remove);
const bases = await openBases(folder);

async function play({ seed, twice, tellAll }: Order): Promise<void> {
  Error.stackTraceLimit = tellAll ? 30 : 0;
  const story = await playStory(seed, folder, bases);
  const faults = [...story.faults];
  if (twice) {
    const { lines } = await playStory(seed, folder, bases);
    const other = lines.findIndex((line, n) => line !== story.lines[n]);
    if (other !== -1 || lines.length !== story.lines.length)
      faults.push(`the same seed gives another story: ${lines[other]} | ${story.lines[other]}`);
  }
  const lines = tellAll || faults.length > 0 ? story.lines : [];
  process.send!({ ...story, faults, lines } satisfies Outcome);
}

process.on('message', (order: Order) => void play(order));
process.on('disconnect', () => process.exit());
process.send!('ready');
