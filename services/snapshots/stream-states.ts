import type { AnyStream } from '../../actors/streams/define.ts';
import { evolveKept, kindOf } from '../../actors/streams/streams.ts';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { createDecoder } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';
import { GENESIS_HASH, recordedHash } from '../../events/store/chain.ts';
import type { RecordedEvent, RecordReader } from '../../events/store/store.ts';
import type { Snapshot, SnapshotFile, SnapshotPlace } from './snapshot-file.ts';

/** What a stream amounted to after one of its events. */
export interface StreamState {
  readonly stream: string;
  readonly definition: AnyStream;
  readonly revision: bigint;
  /** The event at `revision`, as it is stored. */
  readonly event: RecordedEvent;
  readonly state: unknown;
}

/** A revision, a time (ISO 8601, UTC, with milliseconds), or the end. */
export type Point = { readonly revision: bigint } | { readonly time: string } | 'end';

interface StreamStatesOptions {
  readonly store: RecordReader;
  /** `null`: each state is folded from the start of its stream. */
  readonly snapshots: SnapshotFile | null;
  /** Events from snapshot to snapshot. */
  readonly distance?: number;
  /** Told now and then of a long way. */
  readonly onProgress?: (progress: { readonly revision: bigint; readonly last: bigint }) => void;
}

/**
 * Folding an event takes some 20 µs (reading and chain included), opening a snapshot of an account with ten thousand
 * orders and hashing it some 30 ms: what is added to that stays as short. Such a snapshot takes half a megabyte.
 */
const DISTANCE = 2_000;

/** No fold asks for free text: none of it is opened, and none can get into a snapshot. */
const decoder = createDecoder(CATALOG, { open: () => Promise.resolve(null) });

interface Start {
  readonly state: unknown;
  readonly revision: bigint;
  readonly hash: string;
}

/**
 * States of streams at any point, folded from the last snapshot before it. The way from there is proven by the hash chain
 * as it is walked, and so is that the snapshot is of this record.
 */
export class StreamStates {
  readonly #options: StreamStatesOptions;
  readonly #distance: bigint;
  #snapshots: SnapshotFile | null;

  constructor(options: StreamStatesOptions) {
    this.#options = options;
    this.#distance = BigInt(options.distance ?? DISTANCE);
    this.#snapshots = options.snapshots;
  }

  /**
   * The state after the event at a revision; at a time: after the last event whose own time is at or before it (a later
   * one may be of an earlier time, where a clock was set back). `undefined` where there is no such event.
   *
   * @throws {BelegError} `STREAM_CORRUPT` for a record that does not add up on the way there.
   */
  async at(stream: string, point: Point): Promise<StreamState | undefined> {
    const definition = kindOf(stream);
    if (definition === undefined) return undefined;
    const last = await this.lastRevision(stream);
    if (last < 0n) return undefined;
    let revision: bigint | undefined = last;
    if (point !== 'end') {
      revision =
        'revision' in point ? point.revision : await this.#revisionAt(stream, definition, point.time, last);
    }
    if (revision === undefined || revision < 0n || revision > last) return undefined;
    return this.#fold(stream, definition, revision);
  }

  /** -1 for a stream that does not exist. */
  async lastRevision(stream: string): Promise<bigint> {
    for await (const event of this.#options.store.readStream(stream, { direction: 'backwards', limit: 1 })) {
      return event.revision;
    }
    return -1n;
  }

