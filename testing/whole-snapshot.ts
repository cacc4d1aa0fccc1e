import type { OpenSnapshot, Snapshot } from '../kb/snapshot/snapshot.ts';

/** An open snapshot as it was before it was written. */
export async function wholeSnapshot(open: OpenSnapshot): Promise<Snapshot> {
  const { sealed: _, ...facts } = open;
  return { ...facts, taken: await open.taken() };
}
