import { randomUUID } from 'node:crypto';
import { CHECKPOINTS_STREAM, RecordCheckpointed } from '../catalog/audit.ts';
import { canonicalJson, type Json } from '../json.ts';
import { GENESIS_HASH, chainHash } from '../store/chain.ts';
import { scanRecord } from '../store/scan-record.ts';
import {
  NO_STREAM,
  type EventStore,
  type NewEvent,
  type Position,
  type StoredEvent,
} from '../store/store.ts';
import { CheckpointLog, type Checkpoint } from './checkpoint.ts';
import type { SigningKey } from './keys.ts';

/** An event as somebody can write it who has the store's files: hashes, revisions and places as they like. */
export type Row = { -readonly [K in keyof StoredEvent]: StoredEvent[K] } & {
  /** The column that filters use, if the store has one. */
  category?: string;
};

/** A record with checkpoints, before anybody touches it. */
export interface Untouched {
  readonly rows: readonly Row[];
  /** The lines of the checkpoint file. */
  readonly lines: readonly string[];
  readonly sizes: readonly number[];
  /** The last of the checkpoints as SIZE:ROOT. */
  readonly newest: { readonly size: number; readonly root: string };
}

const event = (type: string, data: Json): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  metadata: { at: '2022-03-01T08:00:00Z', version: 1, $correlationId: 'r', $causationId: 'c' },
});

const noted = (n: number, text = 'ä'): NewEvent => event('Noted', { n, text });

/**
 * Writes a record of two accounts, asks and comments, with a checkpoint after each of three parts.
 *
 * @param keys of each checkpoint, the last one of all that follow; `null`: not signed
 */
export async function writeRecord(
  store: EventStore,
  ...keys: readonly [SigningKey | null, ...(SigningKey | null)[]]
): Promise<Untouched> {
  const log = new CheckpointLog(null);
  const lines: string[] = [];
  const sizes: number[] = [];
  let newest = { size: 0, root: '' };
  let covered: Position | undefined;
  const note = async (revision: bigint): Promise<void> => {
    for await (const added of store.readAll({ after: covered })) log.add(added);
    const checkpoint = log.checkpoint(keys[Math.min(lines.length, keys.length - 1)] ?? null);
    covered = checkpoint.position as Position;
    await store.append(CHECKPOINTS_STREAM, revision, [event(RecordCheckpointed.type, checkpoint)]);
    lines.push(JSON.stringify({ note: checkpoint.note, heads: checkpoint.heads }));
    sizes.push(checkpoint.size);
    newest = checkpoint;
  };
  const asks = async (from: number, to: number): Promise<void> => {
    for (let n = from; n <= to; n++) {
      await store.append(
        `ask-${n}`,
        NO_STREAM,
        Array.from({ length: 4 }, (_, index) => noted(index)),
      );
      await store.append('comments', BigInt(n - 2), [noted(n)]);
    }
  };
  await store.append('account-paper', NO_STREAM, [noted(0), noted(1)]);
  await asks(1, 4);
  await note(NO_STREAM);
  await store.append('account-paper', 1n, [noted(2), noted(3)]);
  await asks(5, 8);
  await note(0n);
  await store.append('account-paper', 3n, [noted(4), noted(5)]);
  await asks(9, 10);
  await note(1n);
  await store.append('ask-late', NO_STREAM, [noted(0)]);

  const rows: Row[] = [];
  for await (const { events } of scanRecord(store)) rows.push(...events);
  return { rows, lines, sizes, newest: { size: newest.size, root: newest.root } };
}

/** Gives every event of the stream, from a revision on, the hash that fits: a chain that is right and another one. */
export function chainAnew(rows: readonly Row[], stream: string, from = 0): Row[] {
  let previous = GENESIS_HASH;
  return rows.map((row) => {
    if (row.stream !== stream) return row;
    const hash = row.revision < from ? row.hash : chainHash(previous, row);
    previous = hash;
    return { ...row, hash };
  });
}

/** Exchanges the positions of two events in `$all`. */
export function exchangePlaces(rows: readonly Row[], one: Row, other: Row): Row[] {
  return rows
    .map((row) => {
      if (row === one) return { ...row, position: other.position };
      return row === other ? { ...row, position: one.position } : row;
    })
    .sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** The checkpoints of a record as its owner's enemy would write them: of what is there now. */
export function checkpointAnew(rows: readonly Row[], change: (checkpoint: Checkpoint) => Checkpoint): Row[] {
  const log = new CheckpointLog(null);
  let checkpoint: Checkpoint | undefined;
  const anew: Row[] = [];
  for (const row of rows) {
    if (row.stream === CHECKPOINTS_STREAM) checkpoint = change(log.checkpoint(null));
    const data =
      checkpoint !== undefined && row.stream === CHECKPOINTS_STREAM ? canonicalJson(checkpoint) : row.data;
    const chained = chainAnew([...anew, { ...row, data }], row.stream, row.revision).at(-1)!;
    anew.push(chained);
    const { hash, metadata, revision } = chained;
    log.add({
      ...chained,
      revision: BigInt(revision),
      data: JSON.parse(data) as Json,
      metadata: {
        ...(JSON.parse(metadata) as { at: string; version: number }),
        $correlationId: '',
        $causationId: '',
        hash,
      },
    });
  }
  return anew;
}
