import type { AccountCommand } from '../../../actors/trading/commands.ts';
import type { AccountEvent } from '../../../events/catalog/catalog.ts';
import { BelegError, isBelegError } from '../../../events/errors.ts';

/** Who asks, as it goes on record. */
export interface Cause {
  readonly correlationId: string;
  /** The events' ids rest on it: the same call, and nothing else, gives the same ones. */
  readonly callId: string;
  readonly traceparent?: string | undefined;
}

/** Who waits for the answer, and until when. */
export interface Caller extends Cause {
  readonly deadline: Date;
}

/** A reply takes a moment too: a caller is told so many milliseconds before its deadline, or after three quarters of its time. */
const REPLY_MS = 250;

/** Nobody waits longer than this, and a timer cannot be set for much longer. */
const LONGEST_MS = 3_600_000;

/** A command that waits for the record, and its caller. */
export class Entry {
  readonly command: AccountCommand;
  readonly cause: Cause;
  readonly outcome: Promise<readonly AccountEvent[]>;
  readonly #settlement = Promise.withResolvers<readonly AccountEvent[]>();
  readonly #timer: NodeJS.Timeout | undefined;
  #state: 'waiting' | 'told' | 'settled' = 'waiting';

  /** `deadline`: until when its caller waits, by the process's clock; `null`: as long as it takes. */
  constructor(command: AccountCommand, cause: Cause, deadline: Date | null) {
    this.command = command;
    this.cause = cause;
    this.outcome = this.#settlement.promise;
    if (deadline === null) return;
    const timeMs = Math.min(deadline.getTime() - Date.now(), LONGEST_MS);
    this.#timer = setTimeout(() => this.#tell(), Math.max(timeMs - REPLY_MS, timeMs * 0.75, 0));
  }

  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  /** Its caller has been told that nothing was recorded: where something was, that has to be undone. */
  get isTold(): boolean {
    return this.#state === 'told';
  }

  succeed(events: readonly AccountEvent[]): void {
    if (!this.isWaiting) return;
    this.#end('settled');
    this.#settlement.resolve(events);
  }

  fail(error: unknown): void {
    if (!this.isWaiting) return;
    this.#end('settled');
    this.#settlement.reject(error);
  }

  #tell(): void {
    this.#end('told');
    this.#settlement.reject(new BelegError('STORE_UNAVAILABLE', { retryAfter: 1 }));
  }

  #end(state: 'told' | 'settled'): void {
    this.#state = state;
    clearTimeout(this.#timer);
  }
}

/** The account said no: not that something is broken. */
export const isRefusal = (error: unknown): boolean => isBelegError(error) && error.status < 500;
