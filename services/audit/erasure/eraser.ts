import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ErasureRequested } from '../../../events/catalog/audit.ts';
import { askStream } from '../../../events/catalog/knowledge.ts';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import type { ProjectionRunner } from '../../../events/projections/runner.ts';
import type { CatchUpSubscription, Position } from '../../../events/store/store.ts';
import { auditProjection } from '../projection.ts';
import type { StateHashes } from '../../state-hashes.ts';
import { Erasures, type ErasureOptions, type ErasureToRequest } from './erasures.ts';
import { compact, compactedUpTo, listOverdue, newestText } from './tables-file.ts';

/** Requests whose keys go in one transaction: with all that waits behind it, below a second. */
const BATCH = 1_000;
/** The tables follow within milliseconds, unless they are being built anew. */
const TABLES_TIMEOUT_MS = 30_000;
const RETRY_MS = 5_000;

export interface EraserOptions extends ErasureOptions {
  /** What writes the tables; only where they are written can be said that they have forgotten. */
  projection: Pick<ProjectionRunner, 'waitFor' | 'hold'>;
  /** Their file. */
  file: string;
  logger: Logger;
  /** Milliseconds until what could not be done is tried again. */
  retryMs?: number;
}

interface Waiting extends PromiseWithResolvers<void> {
  readonly request: ErasureToRequest;
}

/**
 * Erases the text of requests, one batch after the other: intent on record, keys, that they are gone on record, the
 * tables, their file. It follows the record: what was asked for and not done it completes, whoever asked, and whenever that
 * gets on record, which may be after who asked has died.
 *
 * Requests of one batch share all steps, the compaction of the file above all.
 */
export class Eraser {
  readonly #options: EraserOptions;
  readonly #erasures: Erasures;
  #waiting: Waiting[] = [];
  #overdueBefore: string | undefined;
  /** Somebody else may have asked for an erasure since it was last looked. */
  #isBehind = false;
  #working: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();
  #subscription: CatchUpSubscription | undefined;
  readonly #following: Promise<void>;

  constructor(options: EraserOptions) {
    this.#options = options;
    this.#erasures = new Erasures(options);
    this.#following = this.#follow();
  }

