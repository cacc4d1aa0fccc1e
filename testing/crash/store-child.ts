// The process that `store-trial.ts` kills. It prints lines: `ready`, then one for each acknowledgement.
import { join } from 'node:path';
import type { Codec } from '../../events/define.ts';
import { deterministicId } from '../../events/json.ts';
import type { Projection } from '../../events/projections/projection.ts';
import { startProjection } from '../../events/projections/runner.ts';
import { openSqliteVault } from '../../events/vault/sqlite.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { NO_STREAM, type AppendResult, type EventStore, type NewEvent } from '../../events/store/store.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';

const WRITERS = 6;

export const keyOf = (stream: string, revision: bigint): string => `${stream}_${revision}`;

/** The event id for a position in a stream: the same in each run of the process, so that a retry has the same id. */
export const idAt = (stream: string, revision: bigint): string => deterministicId(stream, revision);

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

async function sealedAt(vault: Vault, stream: string, revision: bigint): Promise<NewEvent> {
  const id = idAt(stream, revision);
  const key = keyOf(stream, revision);
  const { $sealed } = await vault.seal(key, `text of ${key}`, id);
  const at = '2022-03-01T08:00:00Z';
  const metadata = { at, version: 1, $correlationId: stream, $causationId: id, key };
  return { id, type: 'Written', data: { text: { $sealed } }, metadata };
}

async function isUsed(store: EventStore, key: string): Promise<boolean> {
  const [stream, revision] = key.split('_') as [string, string];
  for await (const event of store.readStream(stream, { from: BigInt(revision), limit: 1 })) {
    return event.metadata.key === key;
  }
  return false;
}

/** The last event of a stream, as it was appended. */
interface Last extends AppendResult {
  readonly event: NewEvent;
}

async function lastOf(store: EventStore, stream: string): Promise<Last | undefined> {
  for await (const recorded of store.readStream(stream, { direction: 'backwards', limit: 1 })) {
    const { id, type, data, revision, position } = recorded;
    const { hash: _, ...metadata } = recorded.metadata;
    return { event: { id, type, data, metadata }, revision, position };
  }
  return undefined;
}

/** Appends without an end; prints acknowledgements, and reports a repeated append that was not recognised. */
async function write(store: EventStore, vault: Vault, stream: string): Promise<never> {
  let last = await lastOf(store, stream);
  for (let round = 0; ; round++) {
    let head = last?.revision ?? NO_STREAM;
    if (last !== undefined && round % 4 === 0) {
      const again = await store.append(stream, head - 1n, [last.event]);
      if (again.position !== last.position) say(`doubled ${stream} ${head}`);
    }
    const size = 1 + Math.floor(Math.random() * 3);
    const events: NewEvent[] = [];
    for (let n = 1; n <= size; n++) events.push(await sealedAt(vault, stream, head + BigInt(n)));
    last = { ...(await store.append(stream, head, events)), event: events.at(-1)! };
    head = last.revision;
    say(`appended ${stream} ${head}`);
    for (const event of events) vault.confirm(event.metadata.key!);
    if (Math.random() < 0.02) {
      const erased = keyOf(stream, head);
      await vault.erase(erased);
      say(`erased ${erased}`);
    }
  }
}

/** One row for each event, so that the row count, the last position and the checkpoint must match. */
const written: Projection = {
  name: 'written',
  version: 1,
  tables: 'CREATE TABLE written (position INTEGER PRIMARY KEY, id TEXT NOT NULL) STRICT',
  apply(rows, event, place) {
    rows.run('INSERT INTO written VALUES (?, ?)', Number(place.position), event.id);
  },
};

/** The events here are not encrypted. */
const asItStands: Codec = {
  encode: () => Promise.reject(new Error('only for reading')),
  sealAnew: () => Promise.reject(new Error('only for reading')),
  decode: async (event) => event,
  confirm: () => undefined,
};

/** Waits for one word of the parent: `open`, then `go`. */
async function word(): Promise<void> {
  await new Promise((resolve) => process.stdin.once('data', resolve));
}

async function openBoth(folder: string): Promise<[EventStore, Vault]> {
  return Promise.all([
    openEmbeddedStore({ file: join(folder, 'events.db') }),
    openSqliteVault({ file: join(folder, 'vault.db') }),
  ]);
}

const [mode, folder] = process.argv.slice(2);
if (mode === 'warm-up') {
  // Ends in order, which fills the compile cache for the processes to be killed.
  for (const opened of await openBoth(folder!)) await opened.close();
} else if (mode === 'child') {
  await word();
  const [store, vault] = await openBoth(folder!);
  await vault.sweep((key) => isUsed(store, key));
  say('ready');
  await word();
  const audit = startProjection({
    store,
    codec: asItStands,
    projection: written,
    file: join(folder!, 'audit.db'),
  });
  if (Math.random() < 0.3) void audit.rebuild();
  await Promise.all(Array.from({ length: WRITERS }, (_, n) => write(store, vault, `w-${n}`)));
}
