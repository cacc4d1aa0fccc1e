import { pino } from 'pino';
import { expect, test } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { storeError, Silence } from '../../events/store/eventstoredb/errors.ts';
import { unavailable } from '../../events/sqlite/faults.ts';
import { TablesMoved } from '../../events/projections/tables.ts';
import { failureLevel, isLate } from './late.ts';
import { tablesLog } from './tables-log.ts';

const silence = storeError(new Silence());
const refused = storeError(new Error('connect ECONNREFUSED 127.0.0.1:2113'));
const full = unavailable(Object.assign(new Error('database or disk is full'), { errcode: 13 }));

test.each<[string, unknown, boolean]>([
  ['a store that says nothing', silence, true],
  ['a caller whose time was over', new BelegError('STORE_UNAVAILABLE', { retryAfter: 1 }), true],
  [
    'a caller who gave up while the store said nothing',
    new BelegError('STORE_UNAVAILABLE', { cause: silence }),
    true,
  ],
  ['a request that came too late', new BelegError('DEADLINE_EXCEEDED'), true],
  ['a store at whose address nothing answers', refused, false],
  [
    'a caller who gave up while nothing answers',
    new BelegError('STORE_UNAVAILABLE', { cause: refused }),
    false,
  ],
  ['a full disk', full, false],
  ['a record that contradicts itself', new BelegError('STREAM_CORRUPT'), false],
  ['a mistake', new TypeError('x is not a function'), false],
])('%s is only late: %s', (_, error, late) => {
  expect(isLate(error)).toBe(late);
});

test('tables that wait for a slow store or have another holder are a warning, those that wait for a store that is away an error', () => {
  const levels: unknown[] = [];
  const logger = pino(
    {},
    { write: (line: string) => levels.push((JSON.parse(line) as { level: number }).level) },
  );
  const { onState } = tablesLog(logger, 'trading', () => undefined);
  for (const error of [silence, new TablesMoved(), refused])
    onState({ name: 'trading', state: 'waiting', position: '', setAside: 0, error });
  expect(levels).toEqual([40, 40, 50]);
});

test('what fails because another process has gone on is a warning', () => {
  expect(failureLevel(new BelegError('WRONG_EXPECTED_REVISION'))).toBe('warn');
});
