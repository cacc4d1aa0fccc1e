import type { z } from 'zod';
import { askMachineOf, runAsk } from '../../actors/ask/run.ts';
import { lastYearOf } from '../../actors/review/queries.ts';
import type { Retriever } from '../../actors/ask/ports.ts';
import { rerankedBy } from '../../actors/ask/rerank.ts';
import type { AskEventDraft } from '../../actors/ask/lifecycle.ts';
import { uncoveredIn } from '../../actors/ask/templates.ts';
import { begin, type AnswerGivenData, type AskInput } from '../../actors/ask/steps.ts';
import { askStream } from '../../events/catalog/knowledge.ts';
import { BelegError } from '../../events/errors.ts';
import type { CallContext } from '../../events/messages/define.ts';
import {
  API_VERSION,
  type Ask,
  type AskProgress,
  type AskResponse,
} from '../../events/messages/knowledge.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { createEvents } from '../events.ts';
import type { Gate } from './gate.ts';
import type { Models } from './models.ts';
import type { Recorder } from './recorder.ts';

export interface AskServiceOptions {
  /** The index in service now; one ask keeps the one it began with. */
  index: () => KnowledgeIndex;
  models: Models;
  gate: Gate;
  /** `null`: audit is disabled, and nothing of an ask is kept anywhere. */
  recorder: Recorder | null;
  /** `mode=review` is served. */
  reviewMode: boolean;
  /** Free text reaches no store and no line. */
  redact: boolean;
  /** Tells who asked how far it is; nobody listens where absent. */
  tell?: (token: string, progress: AskProgress) => void;
  now: () => Date;
}

type AskHandler = (
  request: z.output<typeof Ask.request>,
  context: CallContext & { deadline: Date },
) => Promise<AskResponse>;

/** Answers questions: a place at the gate, the ask machine, the record, the reply, in that order. */
export function createAskHandler(options: AskServiceOptions): AskHandler {
  const { gate, models, recorder, redact, now } = options;

  return (request, call) =>
    gate.run(call.deadline, async () => {
      const { request_id, question, mode, top_k, context = {} } = request;
      if (mode === 'review' && !options.reviewMode) throw new BelegError('REVIEW_MODE_DISABLED');
      if (mode === 'knowledge' && request.context !== undefined) throw new BelegError('CONTEXT_NOT_ALLOWED');
      const stream = askStream(request_id);
      const input: AskInput = {
        request_id,
        question,
        mode,
        top_k,
        ...(mode === 'review' ? { context } : {}),
        model: models.generator.name,
        now: () => performance.now(),
      };
      const stamp = (drafts: Parameters<typeof createEvents>[0], withoutText = redact) =>
        createEvents(
          drafts,
          {
            stream,
            at: now().toISOString(),
            correlationId: call.correlationId,
            causationId: call.callId,
            traceparent: call.trace?.traceparent,
            key: request_id,
          },
          { redact: withoutText },
        );

      // On its way to the disk while the work goes on; durable before the outcome is, and before the reply.
      const refusal = new AbortController();
      const asked = recorder?.record(stream, stamp(begin(input).events)).then((recorded) => {
        if (recorded === 'erased') refusal.abort(new BelegError('REQUEST_ERASED'));
        return recorded;
      });
      const output = await runToEnd(input, options, call.deadline, refusal.signal, request.progress);
      const begun = await asked;
      refusal.signal.throwIfAborted();
      // The record of an answer is of no use without its question: a question that was lost goes along once more.
      const rest = begun === 'lost' ? output.events : output.events.slice(1);
      let recorded = await recorder?.record(stream, stamp(rest));
      // Erased while it was being answered: what is no text goes on record all the same.
      if (recorded === 'erased') recorded = await recorder?.record(stream, stamp(rest, true));
      if (output.outcome === 'failed') throw output.error;
      return toResponse(output.answer, recorded === 'stored');
    });
}

async function runToEnd(
  input: AskInput,
  { index, models, tell }: AskServiceOptions,
  deadline: Date,
  refused: AbortSignal,
  token: string | undefined,
) {
  const abort = new AbortController();
  const timer = setTimeout(
    () => abort.abort(new BelegError('DEADLINE_EXCEEDED')),
    deadline.getTime() - Date.now(),
  );
  try {
    const { generator, entailment, reranker } = models;
    const found = retrieverOf(index());
    const signal = AbortSignal.any([abort.signal, refused]);
    const retriever = reranker === null ? found : rerankedBy(found, reranker, signal);
    const say = (progress: AskProgress | null): void => {
      if (token !== undefined && progress !== null) tell?.(token, progress);
    };
    return await runAsk(askMachineOf(retriever, generator, entailment), input, signal, {
      planned: (queries) => say({ stage: 'planned', queries: [...queries] }),
      event: (event) => say(progressOf(event)),
    });
  } finally {
    clearTimeout(timer);
  }
}

function progressOf({ type, data }: AskEventDraft): AskProgress | null {
  if (type === 'PassagesRetrieved') {
    return { stage: 'retrieved', passages: data.hits.length, covered: data.covered, widened: data.widened };
  }
  if (type === 'AnswerDrafted') return { stage: 'drafted', attempt: data.attempt };
  if (type === 'DraftVerified') {
    const { attempt, verified, failures } = data;
    return { stage: 'verified', attempt, verified, failures: failures.length };
  }
  return null;
}

function retrieverOf(index: KnowledgeIndex): Retriever {
  return {
    indexHash: index.hash,
    search: (query, options) => index.search(query, options),
    coverage: (query, hits) => index.coverage(query, hits),
    source: (id) => index.source(id),
    lastYear: () => lastYearOf(index.sources),
  };
}

/** The body of `POST /v1/ask`. */
function toResponse(given: AnswerGivenData, ratingsEnabled: boolean): AskResponse {
  const { conflict_ids: _, verdict, checks, ...shared } = given;
  return {
    api_version: API_VERSION,
    ...shared,
    refused: given.status === 'refused',
    assumptions: [],
    alternatives: [],
    planned: given.planned_queries.length > 0,
    grounding: {
      data_scope: given.mode === 'review' ? 'knowledge_base_plus_review_context' : 'knowledge_base_only',
      citations_verified: given.verified,
      context_count: given.n_context,
      regenerations: given.regenerations,
      uncovered: uncoveredIn(given.answer),
    },
    ratings_enabled: ratingsEnabled,
    ...(verdict === null ? {} : { plausibility: { verdict, checks: checks ?? [] } }),
  };
}
