import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHECKPOINTS_STREAM } from '../catalog/audit.ts';
import { canonicalJson } from '../json.ts';
import type { EventStore, RecordReader } from '../store/store.ts';
import type { Checkpoint } from './checkpoint.ts';
import { describeFinding, type Finding } from './finding-words.ts';
import { createSigningKey } from './keys.ts';
import {
  chainAnew,
  checkpointAnew,
  exchangePlaces,
  writeRecord,
  type Row,
  type Untouched,
} from './tampered-record.suite.ts';
import { signNote, parseNote } from './signed-note.ts';
import { verifyStream } from './verify-stream.ts';
import { verifyRecord, type VerifyOptions } from './verify.ts';

export interface TamperHarness {
  /** An empty store. */
  open(): Promise<EventStore>;
  /** A store whose files have exactly these rows. */
  openOver(rows: readonly Row[]): Promise<RecordReader>;
  /** Closes the last opened store. */
  close(): Promise<void>;
  dispose(): Promise<void>;
  /** Whether positions have no gaps, so that a removed event leaves one. */
  readonly hasDensePositions: boolean;
}

const sentences = (findings: readonly Finding[]): string[] => findings.map(describeFinding);

const withoutHead = (checkpoint: Checkpoint): Checkpoint => ({
  ...checkpoint,
  heads: checkpoint.heads.slice(1),
});

