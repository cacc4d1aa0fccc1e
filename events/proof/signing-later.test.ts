import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CHECKPOINTS_STREAM } from '../catalog/audit.ts';
import { openEmbeddedStore } from '../store/embedded/embedded.ts';
import { openEmbeddedReader } from '../store/embedded/read-only.ts';
import { writeEmbeddedFile } from '../store/embedded/rewrite.suite.ts';
import { sharedFolder } from '../temporary-folder.suite.ts';
import { verifyArchive } from './archive/verify.ts';
import { writeArchive } from './archive/write.ts';
import type { Checkpoint } from './checkpoint.ts';
import { createSigningKey, type SigningKey } from './keys.ts';
import { parseNote, signNote } from './signed-note.ts';
import { chainAnew, checkpointAnew, writeRecord, type Row, type Untouched } from './tampered-record.suite.ts';
import { verifyStream } from './verify-stream.ts';
import { verifyRecord, type VerifyOptions } from './verify.ts';

const linesOf = ({ lines }: Untouched) =>
  async function* (): AsyncGenerator<string> {
    yield* lines;
  };

const isCheckpoint = ({ stream }: Row): boolean => stream === CHECKPOINTS_STREAM;
const unsign = (note: string): string => signNote(parseNote(note).text, []);

/** The signatures of these checkpoints taken away, with a chain that fits. */
const stripped = (rows: readonly Row[], revisions: readonly number[]): Row[] =>
  chainAnew(
    rows.map((row) => {
      if (!isCheckpoint(row) || !revisions.includes(row.revision)) return row;
      const checkpoint = JSON.parse(row.data) as Checkpoint;
      return {
        ...row,
        data: row.data.replace(JSON.stringify(checkpoint.note), JSON.stringify(unsign(checkpoint.note))),
      };
    }),
    CHECKPOINTS_STREAM,
  );

