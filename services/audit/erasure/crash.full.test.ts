import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { verifyRecord } from '../../../events/proof/verify.ts';
import { seeded } from '../../../events/seeded.ts';
import { ErasurePlace } from './place.suite.ts';
import { PATIENT } from '../../../events/patient.suite.ts';

const KILLS = 6;
/** In turn: in the middle of the first erasures, on its way up, and later on. */
const SAID = ['asked', 'ready', 'erased'];
/** Milliseconds within which a process is killed: about as long as a round of erasing takes. */
const KILL_WITHIN_MS = 150;

/** Erases in a process that is killed this long after it printed `after`; returns the earlier lines. */
async function eraseUntilKilled(
  folder: string,
  name: string,
  after: string,
  waitMs: number,
): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', '..', '..', 'testing', 'crash', 'erasure-child.ts'), folder, name],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const lines: string[] = [];
  try {
    const reading = createInterface({ input: child.stdout });
    const said = Promise.withResolvers<void>();
    reading.on('line', (line) => {
      lines.push(line);
      if (line.startsWith(after)) said.resolve();
    });
    const closed = once(reading, 'close');
    await Promise.race([said.promise, closed]);
    await delay(waitMs);
    child.kill('SIGKILL');
    await closed;
  } finally {
    child.kill('SIGKILL');
  }
  return lines;
}

test(
  'a kill at any moment leaves an erasure undone, or it is completed at the next start',
  { timeout: 600_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'beleg-erasure-crash-'));
    const random = seeded(3);
    const told: string[] = [];
    // Each process continues with what the previous one left.
    for (let kill = 0; kill < KILLS; kill++) {
      told.push(
        ...(await eraseUntilKilled(folder, `${kill}`, SAID[kill % SAID.length]!, random() * KILL_WITHIN_MS)),
      );
    }
    const place = await ErasurePlace.open(folder);
    try {
      place.eraser();
      const requested = async () =>
        (await place.erasures()).filter((line) => line.startsWith('ErasureRequested')).length;
      const events = 2 * (await requested());
      await vi.waitFor(
        () => expect(place.rows('PRAGMA user_version')).toEqual([{ user_version: events }]),
        PATIENT,
      );
      const erased = (await place.erasures())
        .filter((line) => line.startsWith('TextErased '))
        .map((line) => line.slice('TextErased '.length));
      expect(new Set(erased).size).toBe(await requested());
      expect(erased).toHaveLength(await requested());
      expect(place.filesOf(...erased)).toEqual([]);
      // What was acknowledged is among them, and there was something to be interrupted.
      const promised = told
        .filter((line) => line.startsWith('erased '))
        .map((line) => line.slice('erased '.length));
      expect(promised.filter((id) => !erased.includes(id))).toEqual([]);
      expect(promised.length).toBeGreaterThan(0);
      expect((await verifyRecord(place.store)).findings).toEqual([]);
      const kept = place.rows('SELECT request_id FROM requests WHERE erased_at IS NULL');
      expect(
        place.rows(
          'SELECT count(*) AS n FROM interactions i JOIN requests r USING (request_id) WHERE r.erased_at IS NULL AND i.answer IS NULL',
        ),
      ).toEqual([{ n: 0 }]);
      expect(kept.length).toBeGreaterThan(0);
    } finally {
      await place.remove();
    }
  },
);
