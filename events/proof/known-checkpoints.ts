import type { z } from 'zod';
import { CHECKPOINTS_STREAM, RecordCheckpointed } from '../catalog/audit.ts';
import { readJson } from '../json.ts';
import { chainHash, GENESIS_HASH } from '../store/chain.ts';
import { scanRecord } from '../store/scan-record.ts';
import type { Position, RecordReader } from '../store/store.ts';
import { parseCheckpointLine, type CheckpointLine } from './checkpoint-line.ts';
import type { CheckpointSource, Finding, Findings } from './finding-words.ts';
import type { VerifierKey } from './keys.ts';
import { Malformed } from './malformed.ts';
import { judgeNote, type Doubt } from './judge-note.ts';
import { Signing } from './signed-from.ts';
import type { Head } from './tree-head.ts';

/** A checkpoint that a record is compared with. Its list of heads is read again when it is needed. */
export interface KnownCheckpoint {
  readonly size: number;
  /** The root hash of the checkpoint's tree, in hexadecimal. */
  readonly root: string;
  /** The position of the last event that the checkpoint covers; `null` if only the note is known. */
  readonly position: Position | null;
  /** The revision of the checkpoint in the record's stream of checkpoints; `null` for one from outside. */
  readonly revision: number | null;
}

export interface CheckpointsFrom {
  readonly store: RecordReader;
  /** The lines of the checkpoint file, `{"note", "heads"}`. Each call reads them from the first one on. */
  readonly outside?: (() => AsyncIterable<string>) | undefined;
  /**
   * The key that must have signed every checkpoint from the first signed one on. Without a key, signatures are not
   * checked.
   */
  readonly key?: VerifierKey | undefined;
}

interface Found {
  readonly source: 'record' | 'outside';
  /** The place of the checkpoint in words, for people. */
  readonly place: string;
  readonly note: string;
  readonly heads: readonly Head[];
  readonly position: Position | null;
  readonly revision: number | null;
  /** The chain hash of the checkpoint's event in the record; `null` if the checkpoint is not in the record. */
  readonly hash: string | null;
}

/**
 * Reads every known checkpoint of a record, within the record and outside of it. Faults go to `findings`, and each head
 * that can be relied on goes to `onHead`. Heads are not collected here, because their number has no bound.
 *
 * @returns `trusted`: checkpoints that can be relied on, by size; if a key is given, only those that it has signed, or
 * that a signed one covers. `origins`: the records that the checkpoints name, and where each name was first read.
 * `signedFrom`: `null` if no key was given, or nothing is signed with it.
 */
export async function readCheckpoints(
  from: CheckpointsFrom,
  findings: Findings,
  onHead: (head: Head, size: number, source: CheckpointSource) => void,
) {
  const counts = { record: 0, outside: 0 };
  const origins = new Map<string, CheckpointSource>();
  const doubts: Doubtful[] = [];
  const signing = new Signing();
  /** The checkpoints read so far, by size and root. The value is false if the checkpoint cannot be relied on. */
  const seen = new Map<string, boolean>();
  const trusted: KnownCheckpoint[] = [];
  const unknownInside: { name: string; size: number }[] = [];

  for await (const found of allOf(from, findings)) {
    const { source, place, note, heads, position, revision, hash } = found;
    if (revision !== null && hash !== null) signing.addLink(revision, hash);
    const judged = judgeNote(note, heads, from.key);
    if (judged instanceof Malformed) {
      findings.add({ kind: 'checkpoint-invalid', source, place, reason: judged.message });
      continue;
    }
    const { origin, size, root } = judged;
    counts[source] += 1;
    if (!origins.has(origin)) origins.set(origin, source);
    if (!judged.listsHeads) findings.add({ kind: 'forged-heads', source, size, stream: null });
    const name = `${size}:${root}`;
    if (source === 'outside' && !seen.has(name)) unknownInside.push({ name, size });
    if (judged.doubt !== null) {
      if (judged.doubt === 'unsigned') signing.addUnsigned({ source, name, size, root, position, revision });
      else doubts.push({ kind: judged.doubt, source, size });
      if (!seen.has(name)) seen.set(name, false);
      // An early unsigned checkpoint proves less than a larger signed one. If it turns out to be doubtful, that is a
      // finding of its own.
      const isEarly = judged.doubt === 'unsigned' && signing.isBeforeFirst(size);
      if (isEarly && judged.listsHeads) for (const head of heads) onHead(head, size, source);
      continue;
    }
    if (from.key !== undefined) signing.addSigned(size, judged.listsHeads ? heads : []);
    if (judged.listsHeads) for (const head of heads) onHead(head, size, source);
    if (seen.get(name) !== true) trusted.push({ size, root, position, revision });
    seen.set(name, true);
  }
  if (unknownInside.length > 0) {
    // The record may have grown since its own checkpoints were read.
    const inside = new Set<string>();
    for await (const { note, heads } of recordedCheckpoints(from.store)) {
      const judged = judgeNote(note, heads, undefined);
      if (!(judged instanceof Malformed)) inside.add(`${judged.size}:${judged.root}`);
    }
    for (const { name, size } of unknownInside) {
      if (!inside.has(name)) findings.add({ kind: 'checkpoint-missing', size });
    }
  }
  const { signedFrom, covered, doubtful } = signing.end();
  for (const checkpoint of covered) if (seen.get(checkpoint.name) !== true) trusted.push(checkpoint);
  for (const { source, size } of doubtful) doubts.push({ kind: 'unsigned', source, size });
  if (from.key !== undefined && signedFrom === null && doubts.length === 0)
    findings.add({ kind: 'none-signed' });
  for (const finding of findingsOf(doubts)) findings.add(finding);
  trusted.sort((one, other) => one.size - other.size);
  return { trusted, counts, origins, signedFrom };
}

