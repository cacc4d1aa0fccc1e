import { spawn, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openText } from '../../events/vault/seal.ts';
import { chainHash, GENESIS_HASH } from '../../events/store/chain.ts';
import { idAt } from './store-child.ts';

/** A process is killed after this many lines at the latest. */
const MOST_TOLD = 120;

export interface CrashReport {
  kills: number;
  /** How many kills happened while the files were being opened and swept. */
  killsAtStart: number;
  appends: number;
  events: number;
  erased: number;
  /** The rows of a projection that was followed. */
  projected: number;
  /** The broken promises; empty if there are none. */
  faults: string[];
}

interface Promised {
  heads: Map<string, bigint>;
  erased: Set<string>;
}

/**
 * Kills a process with SIGKILL at random moments while it writes to store and vault, `kills` times with the same files,
 * and checks the files after each restart: everything acknowledged exists, nothing is doubled, the chain is intact,
 * every key has its text and every text its key, erased text stays erased, and a followed projection (which is
 * sometimes rebuilt) has exactly the rows that its checkpoint says.
 */
export async function runCrashTrial(options: {
  folder: string;
  kills: number;
  onProgress?: (report: CrashReport) => void;
}): Promise<CrashReport> {
  const report: CrashReport = {
    kills: 0,
    killsAtStart: 0,
    appends: 0,
    events: 0,
    erased: 0,
    projected: 0,
    faults: [],
  };
  const promised: Promised = { heads: new Map(), erased: new Set() };
  const seen: Seen = { position: 0, chains: new Map() };
  await once(startChild(options.folder, 'warm-up').process, 'close');
  // The next process is started while this one works, because the start takes most of the time.
  let next = startChild(options.folder);
  while (report.kills < options.kills && report.faults.length === 0) {
    const child = next;
    next = startChild(options.folder);
    const exited = once(child.process, 'close');
    child.process.stdin!.write('open');
    if (report.kills > 0 && Math.random() < 0.1) {
      report.killsAtStart++;
      await delay(Math.random() * 100);
    } else {
      await child.ready(report);
      check(options.folder, promised, seen, report);
      child.process.stdin!.write('go');
      await child.told(Math.random() * MOST_TOLD);
    }
    child.process.kill('SIGKILL');
    await exited;
    for (const line of child.lines) note(line, promised, report);
    report.kills++;
    options.onProgress?.(report);
  }
  next.process.stdin!.write('open');
  await next.ready(report);
  check(options.folder, promised, seen, report);
  next.process.kill('SIGKILL');
  await once(next.process, 'close');
  return report;
}

function startChild(
  folder: string,
  mode: 'child' | 'warm-up' = 'child',
): {
  process: ChildProcess;
  lines: string[];
  ready: (report: CrashReport) => Promise<void>;
  /** Resolves once the child has printed this many lines and does more work. */
  told: (count: number) => Promise<void>;
} {
  const file = fileURLToPath(new URL('./store-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, mode, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
  });
  // A killed process no longer reads its input.
  child.stdin.on('error', () => {});
  const lines: string[] = [];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const reading = createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'ready') resolve(true);
    else lines.push(line);
  });
  const told = async (count: number): Promise<void> => {
    for await (const _ of on(reading, 'line', { close: ['close'] })) if (lines.length >= count) return;
  };
  child.on('close', () => resolve(false));
  const ready = async (report: CrashReport): Promise<void> => {
    if (!(await promise)) report.faults.push('the process did not come up again');
  };
  return { process: child, lines, ready, told };
}

/** Notes what a line of the child's output says is on disk. A line that the kill has cut off matches nothing and is ignored. */
function note(line: string, promised: Promised, report: CrashReport): void {
  const appended = /^appended (w-\d+) (\d+)$/.exec(line);
  if (appended !== null) {
    report.appends++;
    promised.heads.set(appended[1]!, BigInt(appended[2]!));
  }
  const erased = /^erased (w-\d+_\d+)$/.exec(line);
  if (erased !== null) promised.erased.add(erased[1]!);
  if (line.startsWith('doubled')) report.faults.push(line);
}

