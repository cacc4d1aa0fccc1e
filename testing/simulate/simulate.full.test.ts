import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CELLS } from './fault-cells.ts';
import { Players } from './story-processes.ts';
import type { Outcome } from './story.ts';

async function play(first: number, count: number, patch?: string): Promise<Outcome[]> {
  const players = new Players({ workers: 2, patch });
  const stories: Outcome[] = [];
  try {
    await players.play(first, count, (story) => {
      stories.push(story);
      return patch === undefined || story.faults.length === 0;
    });
  } finally {
    players.close();
  }
  return stories;
}

test('100 stories have no fault, and each kind of fault is in them', async () => {
  // when
  const stories = await play(1_000, 100);
  // then
  expect(
    stories.filter(({ faults }) => faults.length > 0).map(({ seed, faults }) => ({ seed, faults })),
  ).toEqual([]);
  const faults = new Set(stories.flatMap(({ hits }) => Object.keys(hits)));
  expect([...faults]).toEqual(expect.arrayContaining(CELLS.map(({ fault }) => fault)));
}, 600_000);

test('a planted fault is found', async () => {
  // given
  const patch = join(import.meta.dirname, 'planted', 'repeated-call-decided-anew.patch');
  // when
  const stories = await play(1, 300, patch);
  // then
  expect(stories.at(-1)?.faults.length).toBeGreaterThan(0);
}, 600_000);
