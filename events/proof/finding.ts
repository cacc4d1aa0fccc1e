/** Where a checkpoint was found: in the record itself, outside of it, or in an archive. */
export type CheckpointSource = 'record' | 'outside' | 'archive';

/** One thing that is wrong with a record. `kind` is stable: scripts branch on it. */
export type Finding =
  /** The event does not give the hash that stands beside it, after its predecessor. */
  | { kind: 'changed'; stream: string; revision: number; id: string }
  /** Revisions are not there. `checkpoint`: the size of the newest one that has seen them, `null` where the chain shows it. */
  | { kind: 'missing'; stream: string; from: number; to: number; checkpoint: number | null }
  | { kind: 'stream-missing'; stream: string; from: number; to: number; checkpoint: number }
  /** What stands at each of the two revisions belongs at the other. */
  | { kind: 'swapped'; stream: string; revision: number; with: number }
  /** The chain is whole, but another one than the checkpoint has seen. */
  | { kind: 'rewritten'; stream: string; revision: number; checkpoint: number }
  /** The event comes too late in the order of the record: after one that follows it in its stream. */
  | { kind: 'out-of-order'; stream: string; revision: number; position: string }
  /** Filters or look-ups miss the event. */
  | { kind: 'misfiled'; stream: string; revision: number; position: string; detail: string }
  /** Events of the stream are there, and those who read it are not given them. */
  | { kind: 'hidden'; stream: string; detail: string }
  | { kind: 'unreadable'; from: string; to: string; stream: string | null; revision: number | null }
  /** Nothing stands at positions that must be taken. */
  | { kind: 'gap'; from: string; to: string }
  | { kind: 'damaged'; detail: string }
  /** All events are there, and their order is not the one that the checkpoint has seen. */
  | { kind: 'order'; after: number; upTo: number; streams: readonly string[] }
  /** Between two checkpoints stand other events, or another number of them, than the second has seen. */
  | { kind: 'tree'; after: number; upTo: number; expected: number; found: number }
  /** The record does not begin with what was noted as SIZE:ROOT. */
  | { kind: 'expected'; size: number; root: string; events: number; agreesUpTo: number }
  | { kind: 'checkpoint-missing'; size: number }
  | { kind: 'checkpoint-invalid'; source: CheckpointSource; place: string; reason: string }
  | { kind: 'unsigned'; source: CheckpointSource; from: number; to: number; checkpoints: number }
  | { kind: 'wrong-key'; source: CheckpointSource; from: number; to: number; checkpoints: number }
  /** There is a key, and no checkpoint that it could have signed. */
  | { kind: 'none-signed' }
  /** The list of streams beside a checkpoint is not the one that its note was made of, or not true. */
  | { kind: 'forged-heads'; source: CheckpointSource | null; size: number; stream: string | null }
  | { kind: 'other-record'; source: CheckpointSource; origin: string; found: string }
  /** A file of an archive. */
  | { kind: 'archive'; file: string; reason: string }
  /** The event is not where the archive says it is in the record that the checkpoint covers. */
  | { kind: 'not-included'; stream: string; revision: number; index: number };

/** More are counted, not kept: a record can be wrong in as many places as it has events. */
const MAX_FINDINGS = 1000;

export class Findings {
  readonly #kept: Finding[] = [];
  #more = 0;

  get kept(): readonly Finding[] {
    return this.#kept;
  }

  /** Findings beyond those kept. */
  get more(): number {
    return this.#more;
  }

