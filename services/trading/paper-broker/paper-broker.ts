import type { Book } from '../../../actors/paper-broker/book.ts';
import type { BookCommand } from '../../../actors/paper-broker/commands.ts';
import type { PaperRules } from '../../../actors/paper-broker/rules.ts';
import { PAPER_BROKER } from '../../../actors/streams/trading.ts';
import type { BrokerReport } from '../../../actors/trading/broker.ts';
import { paperBrokerStream } from '../../../events/catalog/broker.ts';
import type { PaperBrokerEvent } from '../../../events/catalog/catalog.ts';
import type { Codec } from '../../../events/define.ts';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import type { EventStore } from '../../../events/store/store.ts';
import { stateHashOf } from '../../foundation/streams/state-hashes.ts';
import { StreamWriter, type Recorded } from '../../foundation/streams/writer.ts';
import type { OpenBroker } from '../open-broker.ts';
import type { ServiceParts } from '../../foundation/service-parts.ts';
import { reportOf } from '../../../actors/paper-broker/reports.ts';

interface PaperBrokerOptions extends Pick<ServiceParts, 'store' | 'codec' | 'now'> {
  readonly account: string;
  readonly rules: PaperRules;
  /** Called when another holder has written: then this broker answers nothing any more. */
  readonly onLost?: (error: unknown) => void;
}

/**
 * Opens an account's paper broker over its own stream, `paper-broker-<account>`. The broker has no market of its own
 * and trades with the bars that it is given. Its answers are recorded before they are given. Rejects with
 * `BROKER_UNAVAILABLE` while the store cannot be read.
 *
 * @example
 * const broker = await openPaperBroker({ store, codec, account: 'main', rules, now: () => new Date() });
 * await broker.submit(order);
 * await broker.advance(session, fundsOf(state, policy));
 * const reports = await broker.reports(null);
 */
export async function openPaperBroker(options: PaperBrokerOptions): Promise<OpenBroker> {
  const { store, codec, account, rules, now, onLost } = options;
  const stream = paperBrokerStream(account);
  const writer = await StreamWriter.open(PAPER_BROKER, stream, {
    store,
    codec,
    now,
    context: rules,
    // The writer may fail at once, because the broker's client repeats the request.
    hasty: true,
    onLost,
  }).catch(unavailable);
  const tail = reportTail(writer.revision + 1n);
  const listeners = new Set<() => void>();
  let { session } = writer.state;
  /** The last session that was recorded. The book's own session may be later if nothing happened in it. */
  let recorded = session;
  writer.follow((events) => {
    for (const event of events) {
      if (event.type === 'PaperSessionMatched') recorded = event.data.session;
    }
    if (tail.add(events)) for (const listener of listeners) listener();
  });

  /** Records a command. Its caller is not recorded, because the cause of an order's events is the order. */
  async function tell(command: BookCommand): Promise<void> {
    await writer.submit(command, { correlationId: '', callId: '' }).catch(unavailable);
  }

  function look<T>(view: (book: Book) => T): Promise<T> {
    return writer
      .read((book) => {
        session = book.session;
        return view(book);
      })
      .catch(unavailable);
  }

  return {
    get session() {
      return session;
    },
    submit: (order) => tell({ type: 'submit', order }),
    cancel: (orderId) => tell({ type: 'cancel', order_id: orderId }),
    amend: (amendment) => tell({ type: 'amend', ...amendment }),
    async advance(next, funds) {
      const isMet = ({ session: last }: Book): boolean => last !== null && last >= next.date;
      do await tell({ type: 'session', session: next, funds });
      while (!(await look(isMet)));
    },
    find: (orderId) =>
      look(({ open, done }) =>
        open.has(orderId) ? { open: true } : done.has(orderId) ? { open: false } : null,
      ),
    positions: () => look(({ positions }) => new Map(positions)),
    async reports(after) {
      await look(() => undefined);
      return tail.since(after) ?? readReports(store, codec, stream, after).catch(unavailable);
    },
    stateHashes: () => look((book) => stateHashOf(stream, { ...book, session: recorded })),
    close: () => writer.close(),
    onReports(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** For a broker's client, any fault of the store means that the broker does not answer. */
function unavailable(error: unknown): never {
  if (!isBelegError(error, 'STORE_UNAVAILABLE', 'WRONG_EXPECTED_REVISION', 'SERVICE_UNAVAILABLE'))
    throw error;
  throw new BelegError('BROKER_UNAVAILABLE', { retryAfter: 1, cause: error });
}

/** The newest reports stay in memory; older ones are read from the stream. */
const REMEMBERED = 1_000;
/** Cursors are compared as text, so they have all digits that a revision can have. */
const CURSOR_DIGITS = 19;

/** A report's cursor is the revision of its event in the stream. */
const cursorOf = (revision: bigint): string => String(revision).padStart(CURSOR_DIGITS, '0');

/** The revision of the first event after a cursor. */
const revisionAfter = (cursor: string | null): bigint => (cursor === null ? 0n : BigInt(cursor) + 1n);

/** The number of events in one read. */
const PAGE = 1_000;

/** Some reports after a cursor, read from the stream; an empty list only at its end. */
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

/** The newest reports of the paper broker, in order. `from`: the first revision whose report would be here. */
function reportTail(from: bigint) {
  let newest: BrokerReport[] = [];
  return {
    /** Returns whether any of the events is a report. */
    add(events: readonly Recorded<PaperBrokerEvent>[]): boolean {
      const reports = events.flatMap((event) => reportOf(event, cursorOf(event.revision)) ?? []);
      newest.push(...reports);
      if (newest.length >= 2 * REMEMBERED) {
        newest = newest.slice(-REMEMBERED);
        from = BigInt(newest[0]!.cursor);
      }
      return reports.length > 0;
    },
    /** All reports after a cursor; `null` if some of them are no longer in memory. */
    since(cursor: string | null): readonly BrokerReport[] | null {
      if (revisionAfter(cursor) < from) return null;
      // Searches from the end, because most callers lack only the last reports.
      const last = newest.findLastIndex((report) => report.cursor <= (cursor ?? ''));
      return newest.slice(last + 1);
    },
  };
}
