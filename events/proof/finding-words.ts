/** Where a checkpoint was found: in the record itself, outside of it, or in an archive. */
export type CheckpointSource = 'record' | 'outside' | 'archive';

const WHERE: Readonly<Record<CheckpointSource, string>> = {
  record: 'in the record',
  outside: 'outside the record',
  archive: 'of the archive',
};

type OfEvent = { stream: string; revision: number };
type Range<Bound = number> = { from: Bound; to: Bound };
type Between = { after: number; upTo: number };
type InRecord = { source: CheckpointSource };

/** The possible faults of a record, by kind, each as a sentence for people. */
const WORDS = {
  /** The hash computed from the event and its predecessor's hash differs from the hash stored with the event. */
  changed: (of: OfEvent & { id: string }) => `${of.stream}: revision ${of.revision} was changed`,
  /**
   * Revisions are missing. `checkpoint` is the size of the newest checkpoint that covers them; `null` if the chain
   * itself shows the gap.
   */
  missing: (of: Range & { stream: string; checkpoint: number | null }) =>
    `${revisions(of)} of ${of.stream} ${of.from === of.to ? 'is' : 'are'} missing${seenAt(of.checkpoint)}`,
  'stream-missing': (of: Range & { stream: string; checkpoint: number }) =>
    `${of.stream} is missing: ${revisions(of)}${seenAt(of.checkpoint)}`,
  /** The events at the two revisions were exchanged. */
  swapped: (of: OfEvent & { with: number }) =>
    `${of.stream}: revisions ${of.revision} and ${of.with} were swapped`,
  /** The chain is whole, but a checkpoint covers another chain. */
  rewritten: (of: OfEvent & { checkpoint: number }) =>
    `${of.stream} was rewritten: revision ${of.revision} does not match checkpoint ${of.checkpoint}`,
  /** The event is too late in the record: after an event that follows it in its stream. */
  'out-of-order': (of: OfEvent & { position: string }) =>
    `${of.stream}: revision ${of.revision} is in the wrong order: it comes too late, at position ${of.position}`,
  /** Filters or look-ups do not find the event. */
  misfiled: (of: OfEvent & { position: string; detail: string }) =>
    `${of.stream}: readers do not find revision ${of.revision}: ${of.detail}`,
  /** Events of the stream exist, but readers of the stream do not get them. */
  hidden: (of: { stream: string; detail: string }) =>
    `events of ${of.stream} are hidden from its readers: ${of.detail}`,
  unreadable: (of: Range<string> & { stream: string | null; revision: number | null }) =>
    of.stream === null
      ? `the event at ${positions(of)} cannot be read`
      : `${of.stream}: revision ${of.revision ?? '?'} cannot be read, at ${positions(of)}`,
  /** There is no event at positions that must have one. */
  gap: (of: Range<string>) => `there is no event at ${positions(of)}: events were removed`,
  /** The tables or files made from the record have events that are not in it. */
  'tables-ahead': (of: { tables: string; file: string; position: string }) =>
    `the ${of.tables} tables (${of.file}) have events up to ${positions({ from: of.position, to: of.position })}, which the record does not have: it has lost its last events, for example with its log (events.db-wal), or an older record was put back`,
  /** The file of the keys is damaged. The events are not affected, but texts cannot be decrypted. */
  'keys-damaged': (of: { file: string; detail: string }) => `${of.file} is damaged: ${of.detail}`,
  damaged: (of: { detail: string }) => `the store is damaged: ${of.detail}`,
  /** All events are there, but in another order than the checkpoint covers. */
  order: (of: Between & { streams: readonly string[] }) =>
    `the order of events was changed between ${checkpoint(of.after)} and checkpoint ${of.upTo}${of.streams.length === 0 ? '' : ` (${of.streams.join(', ')})`}; each stream on its own is intact`,
  /** Between two checkpoints there are other events, or a different number of them, than the second checkpoint covers. */
  tree({ after, upTo, expected, found }: Between & { expected: number; found: number }) {
    const place = `between ${checkpoint(after)} and checkpoint ${upTo}`;
    // Other events may have taken their places: then more events are gone than the number shows.
    if (found < expected)
      return `${place} at least ${events(expected - found)} fewer than recorded in the checkpoint`;
    if (found > expected) return `${place} ${events(found - expected)} more than recorded in the checkpoint`;
    return `${place} the events do not match the checkpoint`;
  },
  /** The record does not begin with the events that were noted as SIZE:ROOT. */
  expected: (of: { size: number; root: string; events: number; agreesUpTo: number }) =>
    of.events < of.size
      ? `the record has ${events(of.events)}, at least ${of.size - of.events} fewer than the expected ${of.size}; ${agreement(of.agreesUpTo)}`
      : `the root over the first ${of.size} events is not the expected one; ${agreement(of.agreesUpTo)}`,
  'checkpoint-missing': (of: { size: number }) =>
    `checkpoint ${of.size} was kept outside the record, but is missing in the record`,
  'checkpoint-invalid': (of: InRecord & { place: string; reason: string }) =>
    `the checkpoint at ${of.place} ${WHERE[of.source]} is invalid: ${of.reason}`,
  unsigned: (of: InRecord & Range & { checkpoints: number }) =>
    `${checkpoints(of)} not signed with the given key`,
  'wrong-key': (of: InRecord & Range & { checkpoints: number }) =>
    `${checkpoints(of)} signed with a different key, or changed after signing`,
  /** A key is given, but no checkpoint is signed. */
  'none-signed': () => 'no checkpoint is signed with the given key, so nothing is proven',
  /** The list of streams beside a checkpoint does not match its note, or contradicts the record. */
  'forged-heads': (of: { source: CheckpointSource | null; size: number; stream: string | null }) =>
    of.stream === null
      ? `the streams listed beside checkpoint ${of.size}${of.source === null ? '' : ` ${WHERE[of.source]}`} do not match its note`
      : `checkpoint ${of.size} lists ${of.stream} differently from the record with the same root: the list was forged`,
  'other-record': (of: InRecord & { origin: string; found: string }) =>
    `the checkpoints ${WHERE[of.source]} belong to ${of.origin}, but this record is ${of.found}: it is a different record, or its first event was changed or removed`,
  /** A file of an archive is faulty. */
  archive: (of: { file: string; reason: string }) => `${of.file}: ${of.reason}`,
  /** The event is not where the archive says it is in the record that the checkpoint covers. */
  'not-included': (of: OfEvent & { index: number }) =>
    `${of.stream}: revision ${of.revision} is not event ${of.index} of the record that the checkpoint covers`,
};