  add(finding: Finding): void {
    if (this.#kept.length < MAX_FINDINGS) this.#kept.push(finding);
    else this.#more += 1;
  }
}

/** A sentence for people. */
export function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'changed':
      return `${finding.stream}: revision ${finding.revision} was changed`;
    case 'missing':
      return `${revisions(finding.from, finding.to)} of ${finding.stream} ${areMissing(finding)}${seenAt(finding.checkpoint)}`;
    case 'stream-missing':
      return `${finding.stream} is missing: ${revisions(finding.from, finding.to)}${seenAt(finding.checkpoint)}`;
    case 'swapped':
      return `${finding.stream}: revisions ${finding.revision} and ${finding.with} were swapped`;
    case 'rewritten':
      return `${finding.stream} was rewritten: revision ${finding.revision} does not match checkpoint ${finding.checkpoint}`;
    case 'out-of-order':
      return `${finding.stream}: revision ${finding.revision} is in the wrong order: it comes too late, at position ${finding.position}`;
    case 'misfiled':
      return `${finding.stream}: readers do not find revision ${finding.revision}: ${finding.detail}`;
    case 'hidden':
      return `events of ${finding.stream} are hidden from its readers: ${finding.detail}`;
    case 'unreadable':
      return finding.stream === null
        ? `the event at ${positions(finding.from, finding.to)} cannot be read`
        : `${finding.stream}: revision ${finding.revision ?? '?'} cannot be read, at ${positions(finding.from, finding.to)}`;
    case 'gap':
      return `there is no event at ${positions(finding.from, finding.to)}: events were removed`;
    case 'damaged':
      return `the store is damaged: ${finding.detail}`;
    case 'order':
      return `the order of events was changed between ${checkpoint(finding.after)} and checkpoint ${finding.upTo}${finding.streams.length === 0 ? '' : ` (${finding.streams.join(', ')})`}; each stream on its own is intact`;
    case 'tree':
      return describeTree(finding);
    case 'expected':
      return finding.events < finding.size
        ? `the record has ${events(finding.events)}, at least ${finding.size - finding.events} fewer than the expected ${finding.size}; ${agreement(finding.agreesUpTo)}`
        : `the root over the first ${finding.size} events is not the expected one; ${agreement(finding.agreesUpTo)}`;
    case 'checkpoint-missing':
      return `checkpoint ${finding.size} was kept outside the record, but is missing in the record`;
    case 'checkpoint-invalid':
      return `the checkpoint at ${finding.place} ${where(finding.source)} is invalid: ${finding.reason}`;
    case 'unsigned':
      return `${checkpoints(finding)} ${where(finding.source)} ${finding.checkpoints === 1 ? 'is' : 'are'} not signed with the given key`;
    case 'wrong-key':
      return `${checkpoints(finding)} ${where(finding.source)} ${finding.checkpoints === 1 ? 'is' : 'are'} signed with a different key, or changed after signing`;
    case 'none-signed':
      return 'no checkpoint is signed with the given key, so nothing is proven';
    case 'forged-heads':
      return finding.stream === null
        ? `the streams listed beside checkpoint ${finding.size}${finding.source === null ? '' : ` ${where(finding.source)}`} do not match its note`
        : `checkpoint ${finding.size} lists ${finding.stream} differently from the record with the same root: the list was forged`;
    case 'other-record':
      return `the checkpoints ${where(finding.source)} belong to ${finding.origin}, but this record is ${finding.found}: it is a different record, or its first event was changed or removed`;
    case 'archive':
      return `${finding.file}: ${finding.reason}`;
    case 'not-included':
      return `${finding.stream}: revision ${finding.revision} is not event ${finding.index} of the record that the checkpoint covers`;
  }
}

function describeTree({ after, upTo, expected, found }: Extract<Finding, { kind: 'tree' }>): string {
  const place = `between ${checkpoint(after)} and checkpoint ${upTo}`;
  // Events after the checkpoint may stand in their places: then more are gone than the number tells.
  if (found < expected)
    return `${place} at least ${events(expected - found)} fewer than recorded in the checkpoint`;
  if (found > expected) return `${place} ${events(found - expected)} more than recorded in the checkpoint`;
  return `${place} the events do not match the checkpoint`;
}

const events = (count: number): string => `${count} event${count === 1 ? '' : 's'}`;

const revisions = (from: number, to: number): string =>
  from === to ? `revision ${from}` : `revisions ${from} to ${to}`;

const areMissing = ({ from, to }: { from: number; to: number }): string =>
  from === to ? 'is missing' : 'are missing';

const seenAt = (size: number | null): string => (size === null ? '' : `, last seen at checkpoint ${size}`);

const checkpoint = (size: number): string => (size === 0 ? 'the beginning' : `checkpoint ${size}`);

const agreement = (size: number): string =>
  size === 0
    ? 'no earlier checkpoint matches the record'
    : `the available checkpoints match the record up to ${size}`;

const position = (text: string): string => (/^\d{1,16}$/.test(text) ? String(Number(text)) : text);

const positions = (from: string, to: string): string =>
  from === to ? `position ${position(from)}` : `positions ${position(from)} to ${position(to)}`;

const checkpoints = ({ from, to, checkpoints }: { from: number; to: number; checkpoints: number }): string =>
  checkpoints === 1 ? `checkpoint ${from}` : `${checkpoints} checkpoints (${from} to ${to})`;

function where(source: CheckpointSource): string {
  switch (source) {
    case 'record':
      return 'in the record';
    case 'outside':
      return 'outside the record';
    case 'archive':
      return 'of the archive';
  }
}