async function* allOf({ store, outside }: CheckpointsFrom, findings: Findings): AsyncGenerator<Found> {
  yield* recordedCheckpoints(store, (place, reason) =>
    findings.add({ kind: 'checkpoint-invalid', source: 'record', place, reason }),
  );
  if (outside === undefined) return;
  let number = 0;
  for await (const text of outside()) {
    number += 1;
    const place = `line ${number}`;
    let line: CheckpointLine;
    try {
      line = parseCheckpointLine(text);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      findings.add({ kind: 'checkpoint-invalid', source: 'outside', place, reason: error.message });
      continue;
    }
    yield { source: 'outside', place, ...line, position: null, revision: null, hash: null };
  }
}

/** The checkpoints in the record. One whose note and fields differ is left out. */
async function* recordedCheckpoints(
  store: RecordReader,
  onInvalid: (place: string, reason: string) => void = () => undefined,
): AsyncGenerator<Found> {
  let hash = GENESIS_HASH;
  for await (const { events } of scanRecord(store, CHECKPOINTS_STREAM)) {
    for (const event of events) {
      const { type, data, revision } = event;
      hash = chainHash(hash, event);
      if (type !== RecordCheckpointed.type) continue;
      const place = `revision ${revision}`;
      const checkpoint = readJson(RecordCheckpointed.schema, data);
      if (checkpoint === undefined) {
        onInvalid(place, 'its data is not valid for a checkpoint');
        continue;
      }
      const { size, root, note, heads, position } = checkpoint;
      const judged = judgeNote(note, heads, undefined);
      if (!(judged instanceof Malformed) && (judged.size !== size || judged.root !== root)) {
        onInvalid(place, 'its note has a different size or root');
        continue;
      }
      yield { source: 'record', place, note, heads, position: position as Position, revision, hash };
    }
  }
}

/** A checkpoint with all its data, read again from the record. */
export async function recordedCheckpoint(
  store: RecordReader,
  { revision, size, root }: KnownCheckpoint,
): Promise<z.output<typeof RecordCheckpointed.schema> | undefined> {
  if (revision === null) return undefined;
  try {
    for await (const event of store.readStream(CHECKPOINTS_STREAM, { from: BigInt(revision), limit: 1 })) {
      const { data } = RecordCheckpointed.schema.safeParse(event.data);
      return data?.size === size && data.root === root ? data : undefined;
    }
  } catch {
    // The checkpoint could be read before. If it has changed since, another finding says so.
  }
  return undefined;
}

interface Doubtful {
  readonly kind: Doubt;
  readonly source: CheckpointSource;
  readonly size: number;
}

/** The findings on checkpoints that cannot be relied on: one finding for all of a kind. */
function* findingsOf(doubts: readonly Doubtful[]): Generator<Finding> {
  for (const same of Map.groupBy(doubts, ({ kind, source }) => `${kind} ${source}`).values()) {
    const { kind, source } = same[0]!;
    const sizes = same.map(({ size }) => size).sort((one, other) => one - other);
    yield { kind, source, from: sizes[0]!, to: sizes.at(-1)!, checkpoints: sizes.length };
  }
}