type Words = typeof WORDS;

/** A fault of a record. `kind` is stable, so that scripts can branch on it. */
export type Finding = {
  [Kind in keyof Words]: { kind: Kind } & (Words[Kind] extends (of: infer Data) => string ? Data : never);
}[keyof Words];

export const describeFinding = (finding: Finding): string => WORDS[finding.kind](finding as never);

/** The most findings that are kept; more are only counted, because a record can have as many faults as events. */
const MAX_FINDINGS = 1000;

export class Findings {
  readonly #kept: Finding[] = [];
  #more = 0;

  get kept(): readonly Finding[] {
    return this.#kept;
  }

  /** The number of findings beyond those that are kept. */
  get more(): number {
    return this.#more;
  }

  add(finding: Finding): void {
    if (this.#kept.length < MAX_FINDINGS) this.#kept.push(finding);
    else this.#more += 1;
  }
}

const events = (count: number): string => `${count} event${count === 1 ? '' : 's'}`;

const revisions = ({ from, to }: Range): string =>
  from === to ? `revision ${from}` : `revisions ${from} to ${to}`;

const seenAt = (size: number | null): string => (size === null ? '' : `, last seen at checkpoint ${size}`);

const checkpoint = (size: number): string => (size === 0 ? 'the beginning' : `checkpoint ${size}`);

const agreement = (size: number): string =>
  size === 0
    ? 'no earlier checkpoint matches the record'
    : `the available checkpoints match the record up to ${size}`;

const position = (text: string): string => (/^\d{1,16}$/.test(text) ? String(Number(text)) : text);

const positions = ({ from, to }: Range<string>): string =>
  from === to ? `position ${position(from)}` : `positions ${position(from)} to ${position(to)}`;

const checkpoints = ({ source, from, to, checkpoints }: InRecord & Range & { checkpoints: number }): string =>
  checkpoints === 1
    ? `checkpoint ${from} ${WHERE[source]} is`
    : `${checkpoints} checkpoints (${from} to ${to}) ${WHERE[source]} are`;
