import type * as knowledge from '../../events/catalog/knowledge.ts';
import type { EventDraft } from '../../events/define.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import type { Coverage, Hit, Language, Source } from '../../kb/knowledge.ts';
import { verdictOf, type Check, type ReviewContext } from '../review/check.ts';
import { hitsInForce, reviewQueries } from '../review/queries.ts';
import { review } from '../review/review.ts';
import { parseSection } from '../review/section.ts';
import { answered, refused, uncertain, withSection, type Answer } from './compose.ts';
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
  /** What is to be reviewed; in review mode only. */
  readonly context?: ReviewContext;
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
  /** What the searches for the facts of a review brought besides. */
  readonly reviewed: readonly Hit[];
  readonly lastYear: number;
  readonly indexHash: string;
}

export type AnswerGivenData = EventDraft<typeof knowledge.AnswerGiven>['data'];

/** All that an ask has found and decided so far. The functions below are its steps: pure, each records its event. */
export interface AskContext {
  readonly input: AskInput;
  readonly startedAt: number;
  readonly language: Language;
  /** The search plan: the question, and its parts where it asks several things. */
  readonly queries: readonly string[];
  /** Searches for the facts of a review. */
  readonly factQueries: readonly string[];
  readonly status: AskStatus;
  readonly events: readonly AskEventDraft[];
  readonly widened: boolean;
  readonly coverage: Coverage | null;
  readonly parts: readonly Part[];
  /** Passages in context: the hits without what a newer version supersedes, ordered by the time they hold for. */
  readonly hits: readonly Hit[];
  readonly superseded: readonly Source[];
  /** What the facts of a review are compared with. */
  readonly reviewed: readonly Hit[];
  readonly lastYear: number;
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
    factQueries: input.context === undefined ? [] : reviewQueries(input.question, input.context),
    status: 'new',
    events: [],
    widened: false,
    coverage: null,
    parts: [],
    hits: [],
    superseded: [],
    reviewed: [],
    lastYear: 0,
    attempt: 0,
    draft: null,
    verdict: null,
    writer: input.model,
    best: null,
    answer: null,
    error: null,
  };
  const { request_id, question, mode, top_k } = input;
  const context = input.context === undefined ? null : JSON.stringify(input.context);
  return {
    ...empty,
    ...record(empty, {
      type: 'QuestionAsked',
      data: { request_id, question, language, mode, top_k, context },
    }),
  };
}

/** What the writer's plan adds; without one the plan of the rules stays. */
export function planned(context: AskContext, parts: readonly string[] | null): Step {
  return parts === null ? {} : { queries: [context.input.question, ...parts] };
}

export function searched(context: AskContext, found: Retrieved): Step {
  const { hits, coverage, parts, indexHash, lastYear } = found;
  const { question, context: given } = context.input;
  const all = [...new Map([...hits, ...found.reviewed].map((hit) => [hit.source.id, hit])).values()];
  const current = currentHits(question, hits);
  const inContext = new Set(current.hits.map(({ source }) => source.id));
  return {
    ...current,
    reviewed: given === undefined ? [] : hitsInForce(question, given, all).hits,
    lastYear,
    coverage,
    parts: parts.map((part) => ({
      ...part,
      hits: part.hits.filter(({ source }) => inContext.has(source.id)),
    })),
    ...record(context, {
      type: 'PassagesRetrieved',
      data: {
        queries: [...context.queries, ...context.factQueries],
        hits: all.map((hit) => ({ id: hit.source.id, score: hit.score })),
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

function give(context: AskContext, composed: Answer, model: string): Step {
  const { input, queries, factQueries, hits } = context;
  const { answer, checks } = reviewed(context, composed);
  const planned = [...queries, ...factQueries];
  const data: AnswerGivenData = {
    request_id: input.request_id,
    question: input.question,
    ...answer,
    // Who asks several things is given an overview.
    answer_type: queries.length > 1 && answer.answer_type === 'specific' ? 'overview' : answer.answer_type,
    planned_queries: planned.length > 1 ? planned : [],
    verdict: checks === null ? null : verdictOf(checks),
    checks,
    mode: input.mode,
    model,
    n_context: new Set([...hits, ...context.reviewed].map(({ source }) => source.id)).size,
    regenerations: context.attempt,
    latency_ms: Math.max(0, Math.round(input.now() - context.startedAt)),
  };
  return { answer: data, ...record(context, { type: 'AnswerGiven', data }) };
}

/** In review mode an answer closes with the checks, and the checks are what can be read from it. */
function reviewed(context: AskContext, answer: Answer): { answer: Answer; checks: Check[] | null } {
  const { input, hits, lastYear, language } = context;
  if (input.mode !== 'review') return { answer, checks: null };
  const { question, context: given = {} } = input;
  const found = review({ question, context: given, hits: context.reviewed, language, lastYear });
  const closed = withSection(answer, found, [...hits, ...context.reviewed], language);
  const cited = new Set(closed.citations);
  return { answer: closed, checks: parseSection(closed.answer, (id) => cited.has(id)) };
}

/** Nothing is recorded that the lifecycle does not allow here. */
function record(context: AskContext, event: AskEventDraft): Pick<AskContext, 'status' | 'events'> {
  return { status: nextStatus(context.status, event.type), events: [...context.events, event] };
}