  /**
   * Resolves when the text can be read nowhere any more and is in no file. Rejects with `UNKNOWN_REQUEST_ID` where nothing
   * is on record under that id, and with `AUDIT_UNAVAILABLE`: where the intent is on record, the rest is tried again.
   */
  async erase(request: ErasureToRequest) {
    const { request_id } = request;
    try {
      const asked = this.#options.store.readStream(askStream(request_id), { limit: 1 });
      if ((await Array.fromAsync(asked)).length === 0) throw new BelegError('UNKNOWN_REQUEST_ID');
      const repeated = (await this.#erasures.erasedAt(request_id)) !== undefined;
      // It may have closed while the record was looked at: nobody would come for what waits.
      if (this.#isClosed) throw new BelegError('AUDIT_UNAVAILABLE');
      const waiting = { request, ...Promise.withResolvers<void>() };
      this.#waiting.push(waiting);
      this.#work();
      await waiting.promise;
      return { request_id, erased_at: (await this.#erasures.erasedAt(request_id))!, repeated };
    } catch (error) {
      throw toAuditError(error);
    }
  }

  /** In the background: erases all requests whose newest text is older than this (ISO 8601). */
  eraseOlderThan(before: string): void {
    this.#overdueBefore = before;
    this.#work();
  }

  /** When the newest text was written (ISO 8601); `null` where the tables have none, or cannot be read yet. */
  newestText(): string | null {
    try {
      return newestText(this.#options.file);
    } catch (error) {
      if (isBelegError(error, 'STORE_UNAVAILABLE')) return null;
      throw error;
    }
  }

  stateHashes(): Promise<StateHashes> {
    return this.#erasures.stateHashes();
  }

  /** Resolves when the batch at hand is done or given up. What is left is done by whoever comes next. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#retry);
    await Promise.all([this.#subscription?.close(), this.#following, this.#working]);
    await this.#erasures.close();
    for (const { reject } of this.#waiting.splice(0)) reject(new BelegError('AUDIT_UNAVAILABLE'));
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Looks at what is on record, and at whatever is asked for from there on. Never rejects. */
  async #follow(): Promise<void> {
    const { store, logger, retryMs = RETRY_MS } = this.#options;
    const { signal } = this.#closing;
    const look = (): void => {
      this.#isBehind = true;
      this.#work();
    };
    while (!signal.aborted) {
      try {
        const after = await store.end();
        if (signal.aborted) return;
        look();
        this.#subscription = store.subscribe({ after, types: [ErasureRequested.type] });
        for await (const { kind } of this.#subscription) if (kind === 'event') look();
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, 'erasures cannot be followed; trying again');
      }
      await pause(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Does all that there is to do, once at a time. */
  #work(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#retry);
    this.#working ??= this.#workAll().finally(() => {
      this.#working = undefined;
      // It may have come while the last step was being done.
      if (this.#waiting.length > 0 || this.#isBehind) this.#work();
    });
  }

  /** Never rejects. */
  async #workAll(): Promise<void> {
    let served: Waiting[] = [];
    try {
      do {
        served = this.#waiting.splice(0, BATCH);
        if (served.length > 0) await this.#erasures.settle(served.map(({ request }) => request));
        else {
          this.#isBehind = false;
          await this.#settleOverdue();
        }
        // Who waits is told soon; what is overdue shares one compaction, however much it is.
        if (served.length > 0 || this.#overdueBefore === undefined) await this.#forget();
        for (const { resolve } of served) resolve();
        served = [];
      } while (
        !this.#isClosed &&
        (this.#waiting.length > 0 || this.#isBehind || this.#overdueBefore !== undefined)
      );
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'erasing text failed halfway; trying again');
      for (const { reject } of served) reject(error);
      if (this.#isClosed) return;
      this.#retry = setTimeout(() => this.#work(), this.#options.retryMs ?? RETRY_MS).unref();
    }
  }

  /** One batch of what is overdue, or what was left. */
  async #settleOverdue(): Promise<void> {
    const before = this.#overdueBefore;
    await this.#erasures.settle([]);
    if (before === undefined) return;
    await this.#tablesHoldAll();
    const overdue = listOverdue(this.#options.file, before, BATCH);
    if (overdue.length < BATCH && this.#overdueBefore === before) this.#overdueBefore = undefined;
    if (overdue.length === 0) return;
    await this.#erasures.settle(
      overdue.map((request_id) => {
        const call = { correlationId: request_id, callId: randomUUID() };
        return { request_id, reason: `older than ${before}`, by: 'retention', call };
      }),
    );
    this.#options.logger.info(
      { requests: overdue.length, before },
      'text older than the retention period was erased',
    );
  }

  /** The tables first, then their file, where that may hold what they have forgotten. */
  async #forget(): Promise<void> {
    const end = await this.#erasures.end();
    if (end === undefined || compactedUpTo(this.#options.file) >= end.events) return;
    await this.#tablesHold(end.position);
    const { projection, file } = this.#options;
    await projection.hold(() => compact(file, end.events));
  }

  /** What is on record now. */
  async #tablesHoldAll(): Promise<void> {
    const newest = { direction: 'backwards', limit: 1, types: auditProjection.types } as const;
    for await (const { position } of this.#options.store.readAll(newest)) await this.#tablesHold(position);
  }

  #tablesHold(position: Position): Promise<void> {
    return this.#options.projection.waitFor(position, { timeoutMs: TABLES_TIMEOUT_MS });
  }
}

/** To who asked, it is the record that is away, whatever of it is; and the rest is done without them. */
function toAuditError(error: unknown): unknown {
  return isBelegError(error, 'STORE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED')
    ? new BelegError('AUDIT_UNAVAILABLE', { cause: error })
    : error;
}
