import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHECKPOINTS_STREAM, RecordCheckpointed } from '../catalog/audit.ts';
import type { Json } from '../json.ts';
import type { Position, RecordedEvent } from '../store/store.ts';
import { formatCheckpointLine, parseCheckpointLine } from './checkpoint-line.ts';
import { CheckpointLog, eventLeaf, readCheckpoint, type Checkpoint } from './checkpoint.ts';
import { createSigningKey } from './keys.ts';
import { Malformed } from './malformed.ts';
import { MerkleTree } from './merkle-proofs.ts';
import { isSignedBy, parseNote } from './signed-note.ts';
import { headsHash, parseTreeHead } from './tree-head.ts';

const { key } = createSigningKey();

/** A record: the name of each event's stream, in order. */
function recordOf(streams: readonly string[]): RecordedEvent[] {
  const revisions = new Map<string, bigint>();
  return streams.map((stream, n) => {
    const revision = (revisions.get(stream) ?? -1n) + 1n;
    revisions.set(stream, revision);
    const hash = createHash('sha256').update(`${n} ${stream}`).digest('hex');
    const metadata = { at: '', version: 1, $correlationId: '', $causationId: '', hash };
    return { id: '', type: 'X', data: null, stream, revision, position: `p${n}` as Position, metadata };
  });
}

const rootOf = (events: readonly RecordedEvent[]): string =>
  new MerkleTree(Buffer.concat(events.map(eventLeaf))).root().toString('hex');

/** A checkpoint after each part, by one log or by another one for each, as after a restart. */
function checkpointsOf(parts: readonly RecordedEvent[][], restarts: boolean): Checkpoint[] {
  let log = new CheckpointLog(null);
  return parts.map((events) => {
    for (const event of events) log.add(event);
    const checkpoint = log.checkpoint(key);
    if (restarts) log = new CheckpointLog(JSON.parse(JSON.stringify(checkpoint)) as Checkpoint);
    return checkpoint;
  });
}

describe('checkpoints of a record', () => {
  const stream = fc.constantFrom('a', 'b', 'ask-1', 'ask-2', CHECKPOINTS_STREAM);
  const parts = fc.array(fc.array(stream, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 6 });

  test('say how far it went, what its root was, and where each stream stood that had grown', () => {
    fc.assert(
      fc.property(parts, fc.boolean(), (streams, restarts) => {
        const events = recordOf(streams.flat());
        let next = 0;
        const given = streams.map(({ length }) => events.slice(next, (next += length)));
        let size = 0;
        for (const [n, checkpoint] of checkpointsOf(given, restarts).entries()) {
          size += given[n]!.length;
          expect(checkpoint).toMatchObject({
            size,
            root: rootOf(events.slice(0, size)),
            position: events[size - 1]!.position,
          });
          const heads = new Map(given[n]!.map((event) => [event.stream, event]));
          expect(checkpoint.heads).toEqual(
            [...heads.keys()].sort().map((name) => ({
              stream: name,
              revision: Number(heads.get(name)!.revision),
              hash: heads.get(name)!.metadata.hash,
            })),
          );
          const note = parseNote(checkpoint.note);
          expect(isSignedBy(note, key)).toBe(true);
          expect(parseTreeHead(note.text)).toEqual({
            origin: `beleg/${events[0]!.metadata.hash.slice(0, 16)}`,
            size,
            root: Buffer.from(checkpoint.root, 'hex'),
            heads: headsHash(checkpoint.heads),
          });
          expect(RecordCheckpointed.schema.parse(checkpoint)).toEqual(checkpoint);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('are worth while for events other than their own', () => {
    const log = new CheckpointLog(null);
    const [one, own, other] = recordOf(['a', CHECKPOINTS_STREAM, 'a']) as [
      RecordedEvent,
      RecordedEvent,
      RecordedEvent,
    ];
    const counted = [log.uncovered];
    for (const event of [own, one, other]) {
      log.add(event);
      counted.push(log.uncovered);
    }
    log.checkpoint(null);
    expect([...counted, log.uncovered]).toEqual([0, 0, 1, 2, 0]);
  });

  test('are made of something', () => {
    expect(() => new CheckpointLog(null).checkpoint(null)).toThrow(RangeError);
  });
});

describe('a log', () => {
  const [last] = checkpointsOf([recordOf(['a', 'b', 'a'])], false) as [Checkpoint];
  const zeros = '0'.repeat(64);

  test.each([
    ['another root', { root: zeros }],
    ['another frontier', { frontier: [zeros, zeros] }],
    ['another size', { size: 4 }],
    ['no frontier', { frontier: [] }],
    ['no note', { note: '' }],
  ])('does not go on from a checkpoint with %s', (_, change) => {
    expect(() => new CheckpointLog({ ...last, ...change })).toThrow(
      expect.objectContaining({ code: 'STREAM_CORRUPT' }),
    );
  });

  test('goes on from what is on record as a checkpoint, and nothing else', () => {
    const [event] = recordOf([CHECKPOINTS_STREAM]) as [RecordedEvent];
    const recorded = { ...event, type: 'RecordCheckpointed', data: last as unknown as Json };
    expect(readCheckpoint(recorded)).toEqual(last);
    const corrupt = expect.objectContaining({ code: 'STREAM_CORRUPT' });
    expect(() => readCheckpoint({ ...recorded, type: 'X' })).toThrow(corrupt);
    expect(() => readCheckpoint({ ...recorded, data: { ...last, size: -1 } })).toThrow(corrupt);
  });
});

describe('the line of a checkpoint', () => {
  const [one] = checkpointsOf([recordOf(['a', 'b'])], false) as [Checkpoint];

  test('holds the note and the heads, in the same bytes however they were read', () => {
    const line = formatCheckpointLine(one);
    expect(parseCheckpointLine(line)).toEqual({ note: one.note, heads: one.heads });
    expect(formatCheckpointLine(parseCheckpointLine(line))).toBe(line);
    expect(line).not.toContain('\n');
  });

  test.each([
    '',
    '{',
    'null',
    '{"note":"x"}',
    '{"heads":[],"note":"x","more":1}',
    '{"heads":[{}],"note":""}',
  ])('is malformed: %s', (line) => expect(() => parseCheckpointLine(line)).toThrow(Malformed));
});
