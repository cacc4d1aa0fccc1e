import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import type { AskOutput } from '../../actors/ask/machine.ts';
import { askOf } from '../../actors/ask/run-ask.ts';
import type { AskPorts } from '../../kb/answer/ports.ts';
import { rerankedBy } from '../../kb/answer/rerank.ts';
import type { AskEventDraft, TimedEventDraft } from '../../actors/ask/lifecycle.ts';
import type { AnswerGivenData, AskInput } from '../../actors/ask/ask-context.ts';
import { askStream, type QuestionAsked } from '../../events/catalog/knowledge.ts';
import type { EventOf } from '../../events/define.ts';
import { assertAllRead } from '../../events/exhaustive.ts';
import type { ErrorCode } from '../../events/error-codes.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import type { CallContext } from '../../events/messages/define.ts';
import type { Ask, AskProgress } from '../../events/messages/knowledge.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { ownTurn } from '../../kb/turns.ts';
import type { ActorHost } from '../foundation/actor-host.ts';
import { createEvents } from '../foundation/streams/stamp-events.ts';
import { toResponse } from './ask-response.ts';
import { budgetOf } from './time-budget.ts';
import type { WorkQueue } from './work-queue.ts';
import type { Knowledge } from './index-in-use.ts';
import type { Models } from './open-models.ts';
import type { Recorder } from './recorder.ts';

interface AskServiceOptions {
  /** Gives the index for an ask, which keeps it until its end. */
  knowledge: Pick<Knowledge, 'hold'>;
  models: Models;
  queue: WorkQueue;
  /**
   * The queue for the language model. It is separate, so that asks without the model never wait behind those with it.
   */
  modelQueue: WorkQueue;
  /** Milliseconds from its arrival within which an ask is answered, however slow the language model is. */
  budgetMs: number;
  /** Records asks; `null` if auditing is disabled, so that nothing of an ask is kept. */
  recorder: Recorder | null;
  /** Whether requests with `mode=review` are answered. */
  reviewMode: boolean;
  /** Whether free text is kept out of the store and the log. */
  redact: boolean;
  /** Reports the progress of an ask to its caller; absent if nobody listens. */
  tell?: (token: string, progress: AskProgress) => void;
  actors: ActorHost;
  now: () => Date;
}

type Request = z.output<typeof Ask.request>;
type Reply = z.output<typeof Ask.reply>;

/** The context of an ask. `left` aborts when the caller has left. */
type AskCall = CallContext & { deadline: Date; left?: AbortSignal };

/** Answers questions: waits for a place in the queue, runs the machine of the ask, records, replies. */
export function createAskHandler(
  options: AskServiceOptions,
): (request: Request, call: AskCall) => Promise<Reply> {
  return async (request, call) => {
    const budget = budgetOf(options.budgetMs);
    const ending = new AbortController();
    const end = (reason: BelegError): void => ending.abort(reason);
    const signal = call.left === undefined ? ending.signal : AbortSignal.any([ending.signal, call.left]);
    const late = setTimeout(
      () => end(new BelegError('DEADLINE_EXCEEDED')),
      call.deadline.getTime() - Date.now(),
    );
    try {
      using place = await options.queue.enter(signal);
      using held = options.knowledge.hold();
      const { modelUntil } = budget;
      const helpers = budget.spendOn(options.models, place, options.modelQueue);
      return await answer(request, call, { ...options, index: held.index, signal, end, modelUntil, helpers });
    } finally {
      clearTimeout(late);
      budget.end();
    }
  };
}

interface Asking extends AskServiceOptions {
  readonly index: KnowledgeIndex;
  /** Aborts when the ask must end early. */
  readonly signal: AbortSignal;
  /** Ends the ask with this error. */
  readonly end: (reason: BelegError) => void;
  readonly modelUntil: number;
  readonly helpers: Pick<AskPorts, 'model' | 'entailment'>;
}

