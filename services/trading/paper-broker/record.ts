import { emptyBook, evolve, type Book } from '../../../actors/paper-broker/book.ts';
import { reportOf } from '../../../actors/paper-broker/reports.ts';
import type { BrokerReport } from '../../../actors/trading/broker.ts';
import { paperBrokerStream } from '../../../events/catalog/broker.ts';
import type { PaperBrokerEvent } from '../../../events/catalog/catalog.ts';
import type { Codec } from '../../../events/define.ts';
import { isBelegError } from '../../../events/errors.ts';
import { NO_STREAM, type EventStore, type NewEvent } from '../../../events/store/store.ts';
import { cursorOf, ReportTail, revisionAfter } from './reports.ts';

/** Events of one append: the longest of them stay far below 1 MiB together. */
const PART = 500;
/** Events that are read for one answer. */
const PAGE = 1_000;

interface Part {
  readonly events: readonly PaperBrokerEvent[];
  /** Encoded once: what is repeated is the identical append. */
  readonly encoded: readonly NewEvent[];
}

/** What the stream says. */
interface Known {
  readonly book: Book;
  readonly tail: ReportTail;
  /** The book's last session, where nothing has happened since: only what comes next puts it on disk. */
  quiet: PaperBrokerEvent | null;
  /** The last session that is on disk. */
  session: string | null;
}

/**
 * The paper broker's stream, and the book that it folds to. One caller at a time.
 *
 * An append of unknown outcome is repeated before anything else, whoever asks. Where another holder has written, the
 * book is folded again from what stands there, and what was not written yet is dropped.
 */
export class PaperRecord {
  readonly stream: string;
  readonly #store: EventStore;
  readonly #codec: Codec;
  #known: Known | undefined;
  #revision = NO_STREAM;
  /** Decided and in the book, but not known to be on disk. */
  #unwritten: Part[] = [];

  constructor({ store, codec, account }: { store: EventStore; codec: Codec; account: string }) {
    this.stream = paperBrokerStream(account);
    this.#store = store;
    this.#codec = codec;
  }

  /** The book, as it stands on disk, but for a quiet session. */
  async book(): Promise<Book> {
    await this.#write();
    this.#known ??= await this.#load();
    return this.#known.book;
  }

  /** The last session on disk: the book's own may be a quiet one after it. */
  get session(): string | null {
    return this.#known?.session ?? null;
  }

  /** A session in which nothing happened, and nothing has happened since. */
  get quiet(): PaperBrokerEvent | null {
    return this.#known?.quiet ?? null;
  }

  /**
   * Resolves when events that the book holds already are on disk. Those of one order are never torn apart. `quiet`: a
   * last session in which nothing happened. It is kept back until something does, because a book that has not met it is
   * the same book: a market without orders leaves no record of its days.
   */
  async append(events: readonly PaperBrokerEvent[], quiet: PaperBrokerEvent | null): Promise<void> {
    this.#known!.quiet = quiet;
    try {
      for (const part of partsOf(events)) {
        const encoded = await Promise.all(part.map((event) => this.#codec.encode(event)));
        this.#unwritten.push({ events: part, encoded });
      }
    } catch (error) {
      this.forget();
      throw error;
    }
    await this.#write();
  }

  /** What is not on disk has not happened: the book is folded again. */
  forget(): void {
    this.#known = undefined;
    this.#unwritten = [];
  }

  /** Of the last report on disk; `null` where there is none, or none is known at present. */
  get lastCursor(): string | null {
    return this.#known?.tail.lastCursor ?? null;
  }

  /** Reports behind a cursor, if they are in memory. */
  remembered(after: string | null): readonly BrokerReport[] | null {
    return this.#known?.tail.since(after) ?? null;
  }

  /** Reports behind a cursor, from the stream: some at a time, none only at the end. */
  async read(after: string | null): Promise<readonly BrokerReport[]> {
    const reports: BrokerReport[] = [];
    let read = 0;
    for await (const recorded of this.#store.readStream(this.stream, { from: revisionAfter(after) })) {
      const event = await this.#codec.decode(recorded);
      const report = event === undefined ? null : reportOf(asPaperEvent(event), cursorOf(recorded.revision));
      if (report !== null) reports.push(report);
      read += 1;
      if (read >= PAGE && reports.length > 0) break;
    }
    return reports;
  }

  async #write(): Promise<void> {
    for (let part = this.#unwritten[0]; part !== undefined; part = this.#unwritten[0]) {
      try {
        const { revision } = await this.#store.append(this.stream, this.#revision, part.encoded);
        this.#revision = revision;
      } catch (error) {
        if (!isBelegError(error, 'STORE_UNAVAILABLE')) this.forget();
        throw error;
      }
      this.#unwritten.shift();
      let revision = this.#revision - BigInt(part.events.length);
      for (const event of part.events) {
        this.#known!.tail.add(event, (revision += 1n));
        if (event.type === 'PaperSessionMatched') this.#known!.session = event.data.session;
      }
    }
  }

  async #load(): Promise<Known> {
    const known: Known = { book: emptyBook(), tail: new ReportTail(), quiet: null, session: null };
    let revision = NO_STREAM;
    for await (const recorded of this.#store.readStream(this.stream)) {
      revision = recorded.revision;
      const event = await this.#codec.decode(recorded);
      if (event === undefined) continue;
      evolve(known.book, asPaperEvent(event));
      known.tail.add(asPaperEvent(event), revision);
    }
    this.#revision = revision;
    known.session = known.book.session;
    return known;
  }
}

// The stream holds these and nothing else.
const asPaperEvent = (event: { readonly type: string }): PaperBrokerEvent => event as PaperBrokerEvent;

function* partsOf(events: readonly PaperBrokerEvent[]): Generator<PaperBrokerEvent[]> {
  let part: PaperBrokerEvent[] = [];
  for (const event of events) {
    if (part.length >= PART && !ofSameOrder(event, part.at(-1)!)) {
      yield part;
      part = [];
    }
    part.push(event);
  }
  if (part.length > 0) yield part;
}

const ofSameOrder = ({ data: one }: PaperBrokerEvent, { data: other }: PaperBrokerEvent): boolean =>
  'order_id' in one && 'order_id' in other && one.order_id === other.order_id;
