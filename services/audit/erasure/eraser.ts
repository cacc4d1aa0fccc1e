import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { askStream } from '../../../events/catalog/knowledge.ts';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import type { ProjectionRunner } from '../../../events/projections/runner.ts';
import type { Position } from '../../../events/store/store.ts';
import { auditProjection } from '../projection.ts';
import type { StateHashes } from '../../state-hashes.ts';
import { Erasures, type ErasureOptions, type ErasureToRequest } from './erasures.ts';
import { compact, compactedUpTo, listOverdue, newestText } from './tables-file.ts';

/** Requests whose keys go in one transaction: with all that waits behind it, below a second. */
const BATCH = 1_000;
/** The tables follow within milliseconds, unless they are being built anew. */
const TABLES_TIMEOUT_MS = 30_000;

export interface EraserOptions extends ErasureOptions {
  /** What writes the tables; only where they are written can be said that they have forgotten. */
  projection: Pick<ProjectionRunner, 'waitFor' | 'hold'>;
  /** Their file. */
  file: string;
  logger: Logger;
  /** Milliseconds until what could not be done is tried again. */
  retryMs?: number;
}

interface Erased {
  readonly erasedAt: string;
  readonly repeated: boolean;
}

interface Waiting {
  readonly request: ErasureToRequest;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Erases the text of requests, one batch after the other: intent on record, keys, that they are gone on record, the
 * tables, their file. At the start, and after a failure, it completes what was left, by an earlier process too.
 *
 * Requests of one batch share all steps, the compaction of the file above all.
 */
export class Eraser {
  readonly #options: EraserOptions;
  readonly #erasures: Erasures;
  #waiting: Waiting[] = [];
  #overdueBefore: string | undefined;
  #working: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: EraserOptions) {
    this.#options = options;
    this.#erasures = new Erasures(options);
    this.#work();
  }

  /**
   * Resolves when the text can be read nowhere any more and is in no file. Rejects with `UNKNOWN_REQUEST_ID` where nothing
   * is on record under that id, and with `AUDIT_UNAVAILABLE`: where the intent is on record, the rest is tried again.
   */
  async erase(request: ErasureToRequest): Promise<Erased> {
    try {
      if (!(await this.#isOnRecord(request.requestId))) throw new BelegError('UNKNOWN_REQUEST_ID');
      const repeated = (await this.#erasures.erasedAt(request.requestId)) !== undefined;
      // It may have closed while the record was looked at: nobody would come for what waits.
      if (this.#closed) throw new BelegError('AUDIT_UNAVAILABLE');
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push({ request, resolve, reject });
        this.#work();
      });
      return { erasedAt: (await this.#erasures.erasedAt(request.requestId))!, repeated };
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
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#working;
    await this.#erasures.close();
    for (const { reject } of this.#waiting.splice(0)) reject(new BelegError('AUDIT_UNAVAILABLE'));
  }

  /** Does all that there is to do, once at a time. */
  #work(): void {
    if (this.#closed) return;
    clearTimeout(this.#retry);
    this.#working ??= this.#workAll().finally(() => {
      this.#working = undefined;
      // It may have come while the last step was being done.
      if (this.#waiting.length > 0) this.#work();
    });
  }

  /** Never rejects. */
  async #workAll(): Promise<void> {
    let served: Waiting[] = [];
    try {
      do {
        served = this.#waiting.splice(0, BATCH);
        if (served.length > 0) await this.#erasures.settle(served.map(({ request }) => request));
        else await this.#settleOverdue();
        // Who waits is told soon; what is overdue shares one compaction, however much it is.
        if (served.length > 0 || this.#overdueBefore === undefined) await this.#forget();
        for (const { resolve } of served) resolve();
        served = [];
      } while (!this.#closed && (this.#waiting.length > 0 || this.#overdueBefore !== undefined));
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'erasing text failed halfway; trying again');
      for (const { reject } of served) reject(error);
      if (this.#closed) return;
      this.#retry = setTimeout(() => this.#work(), this.#options.retryMs ?? 5_000).unref();
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
      overdue.map((requestId) => ({
        requestId,
        reason: `older than ${before}`,
        by: 'retention',
        correlationId: requestId,
        callId: randomUUID(),
      })),
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
    const newest = { direction: 'backwards', limit: 1, filter: auditProjection.filter! } as const;
    for await (const { position } of this.#options.store.readAll(newest)) await this.#tablesHold(position);
  }

  #tablesHold(position: Position): Promise<void> {
    return this.#options.projection.waitFor(position, { timeoutMs: TABLES_TIMEOUT_MS });
  }

  async #isOnRecord(requestId: string): Promise<boolean> {
    for await (const _ of this.#options.store.readStream(askStream(requestId), { limit: 1 })) return true;
    return false;
  }
}

/** To who asked, it is the record that is away, whatever of it is; and the rest is done without them. */
function toAuditError(error: unknown): unknown {
  return isBelegError(error, 'STORE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED')
    ? new BelegError('AUDIT_UNAVAILABLE', { cause: error })
    : error;
}
