import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeFinding, type Finding } from '../../proof/finding-words.ts';
import { verifyStream } from '../../proof/verify-stream.ts';
import { verifyRecord } from '../../proof/verify.ts';
import { temporaryFolder } from '../../temporary-folder.suite.ts';
import { newEvents } from '../contract.suite.ts';
import { NO_STREAM } from '../store.ts';
import { openEmbeddedStore } from './embedded.ts';
import { openEmbeddedReader } from './read-only.ts';

/** The last event once more, at another place. */
const copy = (columns: string): string =>
  `INSERT INTO events SELECT ${columns}, category, type, 'x', hash, metadata, data FROM events WHERE position = 240`;

describe('The bytes of the embedded store', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = temporaryFolder();
    file = join(folder, 'events.db');
    const store = await openEmbeddedStore({ file });
    for (let n = 0; n < 12; n++) await store.append(`ask-${n}`, NO_STREAM, newEvents(20));
    await store.close();
  });

  async function findings(): Promise<readonly Finding[]> {
    const reader = openEmbeddedReader({ file });
    try {
      return (await verifyRecord(reader)).findings;
    } finally {
      await reader.close();
    }
  }

  function tamper(sql: string): void {
    const db = new DatabaseSync(file);
    const triggers = db.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").all();
    db.exec(`DROP TRIGGER events_keep; DROP TRIGGER events_fix; ${sql}`);
    for (const trigger of triggers) db.exec(trigger['sql'] as string);
    db.close();
  }

  /** Writes other bytes wherever these stand: pages keep copies of what has moved on. */
  function overwrite(text: string, other: string, from = 0, to = Infinity): void {
    const bytes = readFileSync(file);
    for (let at = bytes.indexOf(text, from); at !== -1 && at < to; at = bytes.indexOf(text, at + 1)) {
      bytes.write(other, at);
    }
    writeFileSync(file, bytes);
  }

  test('are whole', async () => {
    expect(await findings()).toEqual([]);
  });

  test('are read while a writer goes on: what was there at the beginning is verified', async () => {
    const store = await openEmbeddedStore({ file });
    try {
      let appended = 0;
      const report = await verifyRecord(store, {
        onProgress: (done, total) => {
          expect(done).toBeLessThanOrEqual(total!);
          void store.append(`late-${appended++}`, NO_STREAM, newEvents(1));
        },
      });
      expect(report).toMatchObject({ events: 240, findings: [] });
      expect(appended).toBeGreaterThan(0);
    } finally {
      await store.close();
    }
  });

  test('hold JSON that nobody can parse: the event is named', async () => {
    tamper(`UPDATE events SET data = '{"n":' WHERE stream = 'ask-3' AND revision = 7`);
    expect((await findings()).map(describeFinding)).toEqual(['ask-3: revision 7 was changed']);
  });

  test('hold the same data in another writing: it is not what was hashed', async () => {
    tamper(`UPDATE events SET data = '{"n": 7}' WHERE stream = 'ask-3' AND revision = 7`);
    expect((await findings()).map(describeFinding)).toEqual(['ask-3: revision 7 was changed']);
  });

  test('file an event where filters miss it', async () => {
    tamper(`UPDATE events SET category = 'other-' WHERE stream = 'ask-3' AND revision = 7`);
    expect((await findings()).map(describeFinding)).toEqual([
      'ask-3: readers do not find revision 7: it is stored under the wrong category "other-"',
    ]);
  });

  test.each(['-5', '0', '1 << 60'])(
    'hold an event at position %s, where only readers of its stream see it',
    async (position) => {
      tamper(copy(`${position}, stream, 20`));
      const detail = 'its position is outside the record';
      expect(await findings()).toContainEqual(
        expect.objectContaining({ kind: 'misfiled', stream: 'ask-11', revision: 20, detail }),
      );
      const reader = openEmbeddedReader({ file });
      const { findings: found } = await verifyStream(reader, 'ask-11');
      expect(found).toContainEqual(expect.objectContaining({ kind: 'misfiled', revision: 20, detail }));
      await reader.close();
    },
  );

  test('hold a revision beyond all numbers: an event that cannot be read, and no crash', async () => {
    tamper(copy('241, stream, 1 << 60'));
    expect(await findings()).toMatchObject([{ kind: 'unreadable' }]);
  });

  test('hold an event before the first of its stream', async () => {
    tamper(copy('241, stream, -1'));
    expect(await findings()).toMatchObject([{ kind: 'out-of-order', stream: 'ask-11', revision: -1 }]);
  });

  test('hold text that is too long to be ours: it is not read', async () => {
    tamper(`UPDATE events SET data = '"' || hex(zeroblob(5000000)) || '"' WHERE position = 47`);
    expect(await findings()).toContainEqual(
      expect.objectContaining({ kind: 'unreadable', stream: 'ask-2', revision: 6 }),
    );
  });

  test.each([
    ['the index events_kind is missing', 'DROP INDEX events_kind'],
    [
      'the index events_kind was replaced by a different one',
      `DROP INDEX events_kind; CREATE INDEX events_kind ON events (category, type) WHERE revision < 3`,
    ],
    ['there is an unexpected trigger also', 'CREATE TRIGGER also AFTER INSERT ON events BEGIN SELECT 1; END'],
  ])('are of tables that were made otherwise: %s', async (detail, sql) => {
    tamper(sql);
    expect(await findings()).toEqual([{ kind: 'damaged', detail }]);
  });

  test('show different events to different readers by a view in the place of the table', async () => {
    const db = new DatabaseSync(file);
    db.exec(`ALTER TABLE events RENAME TO others; CREATE VIEW events AS SELECT * FROM others`);
    db.close();
    expect(await findings()).toContainEqual({
      kind: 'damaged',
      detail: 'there is an unexpected view events',
    });
  });

  test('leave positions out, in the middle and over many pages', async () => {
    tamper(
      `DELETE FROM events WHERE position = 60; UPDATE events SET position = position + 1000000 WHERE position > 200`,
    );
    const found = (await findings()).map(describeFinding);
    expect(found).toContain('there is no event at position 60: events were removed');
    expect(found).toContain('there is no event at positions 201 to 1000200: events were removed');
  });

  test('are other bytes in the file', async () => {
    overwrite('"n":13', '"n":14');
    const changed = Array.from({ length: 12 }, (_, n) => ({
      kind: 'changed',
      stream: `ask-${n}`,
      revision: 13,
    }));
    expect(await findings()).toMatchObject(changed);
  });

  test('differ between the table and an index: the event that is not found is named', async () => {
    const db = new DatabaseSync(file, { readOnly: true });
    const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'events_kind'").get()![
      'rootpage'
    ];
    const { page_size: size } = db.prepare('PRAGMA page_size').get() as { page_size: number };
    db.close();
    overwrite('ask-Noted', 'asl-Noted', ((root as number) - 1) * size, (root as number) * size);
    expect(await findings()).toContainEqual(
      expect.objectContaining({
        kind: 'misfiled',
        stream: 'ask-6',
        revision: 1,
        detail: expect.stringContaining('events_kind') as string,
      }),
    );
  });

  test('are cut, or of whole pages that are nothing: no crash, a finding', async () => {
    const bytes = readFileSync(file);
    for (const page of [1, 3, 10, 20]) {
      writeFileSync(file, Buffer.from(bytes).fill(0xaa, page * 4096, (page + 1) * 4096));
      expect(await findings().catch((error: unknown) => [error])).not.toEqual([]);
    }
    writeFileSync(file, bytes.subarray(0, bytes.length - 3 * 4096));
    expect(await findings().catch((error: unknown) => [error])).not.toEqual([]);
  });

  test('whichever byte of an event is another one, it is found', async () => {
    const bytes = readFileSync(file);
    const text = bytes.toString('latin1');
    // A row up to its metadata, as long as the shortest. Where an event stands twice, one is a copy that its page no
    // longer uses.
    const rows = [...text.matchAll(/(?<=(.{129}))\{"\$causationId"[^{}]*\}\{"n":\d+\}/gsu)].filter(
      ([, before]) => text.split(before!).length === 2,
    );
    expect(rows.length).toBeGreaterThan(50);
    const places = rows
      .flatMap(({ 0: rest, 1: before, index }) =>
        Array.from(before! + rest, (_, n) => index - before!.length + n),
      )
      // The first byte of a row tells how long its head is (here 12), the second the type of the row's number, which
      // stands elsewhere: nobody reads that one.
      .filter((at) => !(bytes[at] === 0 && bytes[at - 1] === 12));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(places.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (place, flipped) => {
          const other = Buffer.from(bytes);
          other[places[place]!]! ^= flipped;
          writeFileSync(file, other);
          expect(await findings()).not.toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });
});
