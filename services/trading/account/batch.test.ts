import { expect, test } from 'vitest';
import type { AccountEvent } from '../../../events/catalog/catalog.ts';
import type { NewEvent } from '../../../events/store/store.ts';
import { inAppends, type Decision } from './batch.ts';

/** One decision for each list, an event for each size in KiB. */
function decided(...lists: number[][]): [Decision[], NewEvent[]] {
  const decisions = lists.map(
    (sizes) => ({ events: sizes as unknown as AccountEvent[] }) as unknown as Decision,
  );
  const metadata = { at: '', version: 1, $correlationId: '', $causationId: '' };
  const encoded = lists
    .flat()
    .map((size) => ({ id: '', type: '', data: 'x'.repeat(size * 1024), metadata }) satisfies NewEvent);
  return [decisions, encoded];
}

test.each([
  ['what fits goes together', [[10], [10, 20], [], [30]], [4]],
  ['a decision is not cut', [[400], [400, 400]], [1, 2]],
  ['one larger than an append is', [[400], [400, 400, 400, 400], [400]], [1, 2, 2, 1]],
  ['nothing makes no append', [[], []], []],
])('%s', (_, lists, expected) => {
  expect(inAppends(...decided(...lists))).toEqual(expected);
});
