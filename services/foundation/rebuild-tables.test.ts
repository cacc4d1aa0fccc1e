import { expect, test } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import type { ProjectionRunner } from '../../events/projections/runner.ts';
import { rebuildTables } from './rebuild-tables.ts';

test('nobody waits for tables that cannot be built for now', async () => {
  let rebuilt = false;
  const projection = { rebuild: async () => void (rebuilt = true) } as unknown as ProjectionRunner;
  const store = { ping: () => Promise.reject(new BelegError('STORE_UNAVAILABLE')) };
  await expect(rebuildTables(projection, store)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(rebuilt).toBe(false);
});
