import type { ProjectionRunner } from '../events/projections/runner.ts';

/** Builds a projection's tables from the first event, and says how far they are then. Rejects as `rebuild` does. */
export async function rebuildTables(
  projection: ProjectionRunner,
): Promise<{ name: string; position: string; duration_ms: number }> {
  const began = performance.now();
  await projection.rebuild();
  const { name, position } = projection.status();
  return { name, position, duration_ms: Math.round(performance.now() - began) };
}
