import type { ProjectionRunner } from '../../events/projections/runner.ts';
import type { EventStore } from '../../events/store/store.ts';

/**
 * Builds a projection's tables from the first event, and replies with the position up to which they are built. Rejects
 * as `rebuild` does, and with `STORE_UNAVAILABLE` if the store is away, because the caller would otherwise wait for it.
 */
export async function rebuildTables(
  projection: ProjectionRunner,
  store: Pick<EventStore, 'ping'>,
): Promise<{ name: string; position: string; duration_ms: number }> {
  await store.ping();
  const began = performance.now();
  await projection.rebuild();
  const { name, position } = projection.status();
  return { name, position, duration_ms: Math.round(performance.now() - began) };
}
