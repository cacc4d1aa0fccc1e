import { setTimeout as pause } from 'node:timers/promises';
import type { AccountCommand, TradingPolicy } from '../../../actors/trading/commands.ts';
import { decide } from '../../../actors/trading/decide.ts';
import { evolve } from '../../../actors/trading/evolve.ts';
import type { AccountState } from '../../../actors/trading/state.ts';
import type { AccountEvent } from '../../../events/catalog/catalog.ts';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import type { NewEvent, Position } from '../../../events/store/store.ts';
import { createEvents } from '../../events.ts';
import { inAppends, type Decision } from './batch.ts';
import type { AccountLog, Loaded } from './log.ts';
import { undoing } from './undoing.ts';
import { Entry, type Caller, type Cause } from './entry.ts';

/** Called with what is on record now, in its order. It must not throw. */
export type OnRecorded = (events: readonly AccountEvent[]) => void;

export interface AccountWriterOptions {
  readonly log: AccountLog;
  readonly policy: TradingPolicy;
  readonly now: () => Date;
  /** Called when an append of unknown outcome is over: the account has been read again. */
  readonly onReadAgain: () => void;
  /** Called once, when the writer cannot go on: another holder has written, or the record does not add up. */
  readonly onLost: (error: unknown) => void;
}

/** What was decided together, and is written together. */
interface Batch {
  readonly decisions: readonly Decision[];
  readonly events: readonly AccountEvent[];
  readonly encoded: readonly NewEvent[];
}

/** Commands of callers that may wait; beyond, they are told `OVERLOADED`. */
const MAX_WAITING = 10_000;
/** What is decided in one turn of the event loop. */
const MAX_BATCH = 256;
/** Milliseconds between attempts while the store is away: doubling, from 20 ms to a second. */
const backoff = (failures: number): number => Math.min(20 * 2 ** Math.min(failures - 1, 6), 1_000);

/**
 * The one writer of an account. What waits when an append has ended is decided together, each command on the state that
 * the one before it left, and goes into the next append with the exact revision; nobody hears of a decision before that
 * append is on disk. A command that is refused fails alone.
 *
 * An append of unknown outcome: the state is thrown away and the account read again until that works. What landed is
 * answered, what did not is decided anew. A caller whose deadline comes meanwhile is told `STORE_UNAVAILABLE`; if its
 * order is found on record after all, it is withdrawn before anyone hears of it. (What can be lost: where the process
 * dies between the two, that order stands.)
 */
export class AccountWriter {
  readonly #options: AccountWriterOptions;
  readonly #listeners = new Set<OnRecorded>();
  readonly #closing = new AbortController();
  #loaded: Loaded;
  /** Up to here everybody has been answered. */
  #settled: bigint;
  #queue: Entry[] = [];
  #callers = 0;
  /** Tried since then: any one of them may have landed, or still land. */
  #attempts: Batch[] = [];
  /** Takes back what its caller was told had not happened. */
  readonly #undoing = new Set<Entry>();
  /** On record, but not to be heard of before what is undone is undone. */
  #unheard: AccountEvent[] = [];
  #readers: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  #running: Promise<void> | undefined;
  #lost = false;

  private constructor(options: AccountWriterOptions, loaded: Loaded) {
    this.#options = options;
    this.#loaded = loaded;
    this.#settled = loaded.revision;
  }

  /** Reads the account. Rejects with `STORE_UNAVAILABLE`, or `STREAM_CORRUPT` for a record that does not add up. */
  static async open(options: AccountWriterOptions): Promise<AccountWriter> {
    return new AccountWriter(options, await options.log.load());
  }

  /** As decided, so it may be ahead of the record by the append in flight; a listener finds it as recorded. */
  get state(): AccountState {
    return this.#loaded.state;
  }

  get revision(): bigint {
    return this.#loaded.revision;
  }

  /** Where the account's last event stands: for whoever wants to read what was replied. */
  get position(): Position | null {
    return this.#loaded.position;
  }

  /** Callers that wait. */
  get waiting(): number {
    return this.#callers;
  }

  /** Whether the state is as recorded. */
  get isSettled(): boolean {
    return this.#running === undefined && !this.#lost;
  }