async function answer(request: Request, call: AskCall, options: Asking): Promise<Reply> {
  const { index, models, recorder, redact, now, signal, helpers } = options;
  const { request_id, question, mode, top_k, context, progress: listener, ...unread } = request;
  assertAllRead(unread);
  if (mode === 'review' && !options.reviewMode) throw new BelegError('REVIEW_MODE_DISABLED');
  if (mode === 'knowledge' && context !== undefined) throw new BelegError('CONTEXT_NOT_ALLOWED');
  const stream = askStream(request_id);
  const asOf = index.about?.asOf ?? null;
  const input: AskInput = {
    request_id,
    question,
    mode,
    top_k,
    ...(mode === 'review' ? { context: context ?? {}, reviewBase: index.review } : {}),
    model: models.quoting.name,
    modelUntil: models.model === null ? null : options.modelUntil,
    fallback: models.fallback,
    now: () => performance.now(),
  };
  const began = now().getTime();
  const stamp = (drafts: readonly TimedEventDraft[], withoutText = redact) =>
    createEvents(
      drafts.map((draft) => ({ ...draft, at: new Date(began + draft.afterMs).toISOString() })),
      {
        stream,
        at: new Date(began).toISOString(),
        correlationId: call.correlationId,
        causationId: call.callId,
        traceparent: call.trace?.traceparent,
        key: request_id,
      },
      { redact: withoutText },
    );

  const retriever = models.reranker === null ? index : rerankedBy(index, models.reranker, signal);
  const say = (progress: AskProgress | null): void => {
    if (listener !== undefined && progress !== null) options.tell?.(listener, progress);
  };
  const ask = askOf({ retriever, quoting: models.quoting, ...helpers }, input);
  options.actors.host(ask.actor, { kind: 'ask', id: request_id, trace: call.trace });
  const asking = stamp([ask.asked]);
  if (recorder !== null) {
    // The key of the text is written to disk while the sources are searched.
    recorder.prepare(asking);
  }
  await ownTurn();
  const done = ask.run(signal, {
    planned: (queries) => say({ stage: 'planned', queries: [...queries] }),
    event: (event) => say(progressOf(event)),
  });
  // An ask that only quotes ends within this turn of the event loop, and all its events are recorded together. For a
  // longer ask the question is recorded meanwhile, and is durable before the outcome and the reply.
  const isQuoted = await Promise.race([done.then(() => true), nextTurn(false)]);
  const asked = isQuoted
    ? undefined
    : recorder?.record(stream, asking).then((recorded) => {
        if (recorded === 'erased') options.end(new BelegError('REQUEST_ERASED'));
        return recorded;
      });
  const output = await done;
  tellWatch(output, models);
  const begun = await asked;
  if (begun === 'erased') throw new BelegError('REQUEST_ERASED');
  // An answer on record is useless without its question, so a question that was lost is recorded again with the answer.
  const rest = begun === undefined || begun === 'lost' ? output.events : output.events.slice(1);
  let recorded = await recorder?.record(stream, stamp(rest));
  if (begun === 'repeated' || recorded === 'repeated') {
    const told = await recorder!.conclusionOf(stream, call.callId);
    if (told.type === 'AskFailed') throw new BelegError(told.data.code as ErrorCode);
    // With `redact` the record has no text, so the new answer is returned instead of the recorded one.
    const given = redact && output.outcome !== 'failed' ? output.answer : told.data;
    if (given.answer === null) throw new BelegError('REQUEST_ERASED');
    return toResponse(given as AnswerGivenData, asOf, true);
  }
  if (recorded === 'erased') {
    if (begun === undefined) throw new BelegError('REQUEST_ERASED');
    // The text was erased while the question was being answered. The events without text are still recorded.
    recorded = await recorder?.record(stream, stamp(rest, true));
  }
  if (output.outcome === 'failed') throw output.error;
  const response = toResponse(output.answer, asOf, recorded === 'stored');
  const isReused =
    recorded === 'stored' &&
    (await recorder!.isReused(asking[0] as EventOf<typeof QuestionAsked>, output.events.length));
  return {
    ...response,
    ...(isReused ? { request_id_reused: true } : {}),
    ...(recorded === 'lost' ? { not_recorded: true } : {}),
  };
}

/** Tells the watch of the language model whether the model wrote what it should have. */
function tellWatch(output: AskOutput, { model, watch }: Models): void {
  if (model === null || watch === null) return;
  if (output.outcome === 'failed') {
    if (isBelegError(output.error, 'MODEL_UNAVAILABLE')) watch.asked({ written: false });
    return;
  }
  const writers = output.events.flatMap(({ type, data }) => (type === 'AnswerDrafted' ? [data.model] : []));
  // A question that is refused after the search needs no language model.
  if (writers.length === 0) return;
  const isIts = (writer: string): boolean => writer === model.name || writer.startsWith(`${model.name}+`);
  const written = isIts(output.answer.model);
  if (!written && writers.some(isIts)) watch.note('nothing_verified');
  watch.asked({ written });
}

function progressOf({ type, data }: AskEventDraft): AskProgress | null {
  if (type === 'PassagesRetrieved') {
    return { stage: 'retrieved', passages: data.hits.length, covered: data.covered };
  }
  if (type === 'AnswerDrafted') return { stage: 'drafted', attempt: data.attempt };
  if (type === 'DraftVerified') {
    const { attempt, verified, failures } = data;
    return { stage: 'verified', attempt, verified, failures: failures.length };
  }
  return null;
}
