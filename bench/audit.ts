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
import { measureStates } from './audit/states.ts';
import { quantile } from './quantile.ts';

/** As services/operator/launch.mjs starts its commands. */
const AUDIT = [
  '--no-wasm-tier-up',
  join(import.meta.dirname, '..', 'services', 'operator', 'beleg.ts'),
  'audit',
];
const PEER = join(import.meta.dirname, 'audit', 'peer.ts');

const at = (values: readonly number[], share: number): string => quantile(values, share).toFixed(1);

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

/**
 * `npm run bench -- audit [--events 1000000] [--account 300000] [--looks 200]`: replay and verification of a large record
 * by the commands that operators use, beside plain SQLite and plain hashing of the same rows, and states of its account at
 * random points. `--account` of these events are one account's, the others asks with sealed text.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '1000000' },
      account: { type: 'string', default: '300000' },
      looks: { type: 'string', default: '200' },
    },
  });
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'beleg-bench-'));
  const folder = temporary.path;
  const events = await prepare(folder, { events: Number(values.events), account: Number(values.account) });
  console.log(`A record of ${whole(events)} events (load of the machine: ${loadavg()[0]!.toFixed(1)})`);
  const measured: Measured[] = [];
  for (const [what, program] of [
    ['beleg audit replay --as-fast', [...AUDIT, 'replay', '--as-fast']],
    ['beleg audit replay --as-fast --text', [...AUDIT, 'replay', '--as-fast', '--text']],
    ['plain SQLite, JSON lines', [PEER, 'replay', folder]],
    ['beleg audit verify', [...AUDIT, 'verify']],
    ['plain SHA-256 of all rows', [PEER, 'hash', folder]],
  ] as const) {
    measured.push(await measureProcess(what, folder, [...program]));
  }
  console.table(
    measured.map(({ what, seconds, peakMiB }) => ({
      what,
      seconds: seconds.toFixed(1),
      'events/s': whole(events / seconds),
      'peak MiB': peakMiB === null ? '' : whole(peakMiB),
    })),
  );
  await tellStates(folder, Number(values.looks));
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

async function tellStates(folder: string, looks: number): Promise<void> {
  for (const what of ['cold', 'warm']) {
    const { firstSeconds, events, revisions, times, cpuMs } = await measureStates(folder, ACCOUNT, looks);
    if (what === 'cold') {
      console.log(
        `Account of ${whole(events)} events: first look, which makes the snapshots, ${firstSeconds.toFixed(1)} s`,
      );
    }
    console.table(
      Object.entries({ revision: revisions, time: times }).map(([by, values]) => ({
        [`state at a ${what === 'cold' ? 'random' : 'known'}`]: by,
        'p50 ms': at(values, 0.5),
        'p95 ms': at(values, 0.95),
        'max ms': at(values, 1),
        'CPU ms': cpuMs.toFixed(1),
      })),
    );
  }
}
