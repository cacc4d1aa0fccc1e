import { createActor, waitFor, type ActorRefFrom } from 'xstate';
import { BelegError, isBelegError } from '../../events/errors.ts';
import type { AskInput } from './ask-context.ts';
import { askMachine, type AskOutput } from './machine.ts';
import type { TimedEventDraft } from './lifecycle.ts';
import type { AskPorts } from '../../kb/answer/ports.ts';
import { fail } from './steps.ts';

/** Listens to an ask while it runs. */
interface AskListener {
  /** Called with the queries. */
  planned?(queries: readonly string[]): void;
  event?(event: TimedEventDraft): void;
}

/**
 * One ask: its beginning, and `run`, which completes it and never rejects. A fault, or an abort of `signal`, gives the
 * outcome `failed` with its error (`DEADLINE_EXCEEDED` for an abort whose reason is no `BelegError`), with events like
 * any other outcome. `listener` is called with the plan, and with each later event as it is decided, before it is on
 * record.
 *
 * @example const { outcome, events } = await askOf({ retriever, quoting }, input).run(signal);
 */
export function askOf(
  ports: AskPorts,
  input: AskInput,
): {
  readonly asked: TimedEventDraft;
  /** The actor, for the host of actors. `run` starts and stops it. */
  readonly actor: ActorRefFrom<typeof askMachine>;
  readonly run: (signal: AbortSignal, listener?: AskListener) => Promise<AskOutput>;
} {
  const actor = createActor(askMachine, { input: { asked: input, ports } });
  return {
    asked: actor.getSnapshot().context.events[0]!,
    actor,
    run(signal, listener = {}) {
      follow(actor, listener);
      actor.start();
      return outputOf(actor, signal);
    },
  };
}

function follow(actor: ActorRefFrom<typeof askMachine>, listener: AskListener): void {
  let told = 1;
  let searched = actor.getSnapshot().context.queries;
  actor.subscribe({
    next: ({ context: { events, queries } }) => {
      if (queries !== searched) listener.planned?.((searched = queries));
      for (const event of events.slice(told)) listener.event?.(event);
      told = events.length;
    },
    // `waitFor` below rejects with the same error.
    error: () => undefined,
  });
}

async function outputOf(actor: ActorRefFrom<typeof askMachine>, signal: AbortSignal): Promise<AskOutput> {
  try {
    const done = await waitFor(actor, (snapshot) => snapshot.status === 'done', { signal });
    return done.output!;
  } catch (error) {
    // The machine has not ended by itself, so its context is read from its present state.
    const failed = fail(actor.getSnapshot().context, signal.aborted ? abortError(signal) : error);
    return { outcome: 'failed', ...failed };
  } finally {
    actor.stop();
  }
}

function abortError(signal: AbortSignal): BelegError {
  return isBelegError(signal.reason)
    ? signal.reason
    : new BelegError('DEADLINE_EXCEEDED', { cause: signal.reason });
}
