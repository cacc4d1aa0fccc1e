import { ErrorCode, NatsError } from 'nats';
import type { Logger } from 'pino';
import { tellIfSlow, telling } from '../tell-if-slow.ts';

/** Milliseconds to wait for an answer: as long as a start waits for its first connection. */
const WITHIN_MS = 30_000;

/**
 * Opens something in NATS at a start. A slow server may not answer within the time of one request, so it is asked
 * again, until `withinMs` are over. This is logged once. Any other failure rejects.
 */
export async function untilAnswered<T>(
  open: () => Promise<T>,
  log: Pick<Logger, 'warn'>,
  withinMs: number = WITHIN_MS,
): Promise<T> {
  const until = performance.now() + withinMs;
  const tell = telling((fields: object) =>
    log.warn(fields, 'NATS is slow to answer: the start waits for it'),
  );
  for (;;) {
    try {
      return await tellIfSlow(open(), () => tell({}));
    } catch (error) {
      if (!isSilence(error) || performance.now() >= until) throw error;
      tell({ err: error });
    }
  }
}

/** The client's error codes are strings. */
const TIMEOUT = new Set<string>([ErrorCode.Timeout]);

const isSilence = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof NatsError && TIMEOUT.has(error.cause.code);
