import { createActor, fromPromise, waitFor, type SnapshotFrom } from 'xstate';
import { isEngineEvent } from '../../actors/trading/engine-lifecycle.ts';
import { engineMachine, type EngineActor } from '../../actors/trading/engine-machine.ts';
import type { AccountEvent } from '../../events/catalog/catalog.ts';
import type { AccountWriter } from './account/account.ts';

interface EngineOptions {
  readonly writer: Pick<AccountWriter, 'state' | 'follow'>;
  /** Finds out how things stand with the broker, and records it. */
  readonly reconcile: () => Promise<void>;
  /** Told while that cannot be found out; it is tried again. */
  readonly onDelay: (error: unknown) => void;
  /** Told of a fault that no other try mends. */
  readonly onFault: (error: unknown) => void;
}

const hasReconciled = (snapshot: SnapshotFrom<typeof engineMachine>): boolean =>
  !snapshot.matches('reconciling');

/** Runs the engine's machine: reconciling at the start and when asked to, and otherwise as the account's record says. */
export class Engine {
  readonly #actor: EngineActor;
  readonly #unsubscribe: () => void;

  constructor({ writer, reconcile, onDelay, onFault }: EngineOptions) {
    const machine = engineMachine.provide({ actors: { reconcile: fromPromise(reconcile) } });
    this.#actor = createActor(machine, { input: { status: writer.state.engine } });
    this.#actor.on('reconcile-failed', ({ error }) => onDelay(error));
    this.#actor.subscribe(({ output }) => {
      if (output !== undefined) onFault(output.error);
    });
    this.#unsubscribe = writer.follow((events) => this.#follow(events));
    this.#actor.start();
  }

  get reconciling(): boolean {
    return !hasReconciled(this.#actor.getSnapshot());
  }

  /** Whether it has reconciled: resolves when it has, or will not any more. */
  async ready(signal: AbortSignal): Promise<boolean> {
    const snapshot = await waitFor(this.#actor, hasReconciled, { signal }).catch(() => undefined);
    return snapshot?.status === 'active';
  }

  stop(): void {
    this.#unsubscribe();
    this.#actor.stop();
  }

  #follow(events: readonly AccountEvent[]): void {
    for (const event of events) if (isEngineEvent(event)) this.#actor.send({ type: event.type });
  }
}