/** The suite for any store: every change of a record's files is found and named. */
export function tamperSuite(name: string, createHarness: () => Promise<TamperHarness>): void {
  describe(`A record that was tampered with: ${name}`, () => {
    const { key } = createSigningKey();
    let harness: TamperHarness;
    let untouched: Untouched;

    beforeAll(async () => {
      harness = await createHarness();
      untouched = await writeRecord(await harness.open(), key);
      await harness.close();
    });
    afterEach(() => harness.close());
    afterAll(() => harness.dispose());

    const outside = async function* (): AsyncGenerator<string> {
      yield* untouched.lines;
    };

    async function findingsOf(rows: readonly Row[], options: VerifyOptions = { key, outside }) {
      const store = await harness.openOver(rows);
      try {
        const { findings } = await verifyRecord(store, options);
        return findings;
      } finally {
        await harness.close();
      }
    }

    const at = (stream: string, revision: number): Row =>
      untouched.rows.find((row) => row.stream === stream && row.revision === revision)!;
    const change = (row: Row, changed: Partial<Row>): Row[] =>
      untouched.rows.map((other) => (other === row ? { ...row, ...changed } : other));
    const without = (gone: (row: Row) => boolean): Row[] => untouched.rows.filter((row) => !gone(row));

    test('nothing was done: nothing is found, with what is outside or without it, with and without a key', async () => {
      const store = await harness.openOver(untouched.rows);
      const expected = {
        events: untouched.rows.length,
        streams: 14,
        checkpoints: { record: 3, outside: 3, agreed: 3, agreesUpTo: untouched.newest.size },
        findings: [],
      };
      expect(await verifyRecord(store, { key, outside, expect: untouched.newest })).toMatchObject(expected);
      expect(await verifyRecord(store)).toMatchObject({ findings: [] });
      expect(await verifyStream(store, 'account-paper', { key, outside })).toMatchObject({
        events: 6,
        findings: [],
      });
    });

    test('the record has grown since: nothing is found', async () => {
      const older = async function* (): AsyncGenerator<string> {
        yield untouched.lines[0]!;
      };
      expect(await findingsOf(untouched.rows, { key, outside: older })).toEqual([]);
    });

    test.each([
      ['data', (row: Row) => ({ data: row.data.replace('ä', 'a') })],
      ['metadata', (row: Row) => ({ metadata: row.metadata.replace('08:00', '09:00') })],
      ['type', () => ({ type: 'Other' })],
      ['id', () => ({ id: '00000000-0000-8000-8000-000000000000' })],
      ['hash', () => ({ hash: 'ab'.repeat(32) })],
    ] as const)('one event has another %s', async (_, changed) => {
      const row = at('account-paper', 2);
      expect(await findingsOf(change(row, changed(row)))).toContainEqual(
        expect.objectContaining({ kind: 'changed', stream: 'account-paper', revision: 2 }),
      );
    });

    test('an event lost its hash: it is named, and not the one after it', async () => {
      const findings = await findingsOf(change(at('account-paper', 2), { hash: '' }));
      expect(findings.filter(({ kind }) => kind === 'changed')).toMatchObject([{ revision: 2 }]);
    });

    test('an event holds a number without end: no crash', async () => {
      const findings = await findingsOf(change(at('account-paper', 2), { data: '{"n":1e999}' }));
      expect(findings).toContainEqual(expect.objectContaining({ stream: 'account-paper', revision: 2 }));
    });

    test('an event was moved to another stream: no checkpoint is called forged for that', async () => {
      const findings = await findingsOf(change(at('account-paper', 5), { stream: 'account-other' }));
      expect(findings).toContainEqual(
        expect.objectContaining({ kind: 'missing', stream: 'account-paper', from: 5 }),
      );
      expect(findings.map(({ kind }) => kind)).not.toContain('forged-heads');
    });

    test('an event in the middle was dropped', async () => {
      const findings = await findingsOf(without((row) => row === at('account-paper', 3)));
      expect(findings).toContainEqual({
        kind: 'missing',
        stream: 'account-paper',
        from: 3,
        to: 3,
        checkpoint: null,
      });
      expect(findings.some(({ kind }) => kind === 'gap')).toBe(harness.hasDensePositions);
    });

    test('a tail was dropped that a checkpoint has seen', async () => {
      const rows = without(({ stream, revision }) => stream === 'account-paper' && revision >= 4);
      const [, , last] = untouched.sizes;
      expect(sentences(await findingsOf(rows))).toContain(
        `revisions 4 to 5 of account-paper are missing, last seen at checkpoint ${last}`,
      );
      const store = await harness.openOver(rows);
      expect(sentences((await verifyStream(store, 'account-paper', { key, outside })).findings)).toEqual([
        `revisions 4 to 5 of account-paper are missing, last seen at checkpoint ${last}`,
      ]);
    });

    test('a stream was dropped', async () => {
      const [, seen] = untouched.sizes;
      expect(sentences(await findingsOf(without(({ stream }) => stream === 'ask-7')))).toContain(
        `ask-7 is missing: revisions 0 to 3, last seen at checkpoint ${seen}`,
      );
    });

    test('a stream and all checkpoints since were dropped: what is outside names both', async () => {
      const rows = without(({ stream }) => stream === 'ask-7' || stream === CHECKPOINTS_STREAM);
      const findings = await findingsOf(rows);
      expect(findings).toContainEqual(expect.objectContaining({ kind: 'stream-missing', stream: 'ask-7' }));
      expect(findings).toContainEqual(
        expect.objectContaining({ kind: 'stream-missing', stream: CHECKPOINTS_STREAM }),
      );
      expect(findings.filter(({ kind }) => kind === 'checkpoint-missing')).toHaveLength(3);
    });

    test('the last checkpoint alone was dropped', async () => {
      const rows = without(({ stream, revision }) => stream === CHECKPOINTS_STREAM && revision === 2);
      expect(await findingsOf(rows)).toContainEqual({
        kind: 'checkpoint-missing',
        size: untouched.newest.size,
      });
    });

    test('the end of the record was cut off: found against the outside, and against one noted root', async () => {
      const [, second] = untouched.sizes;
      const rows = untouched.rows.slice(0, second! + 3);
      const findings = await findingsOf(rows);
      expect(findings).toContainEqual(expect.objectContaining({ kind: 'stream-missing', stream: 'ask-10' }));
      expect(findings).toContainEqual(expect.objectContaining({ kind: 'tree', after: second }));
      expect(sentences(await findingsOf(rows, { expect: untouched.newest }))).toEqual([
        `the record has ${rows.length} events, at least ${untouched.newest.size - rows.length} fewer than the ` +
          `expected ${untouched.newest.size}; the available checkpoints match the record up to ${second}`,
      ]);
    });

    test('two events of a stream were swapped in it', async () => {
      const [two, four] = [at('account-paper', 2), at('account-paper', 4)];
      const rows = untouched.rows.map((row) => {
        if (row === two) return { ...row, revision: 4 };
        return row === four ? { ...row, revision: 2 } : row;
      });
      const found = await findingsOf(rows);
      expect(found).toContainEqual({ kind: 'swapped', stream: 'account-paper', revision: 2, with: 4 });
    });

    test('two events of a stream were swapped among all', async () => {
      const rows = exchangePlaces(untouched.rows, at('ask-5', 1), at('ask-5', 2));
      expect(await findingsOf(rows)).toContainEqual(
        expect.objectContaining({ kind: 'out-of-order', stream: 'ask-5' }),
      );
    });

    test('two events of different streams were swapped among all', async () => {
      const [first, second] = untouched.sizes;
      const rows = exchangePlaces(untouched.rows, at('comments', 5), at('ask-7', 0));
      expect(sentences(await findingsOf(rows))).toEqual([
        `the order of events was changed between checkpoint ${first} and checkpoint ${second}; each stream on its own is intact`,
      ]);
    });

    test('a stream was written anew, with a chain that is right', async () => {
      const row = at('account-paper', 3);
      const data = row.data.replace('ä', 'a');
      const rows = chainAnew(change(row, { data }), 'account-paper', 3);
      const findings = await findingsOf(rows);
      expect(findings[0]).toEqual({
        kind: 'rewritten',
        stream: 'account-paper',
        revision: 5,
        checkpoint: untouched.newest.size,
      });
      expect(await findingsOf(rows, { expect: untouched.newest })).toContainEqual(
        expect.objectContaining({ kind: 'expected', agreesUpTo: untouched.sizes[0] }),
      );
      const { newest } = untouched;
      const unnoted = rows.filter(({ stream }) => stream !== CHECKPOINTS_STREAM);
      expect(await findingsOf(unnoted, { expect: newest })).toContainEqual(
        expect.objectContaining({ kind: 'expected', agreesUpTo: 0 }),
      );
    });

    const signedBy =
      (signer: typeof key) =>
      (checkpoint: Checkpoint): Checkpoint => ({
        ...checkpoint,
        note: signNote(parseNote(checkpoint.note).text, [signer]),
      });

    test('everything was written anew, and signed with another key', async () => {
      const other = createSigningKey().key;
      const rows = checkpointAnew(
        without(({ stream }) => stream === 'ask-7'),
        signedBy(other),
      );
      // The part is a valid record by itself.
      const byItself = await findingsOf(rows, { key: other });
      expect(byItself.map(({ kind }) => kind)).toEqual(harness.hasDensePositions ? ['gap'] : []);
      expect(await findingsOf(rows, { key })).toContainEqual(
        expect.objectContaining({ kind: 'wrong-key', source: 'record', checkpoints: 3 }),
      );
      expect(await findingsOf(rows)).toContainEqual(
        expect.objectContaining({ kind: 'stream-missing', stream: 'ask-7' }),
      );
    });

    test('everything was written anew, with newer checkpoints than the copy outside: it is named without a key too', async () => {
      const first = async function* (): AsyncGenerator<string> {
        yield untouched.lines[0]!;
      };
      const row = at('account-paper', 1);
      const data = row.data.replace('ä', 'a');
      const rows = checkpointAnew(change(row, { data }), (checkpoint) => checkpoint);
      expect(await findingsOf(rows)).not.toEqual([]);
      const rewritten = {
        kind: 'rewritten',
        stream: 'account-paper',
        revision: 1,
        checkpoint: untouched.sizes[0],
      };
      expect(await findingsOf(rows, { outside: first })).toContainEqual(rewritten);
      const store = await harness.openOver(rows);
      const { findings } = await verifyStream(store, 'account-paper', { outside: first });
      expect(findings).toContainEqual(rewritten);
      const all = await verifyStream(store, 'account-paper', { outside });
      expect(all.findings).toContainEqual(expect.objectContaining({ kind: 'rewritten' }));
    });

    test('checkpoints were written anew without a signature', async () => {
      const rows = checkpointAnew(untouched.rows, (checkpoint) => checkpoint);
      expect(await findingsOf(rows, { key })).toEqual([
        {
          kind: 'unsigned',
          source: 'record',
          from: untouched.sizes[0],
          to: expect.any(Number) as number,
          checkpoints: 3,
        },
      ]);
    });

    test('a list of streams was forged, beside the note and with a note of its own', async () => {
      const forged = untouched.rows.map((row) => {
        if (row.stream !== CHECKPOINTS_STREAM || row.revision !== 0) return row;
        return { ...row, data: canonicalJson(withoutHead(JSON.parse(row.data) as Checkpoint)) };
      });
      const beside = await findingsOf(chainAnew(forged, CHECKPOINTS_STREAM));
      expect(beside).toContainEqual({
        kind: 'forged-heads',
        source: 'record',
        size: untouched.sizes[0],
        stream: null,
      });
      const untrue = async function* (): AsyncGenerator<string> {
        const [line] = untouched.lines;
        const { heads } = JSON.parse(line!) as { heads: Checkpoint['heads'] };
        yield JSON.stringify({ ...JSON.parse(line!), heads: [...heads, { ...heads[0]!, stream: 'ask-0' }] });
      };
      expect(await findingsOf(untouched.rows, { outside: untrue })).toEqual([
        { kind: 'forged-heads', source: 'outside', size: untouched.sizes[0], stream: null },
      ]);
    });

    test('a checkpoint of the record says one thing, and its note another', async () => {
      const row = at(CHECKPOINTS_STREAM, 1);
      const data = canonicalJson({ ...JSON.parse(row.data), root: 'ab'.repeat(32) });
      expect(await findingsOf(change(row, { data }))).toContainEqual(
        expect.objectContaining({ kind: 'checkpoint-invalid', source: 'record', place: 'revision 1' }),
      );
    });

    test('lines outside are damaged, or of another record', async () => {
      const lines = async function* (): AsyncGenerator<string> {
        yield 'no JSON';
        yield untouched.lines[0]!.replace('beleg/', 'belog/');
        yield untouched.lines[0]!.replace(/beleg\/[0-9a-f]{4}/u, 'beleg/0000');
      };
      expect((await findingsOf(untouched.rows, { outside: lines })).map(({ kind }) => kind)).toEqual([
        'checkpoint-invalid',
        'checkpoint-invalid',
        'other-record',
      ]);
    });

    test('whatever is done to a single event is found, and its stream named', async () => {
      const mutations: Record<string, (row: Row) => Partial<Row> | null> = {
        data: (row) => ({ data: row.data.replace('{', '{"added":1,') }),
        metadata: (row) => ({ metadata: row.metadata.replace('"version":1', '"version":2') }),
        type: (row) => ({ type: row.type === 'Noted' ? 'Denoted' : 'Noted' }),
        id: () => ({ id: '00000000-0000-8000-8000-000000000000' }),
        hash: (row) => ({ hash: row.hash.replace(/./u, (digit) => (digit === '0' ? '1' : '0')) }),
        revision: (row) => ({ revision: row.revision + 1000 }),
        stream: (row) => ({ stream: `${row.stream}x` }),
        dropped: () => null,
      };
      // The newest checkpoint covers neither itself nor what came after it.
      const covered = untouched.rows.slice(0, untouched.newest.size);
      const mutation = fc.record({
        row: fc.constantFrom(...covered),
        kind: fc.constantFrom(...Object.keys(mutations)),
      });
      await fc.assert(
        fc.asyncProperty(mutation, async ({ row, kind }) => {
          const changed = mutations[kind]!(row);
          const rows = changed === null ? without((other) => other === row) : change(row, changed);
          const findings = await findingsOf(rows);
          expect(findings.map((finding) => ('stream' in finding ? finding.stream : null))).toContain(
            row.stream,
          );
        }),
        { numRuns: 25 },
      );
    });
  });
}