  async #fold(stream: string, definition: AnyStream, revision: bigint): Promise<StreamState> {
    const { store, onProgress } = this.#options;
    const snapshot = this.#snapshot(stream, definition, revision);
    const from = snapshot?.revision ?? 0n;
    let start: Start = snapshot ?? { state: definition.kept.initial(), revision: -1n, hash: GENESIS_HASH };
    let earliest: string | undefined;
    let last: RecordedEvent | undefined;
    const limit = Number(revision - from + 1n);
    for await (const event of store.readStream(stream, { from, limit })) {
      last = event;
      if (event.revision === snapshot?.revision) {
        if (event.metadata.hash === snapshot.hash) continue;
        this.#discard(stream);
        return this.#fold(stream, definition, revision);
      }
      start = await step(definition, start, event);
      const { at } = event.metadata;
      if (earliest === undefined || at < earliest) earliest = at;
      if ((event.revision + 1n) % this.#distance !== 0n) continue;
      if (this.#keep(definition, { ...start, stream, fold: nameOf(definition), earliest }))
        earliest = undefined;
      onProgress?.({ revision: event.revision, last: revision });
    }
    if (last?.revision !== revision) throw broken(stream, revision);
    return { stream, definition, revision, event: last, state: start.state };
  }

  /** Of the last event at or before a time. */
  async #revisionAt(
    stream: string,
    definition: AnyStream,
    time: string,
    last: bigint,
  ): Promise<bigint | undefined> {
    let covered = await this.#covered(stream, definition);
    if (this.#snapshots !== null && last - covered > this.#distance) {
      // Every stretch but the last then has its earliest time on file.
      await this.#fold(stream, definition, last);
      covered = await this.#covered(stream, definition);
    }
    const found = await this.#lastAtOrBefore(stream, time, last, covered);
    if (found !== undefined || covered < 0n) return found;
    const stretch = this.#snapshots?.since(stream, nameOf(definition), time);
    return stretch === undefined ? undefined : this.#lastAtOrBefore(stream, time, stretch.revision, -1n);
  }

  /**
   * Revision of the newest snapshot; -1 where there is none. It is of this record, and so are all before it: the hash of
   * its event is that of all events before.
   */
  async #covered(stream: string, definition: AnyStream): Promise<bigint> {
    const newest = this.#snapshots?.newest(stream, nameOf(definition));
    if (newest === undefined) return -1n;
    const { revision, hash } = newest;
    for await (const event of this.#options.store.readStream(stream, { from: revision, limit: 1 })) {
      if (event.metadata.hash === hash) return revision;
    }
    this.#discard(stream);
    return -1n;
  }

  /** Looks backwards, down to and without `above`. */
  async #lastAtOrBefore(
    stream: string,
    time: string,
    from: bigint,
    above: bigint,
  ): Promise<bigint | undefined> {
    const options = { direction: 'backwards', from, limit: Number(from - above) } as const;
    for await (const { metadata, revision } of this.#options.store.readStream(stream, options)) {
      if (metadata.at <= time) return revision;
    }
    return undefined;
  }

  #snapshot(stream: string, definition: AnyStream, revision: bigint): (Start & Snapshot) | undefined {
    const snapshots = this.#snapshots;
    if (snapshots === null || revision + 1n < this.#distance) return undefined;
    try {
      const snapshot = snapshots.before(stream, nameOf(definition), revision);
      return snapshot === undefined
        ? undefined
        : { ...snapshot, state: definition.kept.fromLines(snapshot.lines) };
    } catch {
      this.#discard(stream);
      return undefined;
    }
  }

  /** Whether it is kept: a disk may be full, or another process writing. */
  #keep(definition: AnyStream, { state, ...place }: Start & SnapshotPlace): boolean {
    try {
      this.#snapshots?.add({ ...place, lines: definition.kept.toLines(state) });
      return true;
    } catch {
      return false;
    }
  }

  /** Where that cannot be done, they are looked at no more. */
  #discard(stream: string): void {
    try {
      this.#snapshots?.discard(stream);
    } catch {
      this.#snapshots = null;
    }
  }
}

const nameOf = ({ kind, kept }: AnyStream): string => `${kind}/${kept.version}`;

async function step(
  definition: AnyStream,
  { state, revision, hash }: Start,
  event: RecordedEvent,
): Promise<Start> {
  if (event.revision !== revision + 1n || recordedHash(hash, event) !== event.metadata.hash) {
    throw broken(event.stream, revision + 1n);
  }
  const decoded = await decoder.decode(event);
  const next = decoded === undefined ? state : evolveKept(definition, state, decoded);
  return { state: next, revision: event.revision, hash: event.metadata.hash };
}

function broken(stream: string, revision: bigint): BelegError {
  const detail = `revision ${revision} of ${stream} was changed after it was recorded; run \`beleg audit verify --stream ${stream}\` for details`;
  return new BelegError('STREAM_CORRUPT', { detail });
}
