import { reportOf } from '../../../actors/paper-broker/reports.ts';
import type { BrokerReport } from '../../../actors/trading/broker.ts';
import type { Codec } from '../../../events/define.ts';
import type { EventStore } from '../../../events/store/store.ts';
import type { PaperBrokerEvent } from '../../../events/catalog/catalog.ts';

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
export async function readReports(
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
export class ReportTail {
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
