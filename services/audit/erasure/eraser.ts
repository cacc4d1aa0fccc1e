import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ErasureRequested } from '../../../events/catalog/audit.ts';
import { askStream } from '../../../events/catalog/knowledge.ts';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import type { ProjectionRunner } from '../../../events/projections/runner.ts';
import type { CatchUpSubscription, Position } from '../../../events/store/store.ts';
import { auditProjection } from '../projection.ts';
import { toAuditError } from '../to-audit-error.ts';
import { openErasures, type ErasureOptions, type ErasureToRequest } from './erasures-stream.ts';
import { compact, compactedUpTo, listOverdue, newestText } from './tables-file.ts';

/**
 * The number of requests whose keys are erased in one transaction. Such a batch takes less than a second with all its
 * further steps.
 */
const BATCH = 1_000;
/** Milliseconds to wait for the tables, which follow within milliseconds unless they are being rebuilt. */
const TABLES_TIMEOUT_MS = 30_000;
const RETRY_MS = 5_000;

const LATE = {
  detail:
    'the erasure is on record, and nobody can open the text any more; the tables have not dropped their copy yet, which is done as soon as they have caught up with the record',
  retryAfter: 5,
};

export interface EraserOptions extends ErasureOptions {
  /** The runner that writes the tables. Only its process knows whether the tables have dropped a text. */
  projection: Pick<ProjectionRunner, 'waitFor' | 'hold'>;
  /** The file of the tables. */
  file: string;
  logger: Logger;
  /**
   * The time, by `performance.now()`, at which standby processes have no tables any more. No erasure is confirmed
   * before that time.
   */
  othersDroppedAt?: number;
  /** Milliseconds after which failed work is tried again. */
  retryMs?: number;
}

interface Waiting extends PromiseWithResolvers<void> {
  readonly request: ErasureToRequest;
}

/**
 * Erases the text of requests, one batch after the other: the erasure is recorded as requested, the keys are erased,
 * this is recorded, then the tables and their file are cleaned. It follows the record, so it also completes erasures
 * that another process has requested, even if they are recorded only after that process has died.
 *
 * Requests of one batch share all steps, above all the compaction of the file.
 */
