import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { checkCommit, RecentIds, type Decision } from './commit-check.ts';
import type { Expected } from './expected.ts';
import { Log } from './log.ts';
import { MAX_REVISION } from './protocol.ts';
import { parseStreamMetadata, readableFrom, type StreamMetadata } from './stream-metadata.ts';
import type { ProposedEvent, StoredEvent } from './stored-event.ts';

type Entry = Omit<StoredEvent, 'position' | 'ordinal'>[];

export type Outcome =
  | { kind: 'written'; revision: bigint; position: bigint | undefined }
  | { kind: 'wrongVersion'; current: bigint }
  | { kind: 'deleted' };

const NOTHING = new Uint8Array();

/** The position of the first event, because the log begins with other records. */
const FIRST_POSITION = 1_024n;

export const JSON_CONTENT = 'application/json';

/**
 * The streams in memory, with a durable log. Writes are decided at once and in order; readers see an event only when it
 * is on disk, and the commit is announced then.
 */
export class Database {
  /** Emits `commit` after events have become readable. */
  readonly commits = new EventEmitter().setMaxListeners(0);
  readonly #all: StoredEvent[] = [];
  readonly #streams = new Map<string, StoredEvent[]>();
  readonly #tombstoned = new Set<string>();
  readonly #recent = new RecentIds();
  #log!: Log<Entry>;
  #nextPosition = FIRST_POSITION;
  #committed = 0;
  #lastWrite: Promise<void> = Promise.resolve();

