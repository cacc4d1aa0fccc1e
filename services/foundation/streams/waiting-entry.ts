import { BelegError } from '../../../events/errors.ts';
import type { CallContext } from '../../../events/messages/define.ts';
import type { NewEvent } from '../../../events/store/store.ts';
import type { Clock } from '../clock.ts';

/** The work for one append: the events that follow from a command, or events that are given and encrypted already. */
export type Work<Command, Event> =
  | { readonly command: Command }
  | {
      readonly events: readonly Event[];
      readonly sealed: readonly NewEvent[];
      /** Ids of events. If one of these events is on record, the work is dropped. */
      readonly unless?: readonly string[];
      /** Called when all earlier work is on record, and no later work is decided. */
      readonly look?: () => void;
    };

/**
 * The caller is answered this many milliseconds before its deadline, or after three quarters of its time, because the
 * reply takes time too.
 */
const REPLY_MS = 250;

/** The longest time that a caller waits. A timer could not be set for much longer. */
const LONGEST_MS = 3_600_000;

/** A piece of work that waits for the record, with its caller. */
export class Entry<Command, Event> {
  readonly work: Work<Command, Event>;
  readonly call: CallContext;
  readonly outcome: Promise<readonly Event[]>;
  /** True once the stream was read after this work arrived: its decision then considers what others have written. */
  isFresh = false;
  readonly #settlement = Promise.withResolvers<readonly Event[]>();
  #callOff: (() => void) | undefined;
  #state: 'waiting' | 'given up' | 'settled' = 'waiting';

  /** A caller without a deadline waits for as long as the store is away. */
  constructor(work: Work<Command, Event>, call: CallContext, clock: Clock) {
    this.work = work;
    this.call = call;
    this.outcome = this.#settlement.promise;
    if (call.deadline === undefined) return;
    const timeMs = Math.min(call.deadline.getTime() - clock.now(), LONGEST_MS);
    // The caller's deadline is over, so nobody waits for the work, and none is begun.
    if (timeMs <= 0) this.fail(tooLate(-timeMs));
    else this.#callOff = clock.after(Math.max(timeMs - REPLY_MS, timeMs * 0.75, 0), () => this.giveUp());
  }

  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  /** Whether the caller was told that the outcome is unknown. */
  get hasGivenUp(): boolean {
    return this.#state === 'given up';
  }

  succeed(events: readonly Event[]): void {
    if (!this.isWaiting) return;
    this.#end('settled');
    this.#settlement.resolve(events);
  }

  fail(error: unknown): void {
    if (!this.isWaiting) return;
    this.#end('settled');
    this.#settlement.reject(error);
  }

  /** Answers the caller with the outcome unknown, because the store does not answer in time. */
  giveUp(cause?: unknown): void {
    if (!this.isWaiting) return;
    this.#end('given up');
    this.#settlement.reject(new BelegError('STORE_UNAVAILABLE', { retryAfter: 1, cause }));
  }

  #end(state: 'given up' | 'settled'): void {
    this.#state = state;
    this.#callOff?.();
  }
}

/** The error of a passed deadline. The store is not to blame, because the deadline is a time of the caller's clock. */
function tooLate(ms: number): BelegError {
  return new BelegError('DEADLINE_EXCEEDED', {
    detail: `nothing was recorded, because the request arrived ${Math.ceil(ms / 1_000)} s after its deadline; if this goes on, compare the clocks of the machines`,
    retryAfter: 1,
  });
}
