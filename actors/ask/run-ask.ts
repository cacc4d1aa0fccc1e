import { createActor, fromPromise, waitFor, type ActorRefFrom } from 'xstate';
import { BelegError, isBelegError } from '../../events/errors.ts';
import type { AskInput } from './ask-context.ts';
import { verifyEntailed, type Entailment } from './entailment.ts';
import { partsToWrite } from './best-draft.ts';
import { askMachine, type AskMachine, type AskOutput } from './machine.ts';
import type { TimedEventDraft } from './lifecycle.ts';
import { frameContext } from './notes.ts';
import type { GenerateInput, Generator, Retriever } from './ports.ts';
import { retrieve } from './retrieve.ts';
import { fail } from './steps.ts';
import { verify } from './verify.ts';

export interface Helpers {
  /** The language model that is to write; where it does not, or not what holds, the answer is quoted. */
  readonly model?: Generator | null;
  /** A further check of what the verifier's rules accept. */
  readonly entailment?: Entailment | null;
}

/** The machine with its real actors. The retriever is that of one index: hold it for the whole ask. */
export function askMachineOf(
  retriever: Retriever,
  quoting: Generator,
  { model = null, entailment = null }: Helpers = {},
): AskMachine {
  return askMachine.provide({
    actors: {
      retrieve: fromPromise(({ input: context }) => retrieve(retriever, context, context.queries)),
      plan: fromPromise(async ({ input: context, signal }) => {
        const { question } = context.input;
        const parts = (await model?.plan?.(question, context.language, signal)) ?? null;
        if (parts === null) return null;
        const queries = [question, ...parts];
        const found = await retrieve(retriever, context, queries);
        return found.coverage.covered ? { queries, found } : null;
      }),
      generate: fromPromise(async ({ input: context, signal }) => {
        const writer = context.writing === 'model' ? model! : quoting;
        const input: GenerateInput = {
          question: context.input.question,
          parts: partsToWrite(context),
          language: context.language,
          hits: context.hits,
          attempt: context.repeats,
          failures: context.verdict?.failures ?? [],
          previous: context.draft,
        };
        const written = await writer.generate(input, signal);
        return written === null ? null : { written, name: writer.name };
      }),
      verify: fromPromise(async ({ input: context, signal }) => {
        const draft = context.draft!;
        const by = {
          language: context.language,
          hits: context.hits,
          exists: (id: string) => retriever.source(id) !== undefined,
          frames: frameContext({ ...context, question: context.input.question }),
        };
        const verdict = verify(draft, by);
        return entailment === null ? verdict : verifyEntailed(draft, verdict, by, entailment, signal);
      }),
    },
  });
}

/** Who follows an ask. */
export interface AskListener {
  /** What is searched for. */
  planned?(queries: readonly string[]): void;
  event?(event: TimedEventDraft): void;
}

/**
 * Runs one ask to its end: what it begins with, at once, and how it ends. That never rejects: a fault, and an abort of
 * `signal`, are the outcome `failed` with its error (`DEADLINE_EXCEEDED` for an abort whose reason is no `BelegError`), and
 * on record like everything else. `listener` hears of the plan, and of each later event as it is decided, before it is on
 * record.
 *
 * @example
 * const { outcome, events } = await runAsk(askMachineOf(retriever, generator), input, signal).output;
 */
export function runAsk(
  machine: AskMachine,
  input: AskInput,
  signal: AbortSignal,
  listener: AskListener = {},
): { readonly asked: TimedEventDraft; readonly output: Promise<AskOutput> } {
  const actor = createActor(machine, { input });
  let told = 1;
  let searched: readonly string[] | undefined;
  actor.subscribe({
    next: ({ context: { events, queries } }) => {
      if (queries !== searched) listener.planned?.((searched = queries));
      for (const event of events.slice(told)) listener.event?.(event);
      told = events.length;
    },
    // `waitFor` hears of it too, below.
    error: () => undefined,
  });
  actor.start();
  return { asked: actor.getSnapshot().context.events[0]!, output: outputOf(actor, signal) };
}

async function outputOf(actor: ActorRefFrom<AskMachine>, signal: AbortSignal): Promise<AskOutput> {
  try {
    const done = await waitFor(actor, (snapshot) => snapshot.status === 'done', { signal });
    return done.output!;
  } catch (error) {
    // XState stops the actor where it stood.
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
