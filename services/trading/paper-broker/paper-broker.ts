import type { Book } from '../../../actors/paper-broker/book.ts';
import type { BookCommand } from '../../../actors/paper-broker/decide.ts';
import type { PaperRules } from '../../../actors/paper-broker/rules.ts';
import { PAPER_BROKER } from '../../../actors/streams/trading.ts';
import type { BrokerOrder, BrokerReport } from '../../../actors/trading/broker.ts';
import { paperBrokerStream } from '../../../events/catalog/broker.ts';
import type { PaperBrokerEvent } from '../../../events/catalog/catalog.ts';
import type { Quantity } from '../../../events/decimal.ts';
import type { Codec } from '../../../events/define.ts';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import type { SessionData } from '../../../events/messages/market.ts';
import type { EventStore } from '../../../events/store/store.ts';
import { stateHashOf, type StateHashes } from '../../state-hashes.ts';
import { StreamWriter, type Recorded, type WriterOf } from '../../streams/writer.ts';
import type { OpenBroker } from '../open-broker.ts';
import type { ServiceParts } from '../../service-parts.ts';
import { reportOf } from '../../../actors/paper-broker/reports.ts';

interface PaperBrokerOptions extends Pick<ServiceParts, 'store' | 'codec' | 'now'> {
  readonly account: string;
  readonly rules: PaperRules;
  /** Called when another holder has written: this one answers nothing any more. */
  readonly onLost?: (error: unknown) => void;
}

/**
 * Opens an account's paper broker over its own stream, `paper-broker-<account>`: a broker without a market of its own, it
 * trades with the bars that it is shown. What it has answered is on disk.
 * Rejects with `BROKER_UNAVAILABLE` while the store cannot be read.
 *
 * @example
 * const broker = await openPaperBroker({ store, codec, account: 'main', rules, now: () => new Date() });
 * await broker.submit(order);
 * await broker.advance(session);
 * const reports = await broker.reports(null);
 */
export async function openPaperBroker(options: PaperBrokerOptions): Promise<OpenBroker> {
  const { store, codec, account, rules, now, onLost } = options;
  const writer = await StreamWriter.open(PAPER_BROKER, paperBrokerStream(account), {
    store,
    codec,
    now,
    context: rules,
    // Its client asks again.
    hasty: true,
    onLost,
  }).catch(unavailable);
  return new StoredPaperBroker(options, writer);
}

class StoredPaperBroker implements OpenBroker {
  readonly #store: EventStore;
  readonly #codec: Codec;
  readonly #writer: WriterOf<typeof PAPER_BROKER>;
  readonly #listeners = new Set<() => void>();
  readonly #tail: ReportTail;
  /** The last session on disk: the book's own may be one after it in which nothing happened. */
  #recorded: string | null;
  #session: string | null;

