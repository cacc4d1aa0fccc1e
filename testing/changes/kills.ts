import { createHash } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { seeded } from '../../events/seeded.ts';
import { openKnowledge } from '../../kb/open.ts';
import { snapshotIn } from '../../kb/snapshot/listed-files.ts';
import { Client, Workspace } from '../processes/application.suite.ts';
import { BelegProcess } from '../processes/process.suite.ts';
import { differencesToRebuild } from './as-rebuilt.ts';
import { allowancesIn, ChangingFolder, keyOf, questionAbout } from './changing-folder.ts';

/** Milliseconds after its start, or after it listens, within which a process is killed. */
const KILL_WITHIN_MS = 2_500;
const MOST_BETWEEN_CHANGES_MS = 120;
/** Questions to each process that has started. */
const ASKS = 3;

interface KillsReport {
  readonly kills: number;
  readonly changes: number;
  /** After how many kills the snapshot was that of the files, and after how many it was not. */
  readonly snapshots: { readonly current: number; readonly older: number };
  readonly faults: readonly string[];
}

/**
 * Kills `beleg serve` at random moments while files of its base change and it takes them in: while it starts, reads, counts,
 * builds or writes its snapshot. After each kill, an index is opened of what is on disk and compared with one that is built of the files
 * alone; then the next process starts on the same disk and is asked.
 */
export async function runKills(options: {
  readonly kills: number;
  readonly seed: number;
  readonly onKill?: (kill: number) => void;
}): Promise<KillsReport> {
  const random = seeded(options.seed);
  const workspace = await Workspace.create();
  const environment = workspace.environment({
    PV_KB_WATCH: 'true',
    PV_AUDIT_ENABLED: 'false',
    LOG_LEVEL: 'fatal',
    TD_STRATEGY: 'none',
  });
  const base = createHash('sha256').update(workspace.kb).digest('hex').slice(0, 16);
  const snapshotDir = join(workspace.data, 'index', base);
  const faults: string[] = [];
  const snapshots = { current: 0, older: 0 };
  let changes = 0;
  try {
    const folder = await ChangingFolder.create({ folder: workspace.kb, random });

    /** Changes files, and now and then what makes a worker write the snapshot, until it is told to end. */
    async function change(until: AbortSignal, client: Client | null): Promise<void> {
      while (!until.aborted) {
        await folder.change();
        changes++;
        if (random() < 0.05) await rm(snapshotIn(snapshotDir), { force: true });
        if (random() < 0.1) await client?.post('/v1/reindex').catch(() => undefined);
        await pause(random() * MOST_BETWEEN_CHANGES_MS);
      }
    }

    for (let kill = 1; kill <= options.kills; kill++) {
      const server = new BelegProcess(['serve'], environment);
      // One in four processes is killed while it starts.
      let client: Client | null = null;
      if (random() >= 0.25) {
        client = new Client(await server.listening);
        faults.push(...(await wrongAnswers(client, folder)).map((fault) => `start ${kill}: ${fault}`));
      }
      const over = new AbortController();
      const changing = change(over.signal, client);
      await pause(random() * KILL_WITHIN_MS);
      await server.kill();
      over.abort();
      await changing;

      const copy = join(workspace.folder, 'copy');
      await cp(snapshotDir, copy, { recursive: true }).catch(ifThere);
      const opened = await openKnowledge({ folder: workspace.kb, snapshotDir: copy });
      snapshots[opened.fromSnapshot ? 'current' : 'older']++;
      const differences = await differencesToRebuild(opened.index, workspace.kb, folder.questions(5));
      faults.push(...differences.map((difference) => `kill ${kill}: ${difference}`));
      await rm(copy, { recursive: true, force: true });
      options.onKill?.(kill);
    }
  } finally {
    await workspace.remove();
  }
  return { kills: options.kills, changes, snapshots, faults };
}

/** A process that has started knows what the files say, and nothing else. */
async function wrongAnswers(client: Client, folder: ChangingFolder): Promise<string[]> {
  const faults: string[] = [];
  const said = new Set(folder.allowances.filter((file) => !file.isBroken).map(keyOf));
  for (const { name } of folder.allowances.slice(-ASKS)) {
    const { status, body } = await client.ask(questionAbout(name));
    if (status !== 200) faults.push(`an ask got ${status}`);
    else
      faults.push(
        ...allowancesIn(body.answer)
          .map(keyOf)
          .filter((key) => !said.has(key))
          .map((key) => `${key} is told, and no file says it`),
      );
  }
  return faults;
}

function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
