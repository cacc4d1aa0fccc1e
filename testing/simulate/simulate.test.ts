import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { applyPatch, parsePatch } from './patch.ts';
import { Players } from './story-processes.ts';
import type { Outcome } from './story.ts';

const players = new Players({ workers: 1, patch: undefined, replayEvery: 5 });
afterAll(() => players.close());

test('simulated faults lose nothing, double nothing, and the same seed gives the same story', async () => {
  // when
  const stories: Outcome[] = [];
  await players.play(5, 12, (story) => stories.push(story) > 0);
  // then
  expect(stories.map(({ seed, faults }) => ({ seed, faults }))).toEqual(
    stories.map(({ seed }) => ({ seed, faults: [] })),
  );
  expect(stories.reduce((sum, { events }) => sum + events, 0)).toBeGreaterThan(100);
}, 180_000);

const PLANTED = join(import.meta.dirname, 'planted');
const ROOT = resolve(import.meta.dirname, '../..');

test.each(readdirSync(PLANTED))('%s can be planted in the code as it is', (name) => {
  for (const patch of parsePatch(readFileSync(join(PLANTED, name), 'utf8'))) {
    const source = readFileSync(join(ROOT, patch.file), 'utf8');
    expect(applyPatch(source, patch)).not.toBe(source);
  }
});
