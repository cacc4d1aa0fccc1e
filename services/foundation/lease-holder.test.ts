import { expect, test } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { InProcessLeases } from '../../events/leases/in-process.ts';
import { whileHeld } from './lease-holder.ts';

/** A part that cannot begin for these reasons, one after the other, and then begins. */
function partAfter(...reasons: readonly Error[]) {
  const told: unknown[] = [];
  const left = [...reasons];
  const leases = new InProcessLeases((error) => told.push(error), { retryMs: 1 });
  const part = whileHeld(leases, 'trading', async () => {
    const reason = left.shift();
    if (reason !== undefined) throw reason;
    return async () => undefined;
  });
  return { part, told };
}

test('a start waits for a store that is slow, and says why each time', async () => {
  const late = new BelegError('STORE_UNAVAILABLE', { retryAfter: 1 });
  const { part, told } = partAfter(late, late);
  await part.begun;
  expect(told).toEqual([late, late]);
  await part.end();
});

test('a start ends where no further try can help', async () => {
  const corrupt = new BelegError('STREAM_CORRUPT');
  const { part } = partAfter(new BelegError('STORE_UNAVAILABLE'), corrupt);
  await expect(part.begun).rejects.toBe(corrupt);
  await part.end();
});
