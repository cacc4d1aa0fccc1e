import { mkdtempDisposable } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CATALOG } from '../events/catalog/catalog.ts';
import { createCodec } from '../events/define.ts';
import { openEmbeddedStore } from '../events/store/embedded/embedded.ts';
import { openSqliteVault } from '../events/vault/sqlite.ts';
import { measureProcess, type Measured } from './audit/measure.ts';
import { ACCOUNT, writeRecord } from './audit/record.ts';

/** Starts the command as services/operator/launch.mjs does. */
const AUDIT = [
  '--no-wasm-tier-up',
  join(import.meta.dirname, '..', 'services', 'operator', 'beleg.ts'),
  'audit',
];
const PEER = join(import.meta.dirname, 'audit', 'peer.ts');

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

/**
 * `npm run bench -- audit [--events 1000000] [--account 300000]`: replay and verification of a large record
 * by the commands that operators use, beside plain SQLite and plain hashing of the same rows, and the state of its account.
 * `--account` of these events are one account's, the others asks with sealed text.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '1000000' },
      account: { type: 'string', default: '300000' },
    },
  });
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'beleg-bench-'));
  const folder = temporary.path;
  const events = await prepare(folder, { events: Number(values.events), account: Number(values.account) });
  console.log(`A record of ${whole(events)} events (load of the machine: ${loadavg()[0]!.toFixed(1)})`);
  const measured: (Measured & { readonly events: number })[] = [];
  for (const [what, program] of [
    ['beleg audit replay --as-fast', [...AUDIT, 'replay', '--as-fast']],
    ['beleg audit replay --as-fast --text', [...AUDIT, 'replay', '--as-fast', '--text']],
    ['plain SQLite, JSON lines', [PEER, 'replay', folder]],
    ['beleg audit verify', [...AUDIT, 'verify']],
    ['plain SHA-256 of all rows', [PEER, 'hash', folder]],
  ] as const) {
    measured.push({ ...(await measureProcess(what, folder, [...program])), events });
  }
  const looked = await measureProcess('beleg audit state', folder, [...AUDIT, 'state', ACCOUNT]);
  measured.push({ ...looked, events: Number(values.account) });
  console.table(
    measured.map(({ what, seconds, peakMiB, events }) => ({
      what,
      seconds: seconds.toFixed(1),
      'events/s': whole(events / seconds),
      'peak MiB': peakMiB === null ? '' : whole(peakMiB),
    })),
  );
}

async function prepare(folder: string, sizes: { events: number; account: number }): Promise<number> {
  const store = await openEmbeddedStore({ file: join(folder, 'events.db') });
  const vault = await openSqliteVault({ file: join(folder, 'keys.db') });
  try {
    let told = 0;
    return await writeRecord(store, createCodec(CATALOG, vault), sizes, (events) => {
      if (events - told < 100_000) return;
      told = events;
      console.error(`${whole(events)} events written`);
    });
  } finally {
    await store.close();
    await vault.close();
  }
}