  constructor({ store, codec }: PaperBrokerOptions, writer: WriterOf<typeof PAPER_BROKER>) {
    this.#store = store;
    this.#codec = codec;
    this.#writer = writer;
    this.#tail = new ReportTail(writer.revision + 1n);
    this.#recorded = this.#session = writer.state.session;
    writer.follow((events) => this.#note(events));
  }

  get session(): string | null {
    return this.#session;
  }

  submit(order: BrokerOrder): Promise<void> {
    return this.#tell({ type: 'submit', order });
  }

  cancel(orderId: string): Promise<void> {
    return this.#tell({ type: 'cancel', order_id: orderId });
  }

  async advance(session: SessionData): Promise<void> {
    const isMet = ({ session: last }: Book): boolean => last !== null && last >= session.date;
    do await this.#tell({ type: 'session', session });
    while (!(await this.#look(isMet)));
  }

  find(orderId: string): Promise<{ readonly open: boolean } | null> {
    return this.#look(({ open, done }) =>
      open.has(orderId) ? { open: true } : done.has(orderId) ? { open: false } : null,
    );
  }

  positions(): Promise<ReadonlyMap<string, Quantity>> {
    return this.#look(({ positions }) => new Map(positions));
  }

  async reports(after: string | null): Promise<readonly BrokerReport[]> {
    await this.#look(() => undefined);
    const remembered = this.#tail.since(after);
    if (remembered !== null) return remembered;
    return readReports(this.#store, this.#codec, this.#writer.stream, after).catch(unavailable);
  }

  stateHashes(): Promise<StateHashes> {
    return this.#look((book) => stateHashOf(this.#writer.stream, { ...book, session: this.#recorded }));
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  onReports(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #note(events: readonly Recorded<PaperBrokerEvent>[]): void {
    const before = this.#tail.lastCursor;
    for (const event of events) {
      this.#tail.add(event, event.revision);
      if (event.type === 'PaperSessionMatched') this.#recorded = event.data.session;
    }
    if (this.#tail.lastCursor !== before) for (const listener of this.#listeners) listener();
  }

  /** Who asks is not on record: an order's events are caused by the order. */
  async #tell(command: BookCommand): Promise<void> {
    await this.#writer.submit(command, { correlationId: '', callId: '' }).catch(unavailable);
  }

  #look<T>(view: (book: Book) => T): Promise<T> {
    return this.#writer
      .read((book) => {
        this.#session = book.session;
        return view(book);
      })
      .catch(unavailable);
  }
}

/** Whatever is wrong with the store, to a broker's client it is the broker that does not answer. */
function unavailable(error: unknown): never {
  if (!isBelegError(error, 'STORE_UNAVAILABLE', 'WRONG_EXPECTED_REVISION', 'SERVICE_UNAVAILABLE'))
    throw error;
  throw new BelegError('BROKER_UNAVAILABLE', { retryAfter: 1, cause: error });
}

/** The newest reports stay in memory; who asks for older ones reads the stream. */
const REMEMBERED = 1_000;
/** As many as revisions of a stream have: cursors are compared as text. */
const CURSOR_DIGITS = 19;

/** A report's cursor is the place of its event in the stream. */
const cursorOf = (revision: bigint): string => String(revision).padStart(CURSOR_DIGITS, '0');

/** The place of the first event behind a cursor. */
const revisionAfter = (cursor: string | null): bigint => (cursor === null ? 0n : BigInt(cursor) + 1n);

/** Events that are read for one answer. */
const PAGE = 1_000;

/** Reports behind a cursor, from the stream: some at a time, none only at the end. */
async function readReports(
  store: Pick<EventStore, 'readStream'>,
  codec: Pick<Codec, 'decode'>,
  stream: string,
  after: string | null,
): Promise<readonly BrokerReport[]> {
  const reports: BrokerReport[] = [];
  let read = 0;
  for await (const recorded of store.readStream(stream, { from: revisionAfter(after) })) {
    const event = (await codec.decode(recorded)) as PaperBrokerEvent | undefined;
    const report = event === undefined ? null : reportOf(event, cursorOf(recorded.revision));
    if (report !== null) reports.push(report);
    read += 1;
    if (read >= PAGE && reports.length > 0) break;
  }
  return reports;
}

/** The newest part of the paper broker's reports, in order. */
class ReportTail {
  #reports: BrokerReport[] = [];
  /** The first place of which a report would be here. */
  #from: bigint;

  constructor(from: bigint) {
    this.#from = from;
  }

  /** Of the last report; `null` where there is none. */
  get lastCursor(): string | null {
    return this.#reports.at(-1)?.cursor ?? null;
  }

  add(event: PaperBrokerEvent, revision: bigint): void {
    const report = reportOf(event, cursorOf(revision));
    if (report === null) return;
    this.#reports.push(report);
    if (this.#reports.length < 2 * REMEMBERED) return;
    this.#reports = this.#reports.slice(-REMEMBERED);
    this.#from = BigInt(this.#reports[0]!.cursor);
  }

  /** All reports behind a cursor; `null` where that goes back further than what is remembered. */
  since(cursor: string | null): readonly BrokerReport[] | null {
    if (revisionAfter(cursor) < this.#from) return null;
    // From the end: who asks has most of them.
    let index = this.#reports.length;
    while (index > 0 && this.#reports[index - 1]!.cursor > (cursor ?? '')) index -= 1;
    return this.#reports.slice(index);
  }
}
