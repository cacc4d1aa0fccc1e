import { verifyStoredChain, type ChainFault } from '../store/chain.ts';
import { scanRecord, type StoredEvent } from '../store/scan.ts';
import type { RecordReader } from '../store/store.ts';
import { Findings, type Finding } from './finding.ts';
import { readCheckpoints, type CheckpointsFrom, type KnownCheckpoints } from './known-checkpoints.ts';

/** What a chain shows by itself, as a finding. */
export function toFinding(stream: string, fault: ChainFault): Finding {
  switch (fault.kind) {
    case 'changed':
      return { kind: fault.kind, stream, revision: Number(fault.revision), id: fault.id };
    case 'missing':
      return {
        kind: fault.kind,
        stream,
        from: Number(fault.from),
        to: Number(fault.to),
        checkpoint: null,
      };
    case 'swapped':
      return { kind: fault.kind, stream, revision: Number(fault.revision), with: Number(fault.with) };
  }
}

interface StreamReport {
  readonly stream: string;
  readonly events: number;
  /** Known ones, by where they stand. */
  readonly checkpoints: KnownCheckpoints['counts'];
  readonly signedFrom: KnownCheckpoints['signedFrom'];
  readonly findings: readonly Finding[];
  readonly more: number;
}

/**
 * Verifies the chain of one stream alone, and that it goes as far, with the same events, as every known checkpoint has
 * seen it. Whether those checkpoints are of this record, only all of it shows: see `verifyRecord`.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`
 */
export async function verifyStream(
  store: RecordReader,
  stream: string,
  { outside, key }: Omit<CheckpointsFrom, 'store'> = {},
): Promise<StreamReport> {
  const findings = new Findings();
  /** More than one of a revision where checkpoints contradict each other: those in the record may have been written anew. */
  const seen = new Map<number, Map<string, number>>();
  const known = await readCheckpoints({ store, outside, key }, findings, (head, checkpoint) => {
    if (head.stream !== stream) return;
    const hashes = seen.get(head.revision) ?? new Map<string, number>();
    if (!hashes.has(head.hash)) seen.set(head.revision, hashes.set(head.hash, checkpoint));
  });
  let last = -1;
  const rewritten: Finding[] = [];
  async function* compared(): AsyncGenerator<StoredEvent> {
    for await (const { events, faults } of scanRecord(store, stream)) {
      for (const fault of faults) {
        findings.add(fault.kind === 'unreadable' ? { stream, revision: null, ...fault } : fault);
      }
      for (const event of events) {
        const { revision } = event;
        for (const [hash, checkpoint] of seen.get(revision) ?? []) {
          if (hash === event.hash || rewritten.length > 0) continue;
          rewritten.push({ kind: 'rewritten', stream, revision, checkpoint });
        }
        last = Math.max(last, event.revision);
        yield event;
      }
    }
  }
  const { events, faults } = await verifyStoredChain(stream, compared());
  for (const fault of faults) findings.add(toFinding(stream, fault));
  for (const finding of rewritten) findings.add(finding);
  const to = Math.max(-1, ...seen.keys());
  const checkpoint = Math.max(0, ...(seen.get(to)?.values() ?? []));
  if (to > last && last === -1) findings.add({ kind: 'stream-missing', stream, from: 0, to, checkpoint });
  else if (to > last) findings.add({ kind: 'missing', stream, from: last + 1, to, checkpoint });
  return {
    stream,
    events,
    checkpoints: known.counts,
    signedFrom: known.signedFrom,
    findings: findings.kept,
    more: findings.more,
  };
}