  onRecorded(listener: OnRecorded): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What `view` says of the state as recorded; it waits for the append in flight. Rejects when the writer is lost. */
  read<T>(view: (state: AccountState) => T): Promise<T> {
    const look = async (): Promise<T> => view(this.state);
    if (this.#running === undefined) return look();
    return new Promise((resolve, reject) => this.#readers.push({ resolve: () => resolve(look()), reject }));
  }

  /**
   * Resolves with the events that followed, once they are on record; none where nothing had to change. Rejects with what
   * speaks against it, with `OVERLOADED`, or by the caller's deadline with `STORE_UNAVAILABLE`: then it has not happened.
   */
  async submit(command: AccountCommand, caller: Caller): Promise<readonly AccountEvent[]> {
    if (this.#callers >= MAX_WAITING) throw new BelegError('OVERLOADED', { retryAfter: 1 });
    this.#callers += 1;
    try {
      return await this.#enqueue(new Entry(command, caller, caller.deadline));
    } finally {
      this.#callers -= 1;
    }
  }

  /**
   * As `submit`, for what has happened or has to: it waits for as long as the store is away. Rejects when the writer is
   * closed or lost; whoever comes next records it then.
   */
  record(command: AccountCommand, cause: Cause): Promise<readonly AccountEvent[]> {
    return this.#enqueue(new Entry(command, cause, null));
  }

  /** Finishes what it has taken, unless the store is away; takes nothing more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  #enqueue(entry: Entry): Promise<readonly AccountEvent[]> {
    if (this.#lost || this.#closing.signal.aborted) {
      entry.fail(new BelegError('SERVICE_UNAVAILABLE'));
    } else {
      this.#queue.push(entry);
      // After this turn of the event loop: what comes together is written together.
      this.#running ??= new Promise((resolve) => setImmediate(resolve)).then(() => this.#run());
    }
    return entry.outcome;
  }

  async #run(): Promise<void> {
    try {
      for (let next = this.#decideNext(); next.length > 0; next = this.#decideNext()) {
        await this.#write(next);
      }
    } catch (error) {
      this.#giveUp(error);
    } finally {
      this.#running = undefined;
      this.#answerReaders();
    }
  }

  #decideNext(): Decision[] {
    let entries: Entry[] = [];
    while (entries.length === 0 && this.#queue.length > 0) {
      entries = this.#queue.splice(0, MAX_BATCH).filter(({ isWaiting }) => isWaiting);
    }
    return entries.map((entry) => this.#decide(entry));
  }

  #decide(entry: Entry): Decision {
    const { log, policy, now } = this.#options;
    let drafts;
    try {
      drafts = decide(entry.command, this.state, policy);
    } catch (error) {
      return { entry, events: [], error };
    }
    const { correlationId, callId: causationId, traceparent } = entry.cause;
    const at = now().toISOString();
    const cause = { stream: log.stream, at, correlationId, causationId, traceparent, key: log.stream };
    const events = createEvents(drafts, cause, { redact: false }) as AccountEvent[];
    for (const event of events) evolve(this.state, event);
    return { entry, events };
  }

  /** Rejects where there is no going on: another holder has written, the record is corrupt, the writer closes. */
  async #write(decisions: readonly Decision[]): Promise<void> {
    const events = decisions.flatMap((decision) => decision.events);
    const batch: Batch = { decisions, events, encoded: await this.#options.log.encode(events) };
    if (events.length === 0) {
      this.#settle(batch);
      return;
    }
    let standing = { batch, events: 0 };
    this.#attempts.push(batch);
    for (;;) {
      try {
        await this.#append(standing.batch, standing.events);
        break;
      } catch (error) {
        const landed = await this.#readAgain();
        if (landed === undefined) {
          this.#tryAnew(batch, error);
          return;
        }
        standing = landed;
        // A part of it: the rest follows as it was decided.
        for (const event of landed.batch.events.slice(landed.events)) evolve(this.state, event);
      }
    }
    // It stands where any of the others would have landed.
    this.#attempts = [];
    // What an earlier attempt's landing left undecided.
    if (standing.batch !== batch) this.#putBack(batch);
    this.#settle(standing.batch);
  }

  async #append({ decisions, encoded }: Batch, landed: number): Promise<void> {
    let next = 0;
    for (const count of inAppends(decisions, encoded)) {
      if (next >= landed) {
        const part = encoded.slice(next, next + count);
        const { revision, position, repeated } = await this.#options.log.append(this.revision, part);
        // An earlier attempt that begins with the same events has landed, and it may go on with others.
        if (repeated) throw new BelegError('STORE_UNAVAILABLE');
        this.#loaded = { state: this.state, revision, position };
      }
      next += count;
    }
  }

  /** The attempt that the record shows, and how many of its events; `undefined` where none has landed. */
  async #readAgain(): Promise<{ batch: Batch; events: number } | undefined> {
    const { signal } = this.#closing;
    const { log } = this.#options;
    // A store that can be read, and says it could be written: not in a loop that leaves nothing for anybody else.
    const failures = this.#attempts.length - 1;
    if (failures > 0) await pause(backoff(failures), undefined, { signal }).catch(() => undefined);
    for (let tries = 1; ; tries++) {
      try {
        await log.ping();
        const tail: AccountEvent[] = [];
        this.#loaded = await log.load(this.#settled, (event) => tail.push(event));
        this.#options.onReadAgain();
        if (tail.length === 0) return undefined;
        const begun = this.#attempts.filter(({ events }) => tail.every(({ id }, i) => id === events[i]?.id));
        const batch = begun.find(({ events }) => events.length === tail.length) ?? begun[0];
        if (batch !== undefined) return { batch, events: tail.length };
        throw new BelegError('WRONG_EXPECTED_REVISION', { detail: 'another process has written' });
      } catch (error) {
        if (!isBelegError(error, 'STORE_UNAVAILABLE') || signal.aborted) throw error;
      }
      await pause(backoff(tries), undefined, { signal }).catch(() => undefined);
    }
  }

  #tryAnew(batch: Batch, error: unknown): void {
    if (isBelegError(error, 'STORE_UNAVAILABLE')) {
      if (this.#closing.signal.aborted) throw error;
      this.#putBack(batch);
      return;
    }
    // Refused for good, and nobody else has written: a mistake in these events, not in what comes after them.
    this.#attempts = this.#attempts.filter((attempt) => attempt !== batch);
    for (const { entry } of batch.decisions) {
      entry.fail(error);
      this.#undoing.delete(entry);
    }
  }

  #putBack({ decisions }: Batch): void {
    this.#queue.unshift(...decisions.map(({ entry }) => entry));
  }