export function openEraser(options: EraserOptions) {
  const { store, projection, file, logger, othersDroppedAt = 0, retryMs = RETRY_MS } = options;
  const waiting: Waiting[] = [];
  let overdueBefore: string | undefined;
  /** Whether another process may have asked for an erasure since the last look. */
  let isBehind = false;
  let working: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  const closing = new AbortController();
  let subscription: CatchUpSubscription | undefined;
  const erasures = openErasures(options);
  const isClosed = (): boolean => closing.signal.aborted;
  const following = follow();

  function look(): void {
    isBehind = true;
    workSoon();
  }

  /** Reads requested erasures, now and as they are recorded. Never rejects. */
  async function follow(): Promise<void> {
    const { signal } = closing;
    while (!signal.aborted) {
      try {
        const after = await store.end();
        if (signal.aborted) return;
        look();
        subscription = store.subscribe({ after, types: [ErasureRequested.type] });
        for await (const { kind } of subscription) if (kind === 'event') look();
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, 'erasures cannot be followed; trying again');
      }
      await pause(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Starts the waiting work, in one run at a time. */
  function workSoon(): void {
    if (isClosed()) return;
    clearTimeout(retry);
    working ??= workAll().finally(() => {
      working = undefined;
      // Another request may have come during the last step.
      if (waiting.length > 0 || isBehind) workSoon();
    });
  }

  /** Does all waiting work. Never rejects. */
  async function workAll(): Promise<void> {
    let served: Waiting[] = [];
    try {
      do {
        served = waiting.splice(0, BATCH);
        if (served.length > 0) await erasures.settle(served.map(({ request }) => request));
        else {
          isBehind = false;
          await settleOverdue();
        }
        // Waiting callers are answered first. Overdue erasures share one compaction, however many they are.
        if (served.length > 0 || overdueBefore === undefined) await forget();
        for (const { resolve } of served) resolve();
        served = [];
      } while (!isClosed() && (waiting.length > 0 || isBehind || overdueBefore !== undefined));
    } catch (error) {
      logger.warn({ err: error }, 'erasing text failed halfway; trying again');
      for (const { reject } of served) reject(error);
      if (isClosed()) return;
      retry = setTimeout(workSoon, retryMs).unref();
    }
  }

  /** Erases one batch of overdue requests, or the rest of them. */
  async function settleOverdue(): Promise<void> {
    const before = overdueBefore;
    await erasures.settle([]);
    if (before === undefined) return;
    await tablesHoldAll();
    const overdue = listOverdue(file, before, BATCH);
    if (overdue.length < BATCH && overdueBefore === before) overdueBefore = undefined;
    if (overdue.length === 0) return;
    await erasures.settle(
      overdue.map((request_id) => {
        const call = { correlationId: request_id, callId: randomUUID() };
        return { request_id, reason: `older than ${before}`, by: 'retention', call };
      }),
    );
    logger.info({ requests: overdue.length, before }, 'text older than the retention period was erased');
  }

  /** Waits until the tables have dropped the text, then compacts their file if it may still contain it. */
  async function forget(): Promise<void> {
    const end = await erasures.end();
    if (end === undefined || compactedUpTo(file) >= end.events) return;
    await tablesHold(end.position);
    await projection.hold(() => compact(file, end.events));
  }

  /** Resolves when the tables contain everything that is on record now. */
  async function tablesHoldAll(): Promise<void> {
    const newest = { direction: 'backwards', limit: 1, types: auditProjection.types } as const;
    for await (const { position } of store.readAll(newest)) await tablesHold(position);
  }

  async function tablesHold(position: Position): Promise<void> {
    try {
      await projection.waitFor(position, { timeoutMs: TABLES_TIMEOUT_MS });
    } catch (error) {
      throw isBelegError(error, 'DEADLINE_EXCEEDED') ? new BelegError('DEADLINE_EXCEEDED', LATE) : error;
    }
  }

  return {
    /**
     * Erases the text of a request. Resolves when the text can no longer be read anywhere and is in no file. Rejects
     * with `UNKNOWN_REQUEST_ID` if nothing is on record under that id, with `DEADLINE_EXCEEDED` if the tables take too
     * long, and with `AUDIT_UNAVAILABLE`. If the erasure is recorded as requested by then, the rest is tried again.
     */
    async erase(request: ErasureToRequest) {
      const { request_id } = request;
      try {
        const asked = store.readStream(askStream(request_id), { limit: 1 });
        if ((await Array.fromAsync(asked)).length === 0) throw new BelegError('UNKNOWN_REQUEST_ID');
        const repeated = (await erasures.erasedAt(request_id)) !== undefined;
        // The eraser may have been closed while the record was read. Then nobody would do the work.
        if (isClosed()) throw new BelegError('AUDIT_UNAVAILABLE');
        const asking = { request, ...Promise.withResolvers<void>() };
        waiting.push(asking);
        workSoon();
        await asking.promise;
        const left = othersDroppedAt - performance.now();
        if (left > 0) await pause(left, undefined, { signal: closing.signal }).catch(() => undefined);
        return { request_id, erased_at: (await erasures.erasedAt(request_id))!, repeated };
      } catch (error) {
        throw toAuditError(error);
      }
    },
    /** Erases, in the background, all requests whose newest text is older than this (ISO 8601). */
    eraseOlderThan(before: string): void {
      overdueBefore = before;
      workSoon();
    },
    /** The time of the newest text (ISO 8601); `null` if the tables have none, or cannot be read yet. */
    newestText(): string | null {
      try {
        return newestText(file);
      } catch (error) {
        if (isBelegError(error, 'STORE_UNAVAILABLE')) return null;
        throw error;
      }
    },
    stateHashes: () => erasures.stateHashes(),
    /** Resolves when the present batch is done or given up. The next process does the rest. */
    async close(): Promise<void> {
      closing.abort();
      clearTimeout(retry);
      await Promise.all([subscription?.close(), following, working]);
      await erasures.close();
      for (const { reject } of waiting.splice(0)) reject(new BelegError('AUDIT_UNAVAILABLE'));
    },
  };
}

export type Eraser = ReturnType<typeof openEraser>;