describe('A record that was signed from its second checkpoint on', () => {
  const { key } = createSigningKey();
  const folder = sharedFolder();
  let later: Untouched;
  let next = 0;

  beforeAll(async () => {
    later = await recordSignedBy(null, key);
  });

  async function recordSignedBy(...keys: [SigningKey | null, ...(SigningKey | null)[]]): Promise<Untouched> {
    const store = await openEmbeddedStore({ file: join(folder, `${next++}.db`) });
    try {
      return await writeRecord(store, ...keys);
    } finally {
      await store.close();
    }
  }

  async function over<T>(
    rows: readonly Row[],
    look: (record: ReturnType<typeof openEmbeddedReader>) => Promise<T>,
  ): Promise<T> {
    const file = join(folder, `${next++}.db`);
    writeEmbeddedFile(file, rows);
    const record = openEmbeddedReader({ file });
    try {
      return await look(record);
    } finally {
      await record.close();
    }
  }

  const verifying = (rows: readonly Row[], options: VerifyOptions = { key }) =>
    over(rows, (record) => verifyRecord(record, options));

  test('is whole, says from where on it is signed, and counts what stands before as covered', async () => {
    const [, second] = later.sizes;
    const signedFrom = { size: second, before: 1 };
    expect(await verifying(later.rows, { key, outside: linesOf(later), expect: later.newest })).toMatchObject(
      {
        findings: [],
        checkpoints: { record: 3, outside: 3, agreed: 3, agreesUpTo: later.newest.size },
        signedFrom,
      },
    );
    // `ask-1` is listed by the first checkpoint alone.
    expect(await over(later.rows, (record) => verifyStream(record, 'ask-1', { key }))).toMatchObject({
      findings: [],
      signedFrom,
    });
    expect(await verifying(later.rows, {})).toMatchObject({ findings: [], signedFrom: null });
  });

  test('has nothing before the first signed checkpoint that could be changed unnoticed', async () => {
    const without = later.rows.filter(({ stream }) => stream !== 'ask-1');
    const missing = expect.objectContaining({ kind: 'stream-missing', stream: 'ask-1' });
    expect((await verifying(without)).findings).toContainEqual(missing);
    expect((await over(without, (record) => verifyStream(record, 'ask-1', { key }))).findings).toContainEqual(
      missing,
    );

    const changed = later.rows.map((row) =>
      row.stream === 'ask-1' && row.revision === 1 ? { ...row, data: row.data.replace('ä', 'a') } : row,
    );
    expect((await verifying(chainAnew(changed, 'ask-1'))).findings).toContainEqual(
      expect.objectContaining({ kind: 'rewritten', stream: 'ask-1' }),
    );
    // The unsigned checkpoint is rewritten to fit: the signed one shows it.
    const anew = checkpointAnew(changed, (checkpoint) => checkpoint);
    const firstSigned = later.rows.findIndex((row) => isCheckpoint(row) && row.revision === 1);
    const fitting = [...anew.slice(0, firstSigned), ...later.rows.slice(firstSigned)];
    const { findings } = await verifying(chainAnew(fitting, CHECKPOINTS_STREAM));
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'tree' }));
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'unsigned', from: later.sizes[0] }));
    const alone = await over(chainAnew(fitting, CHECKPOINTS_STREAM), (record) =>
      verifyStream(record, 'ask-1', { key }),
    );
    expect(alone.findings).toContainEqual(expect.objectContaining({ kind: 'unsigned' }));
  });

  test('an unsigned checkpoint after a signed one is a finding, the newest as well as one between', async () => {
    const [, second, third] = later.sizes;
    const newest = await recordSignedBy(null, key, null);
    expect(await verifying(newest.rows)).toMatchObject({
      findings: [{ kind: 'unsigned', source: 'record', from: newest.sizes[2], to: newest.sizes[2] }],
      signedFrom: { size: newest.sizes[1], before: 1 },
    });
    const between = await recordSignedBy(key, null, key);
    expect((await verifying(between.rows)).findings).toEqual([
      { kind: 'unsigned', source: 'record', from: second, to: second, checkpoints: 1 },
    ]);
    expect((await verifying(stripped(later.rows, [2]))).findings).toEqual([
      { kind: 'unsigned', source: 'record', from: third, to: third, checkpoints: 1 },
    ]);
    const { lines } = later;
    const outside = async function* (): AsyncGenerator<string> {
      const { note, heads } = JSON.parse(lines[2]!) as Checkpoint;
      yield JSON.stringify({ note: unsign(note), heads });
    };
    expect((await verifying(later.rows, { key, outside })).findings).toEqual([
      { kind: 'unsigned', source: 'outside', from: third, to: third, checkpoints: 1 },
    ]);
  });

  test('a signature that was taken away is no signing that began later: the next signed checkpoint covers it', async () => {
    const always = await recordSignedBy(key);
    const rows = stripped(always.rows, [0]);
    const unsigned = {
      kind: 'unsigned',
      source: 'record',
      from: always.sizes[0],
      to: always.sizes[0],
      checkpoints: 1,
    };
    expect((await verifying(rows)).findings).toContainEqual(unsigned);
    expect((await over(rows, (record) => verifyStream(record, 'ask-1', { key }))).findings).toContainEqual(
      unsigned,
    );
  });

  test('all signatures taken away, or all checkpoints: a finding, whatever was noted', async () => {
    const all = checkpointAnew(later.rows, (checkpoint) => checkpoint);
    const [first, , last] = later.sizes;
    const unsigned = { kind: 'unsigned', source: 'record', from: first, to: last, checkpoints: 3 };
    expect(await verifying(all)).toMatchObject({ findings: [unsigned], signedFrom: null });
    // The note covers the second checkpoint, which has changed.
    const { findings } = await verifying(all, { key, expect: later.newest });
    expect(findings).toContainEqual(unsigned);
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'expected' }));
    expect((await verifying(all, { expect: later.newest })).findings).toContainEqual(
      expect.objectContaining({ kind: 'expected' }),
    );
    const unsignedEver = await recordSignedBy(null);
    expect((await verifying(unsignedEver.rows, { key, expect: unsignedEver.newest })).findings).toEqual([
      unsigned,
    ]);

    const before = later.rows.slice(0, later.sizes[0]);
    expect((await verifying(before)).findings).toEqual([{ kind: 'none-signed' }]);
    expect((await verifying([])).findings).toEqual([{ kind: 'none-signed' }]);
  });

  test('a checkpoint of another key is a finding, before the first signed one too', async () => {
    const rotated = await recordSignedBy(createSigningKey().key, key);
    expect((await verifying(rotated.rows)).findings).toEqual([
      expect.objectContaining({ kind: 'wrong-key', source: 'record', checkpoints: 1 }),
    ]);
  });

  test('an archive of it is signed by the checkpoint that covers it, and is not where that one is unsigned', async () => {
    const archived = async (rows: readonly Row[]) => {
      const out = join(folder, `archive-${next++}`);
      await over(rows, (record) => writeArchive(record, { out, selection: {}, publicKey: null }));
      return verifyArchive(out, { key });
    };
    expect(await archived(later.rows)).toMatchObject({ findings: [], isSigned: true });
    const newest = await recordSignedBy(null, key, null);
    expect(await archived(newest.rows)).toMatchObject({
      findings: [{ kind: 'unsigned', source: 'archive', from: newest.newest.size }],
      isSigned: false,
    });
  });
});
