import { paperBrokerState } from '../../../actors/streams/trading.ts';
import { evolve, type Book, type PaperDraft } from '../../../actors/paper-broker/book.ts';
import { decide, type BookCommand } from '../../../actors/paper-broker/decide.ts';
import type { PaperRules } from '../../../actors/paper-broker/rules.ts';
import type { Broker, BrokerOrder, BrokerReport } from '../../../actors/trading/broker.ts';
import type { PaperBrokerEvent } from '../../../events/catalog/catalog.ts';
import type { Quantity } from '../../../events/decimal.ts';
import type { Codec } from '../../../events/define.ts';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import type { SessionData } from '../../../events/messages/market.ts';
import type { EventStore } from '../../../events/store/store.ts';
import { createEvents } from '../../events.ts';
import { stateHashOf, type StateHashes } from '../../state-hashes.ts';
import { PaperRecord } from './record.ts';

export interface PaperBrokerOptions {
  readonly store: EventStore;
  readonly codec: Codec;
  readonly account: string;
  readonly rules: PaperRules;
  readonly now: () => Date;
}

/** A broker without a market of its own: it trades with the bars that it is shown. */
export interface PaperBroker extends Broker {
  /**
   * The last session that met the open orders, `YYYY-MM-DD`; `null` before the first. After a restart it can be an
   * earlier one: what is missing are sessions in which nothing happened, and nothing will if they come again.
   */
  readonly session: string | null;
  /**
   * Splits take effect, then open orders meet the session's bars. Each session once: quiet for this one again and for
   * any before it. An order that was decided on after the account opened this session is to be submitted after this: it
   * is in shares of the session already, and the split would take it once more.
   */
  advance(session: SessionData): Promise<void>;
  stateHashes(): Promise<StateHashes>;
}

/**
 * Opens an account's paper broker over its own stream, `paper-broker-<account>`. What it has answered is on disk, and
 * it needs no closing. Rejects with `BROKER_UNAVAILABLE` while the store cannot be read.
 *
 * @example
 * const broker = await openPaperBroker({ store, codec, account: 'main', rules, now: () => new Date() });
 * await broker.submit(order);
 * await broker.advance(session);
 * const reports = await broker.reports(null);
 */
export async function openPaperBroker(options: PaperBrokerOptions): Promise<PaperBroker> {
  const broker = new StoredPaperBroker(options);
  await broker.positions();
  return broker;
}

interface Waiting {
  /** `null` for a question: it is answered behind what was asked before it. */
  readonly command: BookCommand | null;
  /** Called once everything before it is on disk. */
  readonly resolve: (book: Book) => void;
  readonly reject: (error: unknown) => void;
}

/** One at a time; all that wait go into one append. */
class StoredPaperBroker implements PaperBroker {
  readonly #rules: PaperRules;
  readonly #now: () => Date;
  readonly #record: PaperRecord;
  readonly #listeners = new Set<() => void>();
  #session: string | null = null;
  #waiting: Waiting[] = [];
  #working = false;

  constructor(options: PaperBrokerOptions) {
    this.#rules = options.rules;
    this.#now = options.now;
    this.#record = new PaperRecord(options);
  }

  get session(): string | null {
    return this.#session;
  }

  submit(order: BrokerOrder): Promise<void> {
    return this.#ask({ type: 'submit', order }, () => undefined);
  }

  cancel(orderId: string): Promise<void> {
    return this.#ask({ type: 'cancel', order_id: orderId }, () => undefined);
  }

  advance(session: SessionData): Promise<void> {
    return this.#ask({ type: 'session', session }, () => undefined);
  }

  find(orderId: string): Promise<{ readonly open: boolean } | null> {
    return this.#ask(null, ({ open, done }) =>
      open.has(orderId) ? { open: true } : done.has(orderId) ? { open: false } : null,
    );
  }

  positions(): Promise<ReadonlyMap<string, Quantity>> {
    return this.#ask(null, ({ positions }) => new Map(positions));
  }

  async reports(after: string | null): Promise<readonly BrokerReport[]> {
    const remembered = await this.#ask(null, () => this.#record.remembered(after));
    if (remembered !== null) return remembered;
    return this.#record.read(after).catch((error: unknown) => {
      throw unavailable(error);
    });
  }

  stateHashes(): Promise<StateHashes> {
    return this.#ask(null, (book) => {
      const { stream, session } = this.#record;
      return stateHashOf(stream, paperBrokerState({ ...book, session }));
    });
  }

  onReports(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #ask<T>(command: BookCommand | null, answer: (book: Book) => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({ command, resolve: (book) => resolve(answer(book)), reject });
    if (!this.#working) void this.#work();
    return promise;
  }

  /** Never rejects: each who waits hears of its own. */
  async #work(): Promise<void> {
    this.#working = true;
    // What is asked in the same turn goes together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const before = this.#record.lastCursor;
      try {
        const book = await this.#decide(batch);
        this.#session = book.session;
        for (const { resolve } of batch) resolve(book);
      } catch (error) {
        for (const { reject } of batch) reject(unavailable(error));
      }
      if (this.#record.lastCursor !== before) for (const listener of this.#listeners) listener();
    }
    this.#working = false;
  }

  /** Resolves with the book when all that follows from the batch is on disk. */
  async #decide(batch: readonly Waiting[]): Promise<Book> {
    const book = await this.#record.book();
    const events: PaperBrokerEvent[] = [];
    let { quiet } = this.#record;
    try {
      for (const { command } of batch) {
        if (command === null) continue;
        const decided = decide(command, book, this.#rules).map((draft) => {
          evolve(book, draft);
          return this.#event(draft, command);
        });
        if (isQuiet(decided)) quiet = decided[0];
        else if (decided.length > 0) {
          if (quiet !== null) events.push(quiet);
          quiet = null;
          for (const event of decided) events.push(event);
        }
      }
    } catch (error) {
      this.#record.forget();
      throw error;
    }
    await this.#record.append(events, quiet);
    return book;
  }

  /** Its id rests on the order and on the command, or on the session: the same again is recognised. */
  #event(draft: PaperDraft, command: BookCommand): PaperBrokerEvent {
    const of = subjectOf(draft);
    const cause = {
      stream: this.#record.stream,
      at: this.#now().toISOString(),
      correlationId: of,
      causationId: command.type === 'session' ? `${command.session.date}/${of}` : `${command.type}/${of}`,
      key: of,
    };
    return createEvents([draft], cause, { redact: false })[0] as PaperBrokerEvent;
  }
}

/** Of a session in which nothing happened. */
function isQuiet(events: readonly PaperBrokerEvent[]): events is readonly [PaperBrokerEvent] {
  return events.length === 1 && events[0]?.type === 'PaperSessionMatched';
}

function subjectOf({ data }: PaperDraft): string {
  if ('order_id' in data) return data.order_id;
  return 'ticker' in data ? data.ticker : data.session;
}

/** Whatever is wrong with the store, to a broker's client it is the broker that does not answer. */
function unavailable(error: unknown): unknown {
  if (!isBelegError(error, 'STORE_UNAVAILABLE', 'WRONG_EXPECTED_REVISION')) return error;
  return new BelegError('BROKER_UNAVAILABLE', { retryAfter: 1, cause: error });
}
