import { BROKER_PAUSES } from '../../actors/trading/order-machine.ts';
import { backoff } from '../../events/backoff.ts';
import { isBelegError } from '../../events/errors.ts';
import { processTimer, type Timer } from './timer.ts';

interface EngineOptions {
  /** Finds out how things stand with the broker, and records it. */
  readonly reconcile: () => Promise<void>;
  /** Told while that cannot be found out; it is tried again. */
  readonly onDelay: (error: unknown) => void;
  /** Told of a fault that no other try mends. */
  readonly onFault: (error: unknown) => void;
  /** Once it has aborted, nothing is tried or told any more. */
  readonly signal: AbortSignal;
  readonly timer?: Pick<Timer, 'wait'>;
}

/** Of which another try may come out differently. */
const isTransient = (error: unknown): boolean =>
  isBelegError(
    error,
    'BROKER_UNAVAILABLE',
    'STORE_UNAVAILABLE',
    'WRONG_EXPECTED_REVISION',
    'DEADLINE_EXCEEDED',
    'NO_RESPONDERS',
    'RESPONDER_LOST',
    'SERVICE_UNAVAILABLE',
    'OVERLOADED',
  );

/**
 * Reconciles at the start, again and again while broker, store or market are away. Afterwards the engine is what the
 * account's record says: stopped, running or halted.
 */
export class Engine {
  /** Whether it has reconciled: resolves when it has, or will not any more. Never rejects. */
  readonly ready: Promise<boolean>;
  #reconciling = true;

  constructor(options: EngineOptions) {
    this.ready = this.#begin(options);
  }

  get reconciling(): boolean {
    return this.#reconciling;
  }

  async #begin(options: EngineOptions): Promise<boolean> {
    const { reconcile, onDelay, onFault, signal, timer = processTimer } = options;
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        await reconcile();
        this.#reconciling = false;
        return true;
      } catch (error) {
        if (signal.aborted) break;
        if (!isTransient(error)) {
          onFault(error);
          break;
        }
        onDelay(error);
        await timer.wait(backoff(failures, BROKER_PAUSES), signal);
      }
    }
    return false;
  }
}