interface Seen {
  position: number;
  chains: Map<string, { revision: bigint; hash: string }>;
}

/** Reads the files without the code under test, and only what is new since the last check. */
function check(folder: string, promised: Promised, seen: Seen, report: CrashReport): void {
  const events = new DatabaseSync(join(folder, 'events.db'), { readOnly: true, timeout: 2000 });
  const vault = new DatabaseSync(join(folder, 'vault.db'), { readOnly: true, timeout: 2000 });
  const fault = (text: string): number => report.faults.push(text);
  try {
    const keyOf = vault.prepare('SELECT key FROM keys WHERE name = ?');
    const rows = events.prepare('SELECT * FROM events WHERE position > ? ORDER BY position');
    for (const row of rows.iterate(seen.position)) {
      const { position, stream, revision, id, type, data, metadata, hash } = row as unknown as EventRow;
      const last = seen.chains.get(stream) ?? { revision: -1n, hash: GENESIS_HASH };
      const place = `${stream} ${revision}`;
      if (BigInt(revision) !== last.revision + 1n) fault(`${place} follows ${last.revision}`);
      if (id !== idAt(stream, BigInt(revision))) fault(`${place} holds another event`);
      const event = { stream, revision, id, type, data, metadata };
      if (chainHash(last.hash, event) !== hash) fault(`${place} breaks the chain`);
      seen.chains.set(stream, { revision: BigInt(revision), hash });
      seen.position = position;

      const { key: name } = JSON.parse(metadata) as { key: string };
      const found = keyOf.get(name);
      if (found === undefined) fault(`${place} has no key`);
      const key = found?.['key'] as Uint8Array | null | undefined;
      const { text } = JSON.parse(data) as { text: { $sealed: string } };
      if (key && openText(key, name, text, id) !== `text of ${name}`) fault(`${place} does not open`);
    }
    report.events = count(events, 'SELECT count(*) AS n FROM events');
    report.erased = count(vault, 'SELECT count(*) AS n FROM keys WHERE key IS NULL');
    const keys = count(vault, 'SELECT count(*) AS n FROM keys');
    if (report.events !== seen.position) fault(`${report.events} events up to position ${seen.position}`);
    if (keys !== report.events) fault(`${keys} keys for ${report.events} events`);
    for (const [stream, revision] of promised.heads) {
      const head = seen.chains.get(stream)?.revision ?? -1n;
      if (head < revision) fault(`${stream} was acknowledged up to ${revision}, and ends at ${head}`);
    }
    for (const name of promised.erased) {
      if (keyOf.get(name)?.['key'] !== null) fault(`${name} was erased, and has a key`);
    }
    const audit = join(folder, 'audit.db');
    if (existsSync(audit)) checkProjection(audit, report);
  } finally {
    events.close();
    vault.close();
  }
}

/** Rows and checkpoint match, and no row is doubled: there is one row for each event, by its position. */
function checkProjection(file: string, report: CrashReport): void {
  using db = new DatabaseSync(file, { timeout: 2000 });
  if (count(db, "SELECT count(*) AS n FROM sqlite_schema WHERE name = 'written'") === 0) return;
  const rows = count(db, 'SELECT count(*) AS n FROM written');
  const last = count(db, 'SELECT coalesce(max(position), 0) AS n FROM written');
  const checkpoint = count(db, 'SELECT CAST(position AS INTEGER) AS n FROM projections');
  report.projected = Math.max(report.projected, rows);
  if (rows !== checkpoint || last !== checkpoint) {
    report.faults.push(`${rows} rows up to ${last} with the checkpoint ${checkpoint}`);
  }
  if (checkpoint > report.events) report.faults.push('the projection is ahead of the record');
}

function count(db: DatabaseSync, sql: string): number {
  return db.prepare(sql).get()!['n'] as number;
}

interface EventRow {
  position: number;
  stream: string;
  revision: number;
  id: string;
  type: string;
  data: string;
  metadata: string;
  hash: string;
}
