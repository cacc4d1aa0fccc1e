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

export interface StreamReport {
  readonly stream: string;
  readonly events: number;
  /** Known ones, by where they stand. */
  readonly checkpoints: KnownCheckpoints['counts'];
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
  const seen = new Map<number, { hash: string; checkpoint: number }>();
  const known = await readCheckpoints({ store, outside, key }, findings, (head, checkpoint) => {
    if (head.stream === stream && !seen.has(head.revision))
      seen.set(head.revision, { hash: head.hash, checkpoint });
  });
  let last = -1;
  const rewritten: Finding[] = [];
  async function* compared(): AsyncGenerator<StoredEvent> {
    for await (const { events, faults } of scanRecord(store, stream)) {
      for (const fault of faults) {
        findings.add(fault.kind === 'unreadable' ? { stream, revision: null, ...fault } : fault);
      }
      for (const event of events) {
        const head = seen.get(event.revision);
        if (head !== undefined && head.hash !== event.hash && rewritten.length === 0) {
          const { revision } = event;
          rewritten.push({ kind: 'rewritten', stream, revision, checkpoint: head.checkpoint });
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
  const checkpoint = seen.get(to)?.checkpoint ?? 0;
  if (to > last && last === -1) findings.add({ kind: 'stream-missing', stream, from: 0, to, checkpoint });
  else if (to > last) findings.add({ kind: 'missing', stream, from: last + 1, to, checkpoint });
  return {
    stream,
    events,
    checkpoints: known.counts,
    findings: findings.kept,
    more: findings.more,
  };
}
