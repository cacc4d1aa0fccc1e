import type * as knowledge from '../../events/catalog/knowledge.ts';
import type { EventDraft } from '../../events/define.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import type { Coverage, Hit, Language, Source } from '../../kb/knowledge.ts';
import { answered, refused, uncertain, type Answer } from './compose.ts';
import { languageOf } from './language.ts';
import { nextStatus, type AskEventDraft, type AskStatus } from './lifecycle.ts';
import { addNotes } from './notes.ts';
import { plan } from './plan/plan.ts';
import type { Draft, Part, Verdict } from './ports.ts';
import { citationsOf, partsOf, renderDraft } from './render.ts';
import { currentHits } from './validity.ts';

export interface AskInput {
  readonly request_id: string;
  readonly question: string;
  readonly mode: 'knowledge' | 'review';
  readonly top_k: number;
  /** Name of the generating model. */
  readonly model: string;
  /** Milliseconds, monotonic; injected, as the core has no clock. */
  readonly now: () => number;
}

/** What one search over all planned queries brought. */
export interface Retrieved {
  readonly hits: readonly Hit[];
  readonly coverage: Coverage;
  readonly parts: readonly Part[];
  readonly indexHash: string;
}

export type AnswerGivenData = EventDraft<typeof knowledge.AnswerGiven>['data'];

/** All that an ask has found and decided so far. The functions below are its steps: pure, each records its event. */
export interface AskContext {
  readonly input: AskInput;
  readonly startedAt: number;
  readonly language: Language;
  readonly queries: readonly string[];
  readonly status: AskStatus;
  readonly events: readonly AskEventDraft[];
  readonly widened: boolean;
  readonly coverage: Coverage | null;
  readonly parts: readonly Part[];
  /** Passages in context: the hits without what a newer version supersedes, ordered by the time they hold for. */
  readonly hits: readonly Hit[];
  readonly superseded: readonly Source[];
  /** The attempt that is being written: 0, 1, 2. */
  readonly attempt: number;
  readonly draft: Draft | null;
  readonly verdict: Verdict | null;
  /** Who wrote `draft`. */
  readonly writer: string;
  /** The draft with the fewest failures so far. */
  readonly best: { readonly draft: Draft; readonly verdict: Verdict; readonly writer: string } | null;
  readonly answer: AnswerGivenData | null;
  readonly error: BelegError | null;
}

type Step = Partial<AskContext>;

export function begin(input: AskInput): AskContext {
  const language = languageOf(input.question);
  const empty: AskContext = {
    input,
    startedAt: input.now(),
    language,
    queries: plan(input.question),
    status: 'new',
    events: [],
    widened: false,
    coverage: null,
    parts: [],
    hits: [],
    superseded: [],
    attempt: 0,
    draft: null,
    verdict: null,
    writer: input.model,
    best: null,
    answer: null,
    error: null,
  };
  const { request_id, question, mode, top_k } = input;
  return {
    ...empty,
    ...record(empty, { type: 'QuestionAsked', data: { request_id, question, language, mode, top_k } }),
  };
}

export function searched(context: AskContext, { hits, coverage, parts, indexHash }: Retrieved): Step {
  const current = currentHits(context.input.question, hits);
  return {
    ...current,
    coverage,
    parts,
    ...record(context, {
      type: 'PassagesRetrieved',
      data: {
        queries: [...context.queries],
        hits: hits.map((hit) => ({ id: hit.source.id, score: hit.score })),
        coverage: coverage.value,
        covered: coverage.covered,
        widened: context.widened,
        index: indexHash,
      },
    }),
  };
}

export function drafted(context: AskContext, written: Draft): Step {
  const { question } = context.input;
  const draft = addNotes(written, { ...context, question });
  const writer = written.writer ?? context.input.model;
  return {
    draft,
    writer,
    ...record(context, {
      type: 'AnswerDrafted',
      data: {
        attempt: context.attempt,
        model: writer,
        draft: renderDraft(draft),
        citations: citationsOf(partsOf(draft)),
      },
    }),
  };
}

export function judged(context: AskContext, verdict: Verdict): Step {
  const draft = context.draft!;
  const { writer } = context;
  const better = context.best === null || verdict.failures.length < context.best.verdict.failures.length;
  return {
    verdict,
    best: better ? { draft, verdict, writer } : context.best,
    ...record(context, {
      type: 'DraftVerified',
      data: {
        attempt: context.attempt,
        verified: verdict.verified,
        failures: verdict.failures.map(({ sentence, rule }) => ({ sentence, rule })),
      },
    }),
  };
}

export function giveAnswer(context: AskContext): Step {
  return give(context, answered(context.draft!, context.hits), context.writer);
}

export function giveUncertain(context: AskContext): Step {
  const { draft, verdict, writer } = context.best!;
  return give(context, uncertain(draft, verdict, context.hits, context.language), writer);
}

export function giveRefusal(context: AskContext): Step {
  return give(context, refused(context.language, context.coverage), context.input.model);
}

export function fail(context: AskContext, cause: unknown): Step {
  const error = isBelegError(cause) ? cause : new BelegError('INTERNAL', { cause });
  const { request_id } = context.input;
  return { error, ...record(context, { type: 'AskFailed', data: { request_id, code: error.code } }) };
}

function give(context: AskContext, answer: Answer, model: string): Step {
  const { input, queries } = context;
  const data: AnswerGivenData = {
    request_id: input.request_id,
    question: input.question,
    ...answer,
    // Who asks several things is given an overview.
    answer_type: queries.length > 1 && answer.answer_type === 'specific' ? 'overview' : answer.answer_type,
    planned_queries: queries.length > 1 ? [...queries] : [],
    mode: input.mode,
    model,
    n_context: context.hits.length,
    regenerations: context.attempt,
    latency_ms: Math.max(0, Math.round(input.now() - context.startedAt)),
  };
  return { answer: data, ...record(context, { type: 'AnswerGiven', data }) };
}

/** Nothing is recorded that the lifecycle does not allow here. */
function record(context: AskContext, event: AskEventDraft): Pick<AskContext, 'status' | 'events'> {
  return { status: nextStatus(context.status, event.type), events: [...context.events, event] };
}