  #settle({ decisions, events }: Batch): void {
    this.#settled = this.revision;
    const undo: Entry[] = [];
    for (const { entry, events: followed, error } of decisions) {
      this.#undoing.delete(entry);
      if (error !== undefined) entry.fail(error);
      else if (entry.isTold) undo.push(...undoing(followed).map((command) => undone(command, entry.cause)));
      else entry.succeed(followed);
    }
    this.#queue.unshift(...undo);
    for (const entry of undo) this.#undoing.add(entry);
    this.#unheard.push(...events);
    if (this.#undoing.size > 0) return;
    this.#answerReaders();
    if (this.#unheard.length === 0) return;
    const heard = this.#unheard;
    this.#unheard = [];
    for (const listener of this.#listeners) listener(heard);
  }

  #answerReaders(): void {
    for (const { resolve } of this.#readers.splice(0)) resolve();
  }

  #giveUp(error: unknown): void {
    this.#lost = true;
    for (const { reject } of this.#readers.splice(0)) reject(error);
    const waiting = [
      ...this.#attempts.flatMap(({ decisions }) => decisions.map(({ entry }) => entry)),
      ...this.#queue,
    ];
    for (const entry of waiting) entry.fail(error);
    this.#queue = [];
    if (!this.#closing.signal.aborted) this.#options.onLost(error);
  }
}

function undone(command: AccountCommand, { correlationId, callId, traceparent }: Cause): Entry {
  return new Entry(command, { correlationId, callId: `${callId}/undone`, traceparent }, null);
}
