import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATALOG } from '../events/catalog/catalog.ts';
import { createCodec } from '../events/define.ts';
import type { Projection } from '../events/projections/projection.ts';
import { startProjection } from '../events/projections/runner.ts';
import { openEmbeddedStore } from '../events/store/embedded/embedded.ts';
import type { EventMetadata, EventStore, NewEvent } from '../events/store/store.ts';
import { sharedFolder } from '../events/temporary-folder.suite.ts';
import { openText } from '../events/vault/seal.ts';
import type { Vault } from '../events/vault/vault.ts';
import { auditProjection } from './audit/projection.ts';
import { tradingProjection } from './trading/tables/projection.ts';
import { PATIENT } from '../events/patient.suite.ts';

const FOLDER = join(import.meta.dirname, '../events/catalog/recorded');

/**
 * Whole records as earlier releases wrote them, with the keys of their text, and what stood in those releases' own
 * tables: whatever becomes of an event since then, this is what it said.
 */
const RELEASES = [
  /** QuestionAsked without `context`, AnswerGiven without `verdict` and `checks`, OrderSubmitted without `weights`. */
  'before-review',
  /** The same events with those members, before they counted as a version of their own. */
  'before-versions',
] as const;

interface Line extends Omit<NewEvent, 'metadata'> {
  readonly stream: string;
  readonly revision: number;
  readonly hash: string;
  readonly metadata: EventMetadata;
}

type Tables = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

async function read(release: string): Promise<{ keys: Record<string, string>; lines: Line[] }> {
  const [first, ...rest] = (await readFile(join(FOLDER, `${release}.jsonl`), 'utf8')).trim().split('\n');
  const { keys } = JSON.parse(first!) as { keys: Record<string, string> };
  return { keys, lines: rest.map((line) => JSON.parse(line) as Line) };
}

const readOnly = () => Promise.reject(new Error('this vault is for reading'));

function vaultOf(keys: Readonly<Record<string, string>>): Pick<Vault, 'open' | 'seal' | 'confirm'> {
  return {
    open: async (name, sealed, context) =>
      openText(Buffer.from(keys[name]!, 'base64'), name, sealed, context),
    seal: readOnly,
    confirm: () => undefined,
  };
}

describe.each(RELEASES)('the record of the release %s', (release) => {
  const folder = sharedFolder();
  let store: EventStore;
  let lines: Line[];
  let vault: ReturnType<typeof vaultOf>;

  beforeAll(async () => {
    store = await openEmbeddedStore({ file: join(folder, 'events.db') });
    const recorded = await read(release);
    lines = recorded.lines;
    vault = vaultOf(recorded.keys);
    for (const { stream, revision, id, type, data, metadata } of lines) {
      await store.append(stream, BigInt(revision) - 1n, [{ id, type, data, metadata }]);
    }
  });

  afterAll(async () => {
    await store.close();
  });

  test('gives the same hash for each event: what was proven then is proven now', async () => {
    const hashes: string[] = [];
    for await (const event of store.readAll()) hashes.push(event.metadata.hash);
    expect(hashes).toEqual(lines.map(({ hash }) => hash));
  });

  test('reads as events of the present versions', async () => {
    const codec = createCodec(CATALOG, vault);
    const read = await Array.fromAsync(store.readAll(), (event) => codec.decode(event));
    expect(read.map((event) => event?.type)).toEqual(lines.map(({ type }) => type));
    const first = (type: string) => read.find((event) => event?.type === type)?.data;
    expect(first('QuestionAsked')).toMatchObject({ context: null });
    expect(first('AnswerGiven')).toMatchObject({ verdict: null, checks: null });
    expect(first('OrderSubmitted')).toMatchObject({ weights: null });
  });

  test.each<[string, Projection]>([
    ['audit', auditProjection],
    ['trading', tradingProjection],
  ])('gives the rows that it gave then: %s', async (name, projection) => {
    const codec = createCodec(CATALOG, vault);
    const file = join(folder, `${name}.db`);
    const runner = startProjection({ store, codec, projection, file });
    const [last] = await Array.fromAsync(store.readAll({ direction: 'backwards', limit: 1 }));
    await runner.waitFor(last!.position, PATIENT);
    await runner.stop();

    const db = new DatabaseSync(file, { readOnly: true });
    const expected = JSON.parse(await readFile(join(FOLDER, `${release}.rows.json`), 'utf8')) as Record<
      string,
      Tables
    >;
    for (const [table, rows] of Object.entries(expected[name]!)) {
      const columns = Object.keys(rows[0] ?? {});
      const found = rows.length === 0 ? [] : db.prepare(`SELECT ${columns.join()} FROM ${table}`).all();
      // Which key a table is kept by, and so the order of its rows, is its own affair.
      expect(sorted(found)).toEqual(sorted(rows));
    }
    db.close();
  });
});

const sorted = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();

test('each version of an event that there ever was is on one of these records', async () => {
  const seen = new Set<string>();
  for (const release of RELEASES) {
    for (const { type, metadata } of (await read(release)).lines) seen.add(`${type} ${metadata.version}`);
  }
  const earlier = CATALOG.flatMap(({ type, version }) =>
    Array.from({ length: version - 1 }, (_, index) => `${type} ${index + 1}`),
  );
  expect(earlier.filter((version) => !seen.has(version))).toEqual([]);
  expect(earlier.length).toBeGreaterThan(0);
});

test('a version has an upcast from each one before it', () => {
  for (const { version, upcasts } of CATALOG) {
    expect(Object.keys(upcasts)).toEqual(Array.from({ length: version - 1 }, (_, index) => `${index + 1}`));
  }
});