  static async open(file: string): Promise<Database> {
    const database = new Database();
    database.#log = await Log.open<Entry>(file, (entry) => {
      for (const event of entry) database.#place(event);
    });
    database.#committed = database.#all.length;
    return database;
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  /** Replaces all events without checks, as if somebody had tampered with the files. Nothing is written to disk. */
  overwrite(events: readonly Entry[number][]): void {
    this.#all.length = 0;
    this.#streams.clear();
    this.#tombstoned.clear();
    this.#nextPosition = FIRST_POSITION;
    for (const event of events) this.#place(event);
    // A server finds the events of a stream by an index, whatever the order of the log is.
    for (const stream of this.#streams.values()) stream.sort((a, b) => Number(a.revision - b.revision));
    this.#committed = this.#all.length;
  }

  /** The number of readable events in the order of `$all`. */
  get head(): number {
    return this.#committed;
  }

  at(ordinal: number): StoredEvent {
    return this.#all[ordinal]!;
  }

  /** The position of the next event. */
  get end(): bigint {
    return this.#all[this.#committed]?.position ?? this.#nextPosition;
  }

  /**
   * Whether a read may begin at this position: at the beginning of an event, or after the last one, but not within an
   * event.
   */
  isBoundary(position: bigint): boolean {
    if (position >= this.end || position === 0n) return true;
    return this.#all[this.ordinalOf(position)]?.position === position;
  }

  /** The ordinal of the first event at or after a position. */
  ordinalOf(position: bigint): number {
    let [low, high] = [0, this.#committed];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#all[middle]!.position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The last revision, -1 if there is none; events on their way to disk count. */
  currentRevision(stream: string): bigint {
    return BigInt(this.#streams.get(stream)?.length ?? 0) - 1n;
  }

  eventAt(stream: string, revision: bigint): StoredEvent | undefined {
    return this.#streams.get(stream)?.[Number(revision)];
  }

  isTombstoned(stream: string): boolean {
    return this.#tombstoned.has(stream);
  }

  isSoftDeleted(stream: string): boolean {
    return this.metadata(stream).truncateBefore === MAX_REVISION;
  }

  metadata(stream: string): StreamMetadata {
    return parseStreamMetadata(this.#streams.get(`$$${stream}`)?.at(-1)?.data);
  }

  /** The readable events of a stream; `undefined` if it does not exist or is deleted. */
  readable(stream: string): StoredEvent[] | undefined {
    const events = this.#streams.get(stream) ?? [];
    let end = events.length;
    while (end > 0 && events[end - 1]!.ordinal >= this.#committed) end--;
    if (end === 0 || this.isSoftDeleted(stream)) return undefined;
    return events.slice(readableFrom(this.metadata(stream), events, end), end);
  }

  async append(stream: string, expected: Expected, events: readonly ProposedEvent[]): Promise<Outcome> {
    const decision = this.#check(stream, expected, events);
    if (decision.kind === 'repeated') {
      await this.#lastWrite;
      const { last } = decision;
      // The server looks up the position like a reader.
      const isReadable = this.readable(stream)?.includes(last) ?? false;
      return { kind: 'written', revision: last.revision, position: isReadable ? last.position : undefined };
    }
    if (decision.kind !== 'write') return decision;
    const current = this.currentRevision(stream);
    if (events.length === 0) return { kind: 'written', revision: current, position: undefined };
    const entry = events.map((event, index) => this.#newEvent(stream, current + 1n + BigInt(index), event));
    if (this.isSoftDeleted(stream)) entry.unshift(this.#metadataEvent(stream, Number(current + 1n)));
    const written = await this.#write(entry);
    const last = written.at(-1)!;
    return { kind: 'written', revision: last.revision, position: last.position };
  }

  /** Hides the events; the stream can be continued after its last revision. */
  async softDelete(stream: string, expected: Expected): Promise<Outcome> {
    const decision = this.#check(stream, expected, []);
    if (decision.kind === 'wrongVersion' || decision.kind === 'deleted') return decision;
    if (this.currentRevision(stream) < 0n && this.currentRevision(`$$${stream}`) < 0n) {
      return { kind: 'wrongVersion', current: -1n };
    }
    const written = await this.#write([this.#metadataEvent(stream, 'all')]);
    return { kind: 'written', revision: this.currentRevision(stream), position: written[0]!.position };
  }

  /** Ends the stream for good: its name can never be used again. */
  async tombstone(stream: string, expected: Expected): Promise<Outcome> {
    const decision = this.#check(stream, expected, []);
    if (decision.kind === 'wrongVersion' || decision.kind === 'deleted') return decision;
    const event = {
      id: randomUUID(),
      type: '$streamDeleted',
      contentType: 'application/octet-stream',
      data: NOTHING,
      metadata: NOTHING,
    };
    const written = await this.#write([this.#newEvent(stream, MAX_REVISION, event)]);
    return { kind: 'written', revision: MAX_REVISION, position: written[0]!.position };
  }

  #check(stream: string, expected: Expected, events: readonly ProposedEvent[]): Decision {
    return checkCommit({
      stream,
      expected,
      ids: events.map((event) => event.id),
      current: this.currentRevision(stream),
      hasMetadata: this.currentRevision(`$$${stream}`) >= 0n,
      tombstoned: this.isTombstoned(stream),
      softDeleted: this.isSoftDeleted(stream),
      eventAt: (revision) => this.eventAt(stream, revision),
      recent: this.#recent,
    });
  }

  #newEvent(stream: string, revision: bigint, event: ProposedEvent): Entry[number] {
    return { ...event, stream, revision, created: Date.now() };
  }

  #metadataEvent(stream: string, truncateBefore: number | 'all'): Entry[number] {
    const meta = `$$${stream}`;
    const before = truncateBefore === 'all' ? MAX_REVISION.toString() : String(truncateBefore);
    return this.#newEvent(meta, this.currentRevision(meta) + 1n, {
      id: randomUUID(),
      type: '$metadata',
      contentType: JSON_CONTENT,
      data: Buffer.from(`{"$tb":${before}}`),
      metadata: NOTHING,
    });
  }

  async #write(entry: Entry): Promise<StoredEvent[]> {
    const events = entry.map((event) => this.#place(event));
    for (const event of events) this.#recent.add(event);
    const written = this.#log.write(entry);
    this.#lastWrite = written;
    await written;
    this.#committed = events.at(-1)!.ordinal + 1;
    this.commits.emit('commit');
    return events;
  }

  #place(event: Entry[number]): StoredEvent {
    const stored = { ...event, position: this.#nextPosition, ordinal: this.#all.length };
    const bytes = event.data.length + event.metadata.length + event.type.length + event.stream.length;
    this.#nextPosition += BigInt(bytes + 64);
    this.#all.push(stored);
    if (event.revision === MAX_REVISION) {
      this.#tombstoned.add(event.stream);
      return stored;
    }
    const events = this.#streams.get(event.stream);
    if (events === undefined) this.#streams.set(event.stream, [stored]);
    else events.push(stored);
    return stored;
  }
}
