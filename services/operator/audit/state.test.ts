import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { submitted } from '../../../events/catalog/order-submitted.suite.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { INDEX_STREAM } from '../../../events/catalog/knowledge.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import { createCodec } from '../../../events/define.ts';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import { NO_STREAM } from '../../../events/store/store.ts';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import type { Vault } from '../../../events/vault/vault.ts';
import { createEvents } from '../../foundation/streams/stamp-events.ts';
import { parsePoint } from '../command-line.ts';
import { changesBetween, diff } from './diff.ts';
import { state } from './state.ts';

const STREAM = accountStream('main');
const ofOrder = { order_id: 'o-1', ticker: 'AAA' };

const DRAFTS = [
  { type: 'AccountOpened', data: { account: 'main', currency: 'USD', cash: '1000' } },
  { type: 'TradingStarted', data: {} },
  {
    type: 'OrderSubmitted',
    data: submitted({
      ...ofOrder,
      type: 'limit',
      quantity: '2',
      price: '100.5',
      time_in_force: 'gtc',
      reference_price: '100.5',
    }),
  },
  { type: 'OrderAccepted', data: { ...ofOrder, cursor: '1' } },
  {
    type: 'OrderFilled',
    data: {
      ...ofOrder,
      trade_id: 't-1',
      action: 'buy',
      quantity: '2',
      price: '100.25',
      fee: '1',
      session: '2024-01-01',
      settles_after: 0,
      cursor: '2',
    },
  },
];

let folder: string;
let printed: string;
let said: string;

beforeEach(async () => {
  folder = temporaryFolder();
  const store = await openEmbeddedStore({ file: join(folder, 'events.db') });
  const codec = createCodec(CATALOG, {} as Vault);
  let revision = NO_STREAM;
  for (const [n, draft] of DRAFTS.entries()) {
    const at = `2024-01-01T08:00:0${n}.000Z`;
    const cause = { stream: STREAM, at, correlationId: 'r', causationId: `call-${n}`, key: 'r' };
    const events = createEvents([draft], cause, { redact: false });
    const encoded = await Promise.all(events.map((event) => codec.encode(event)));
    ({ revision } = await store.append(STREAM, revision, encoded));
  }
  await store.close();
  vi.stubEnv('DATA_DIR', folder);
  printed = said = '';
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (printed += `${text}\n`));
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (said += `${text}\n`));
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

describe('beleg audit state', () => {
  test('shows the end of a stream, its amounts as decimals', async () => {
    await state(STREAM, {});
    expect(printed).toContain('account-main at revision 4\n  after   OrderFilled');
    expect(printed).toMatch(/hash {4}[0-9a-f]{64}\n/u);
    expect(printed).toContain('cash: "798.5"');
    expect(printed).toContain('  AAA:\n    quantity: "2"\n    of_strategy: "0"\n    cost: "200.5"');
  });

  test('shows an earlier revision, or a time, as JSON too', async () => {
    await state(STREAM, { at: parsePoint('2'), json: true });
    const found = JSON.parse(printed) as Record<string, unknown>;
    expect(found).toMatchObject({
      stream: STREAM,
      kind: 'account',
      revision: 2,
      event: { type: 'OrderSubmitted', at: '2024-01-01T08:00:02.000Z' },
      state: { cash: '1000', orders: { 'o-1': { status: 'submitted', quantity: '2', price: '100.5' } } },
    });
    printed = '';
    await state(STREAM, { at: parsePoint('2024-01-01T09:00:02.999+01:00'), json: true });
    expect(JSON.parse(printed)).toEqual(found);
  });

  test('says what is not there, names what is called nearly so, and exits with 5', async () => {
    await state('acount-main', {});
    expect(said).toBe('beleg: there is no stream named acount-main\n  nearest:\n  account-main\n');
    await state(INDEX_STREAM, {});
    await state(STREAM, { at: parsePoint('99') });
    await state(STREAM, { at: parsePoint('2023-01-01') });
    expect(said).toContain('account-main ends at revision 4\n');
    expect(said).toContain('account-main has no event at or before 2023-01-01T00:00:00.000Z\n');
    expect(process.exitCode).toBe(5);
    expect(printed).toBe('');
  });
});

describe('beleg audit diff', () => {
  test('shows what changed, by path, and the events in between by type, the earlier point first', async () => {
    await diff(STREAM, { at: parsePoint('2024-01-01T08:00:03.000Z') });
    const there = printed;
    printed = '';
    await diff(STREAM, { at: parsePoint('4'), and: parsePoint('3') });
    expect(printed).toBe(there);
    expect(there.split('\n')).toEqual([
      'account-main from revision 3 (2024-01-01T08:00:03.000Z) to 4 (2024-01-01T08:00:04.000Z)',
      '1 event: 1 OrderFilled',
      '',
      '~ cash: 1000 -> 798.5',
      '+ positions.AAA: {"quantity":"2","of_strategy":"0","cost":"200.5","realized":"-1","dividends":"0","borrowing":"0","fees":"1","priced":"2024-01-01"}',
      '+ marks.AAA: 100.25',
      '~ cursor: 1 -> 2',
      '~ reserved.at_limit: 201 -> 0',
      '~ orders.o-1.status: accepted -> filled',
      '~ orders.o-1.filled: 0 -> 2',
      '~ orders.o-1.filled_value: 0 -> 200.5',
      '~ orders.o-1.fees: 0 -> 1',
      '~ orders.o-1.trades: [] -> ["t-1"]',
      '',
    ]);
  });

  test('of a point with itself is empty', async () => {
    await diff(STREAM, { at: parsePoint('4') });
    expect(printed).toContain('0 events\n\nno differences\n');
  });
});

test('differences are found in things by their names, in lists as a whole', () => {
  expect(changesBetween({ a: 1, b: { c: [1] }, d: null }, { a: 1, b: { c: [1, 2] }, e: {} })).toEqual([
    { kind: 'changed', path: 'b.c', from: [1], to: [1, 2] },
    { kind: 'removed', path: 'd', from: null },
    { kind: 'added', path: 'e', to: {} },
  ]);
});
