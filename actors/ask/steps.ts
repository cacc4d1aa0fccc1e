import { isDeepStrictEqual } from 'node:util';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { languageToAnswerIn } from '../../kb/analysis/analysis.ts';
import { verdictOf } from '../../kb/review/check.ts';
import { review } from '../../kb/review/review.ts';
import type { AnswerGivenData, AskContext, AskInput, Retrieved, Judged } from './ask-context.ts';
import { isGuess } from './ask-back.ts';
import { closed } from './close-with-review.ts';
import { answered, uncertain, type Answer } from './compose.ts';
import { refused } from './refusal.ts';
import { isBetter } from './best-draft.ts';
import type { AskEventDraft } from './lifecycle.ts';
import { addNotes } from './notes.ts';
import { withoutManners } from '../../kb/answer/plan/letter.ts';
import { askedIn } from '../../kb/answer/plan/pasted.ts';
import { plan } from '../../kb/answer/plan/plan.ts';
import { readQuestion } from '../../kb/answer/plan/read-question.ts';
import type { AskPorts, Draft, DraftSentence, Verdict } from '../../kb/answer/ports.ts';
import { citationsOf, partsOf, renderDraft } from '../../kb/answer/render.ts';
import { currentHits } from '../../kb/answer/validity.ts';

/** The changes of a step. Each step is pure and records its event. */
type Step = Partial<AskContext>;

export function begin(input: AskInput, ports: AskPorts): AskContext {
  const languageOf = (text: string) => languageToAnswerIn(text, ports.retriever.languages);
  const read = readQuestion(input.question);
  const asked = askedIn(read, languageOf(read));
  const language = languageOf(asked);
  const empty: AskContext = {
    input,
    ports,
    startedAt: input.now(),
    asked,
    language,
    queries: [],
    factQueries: [],
    events: [],
    coverage: null,
    parts: [],
    readings: [],
    hits: [],
    superseded: [],
    cited: [],
    related: [],
    review: null,
    asOf: null,
    law: null,
    writing: input.modelUntil === null ? 'quoting' : 'model',
    drafts: 0,
    repeats: 0,
    regenerations: 0,
    kept: null,
    leftOut: false,
    draftBegan: 0,
    draftMs: 0,
    written: null,
    draft: null,
    verdict: null,
    stuck: false,
    writer: input.model,
    best: null,
    answer: null,
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

/** The queries to search for, and the results of a review of the sent facts. */
export type Understood = Pick<AskContext, 'queries' | 'factQueries' | 'review'>;

export function understand({ input, asked, language }: AskContext): Understood {
  const { question, context, reviewBase } = input;
  const reviewed =
    context === undefined || reviewBase === undefined
      ? null
      : review({ question, context, base: reviewBase, language });
  return {
    queries: plan(withoutManners(asked, language)),
    factQueries: reviewed?.unknown.map((key) => key.replaceAll(/[_.-]+/gu, ' ')) ?? [],
    review: reviewed,
  };
}

/** A plan of the language model, and the search results for it. */
export interface Planned {
  readonly queries: readonly string[];
  readonly found: Retrieved;
}

/**
 * Adds the parts of the language model's plan, if the base covers each of them, so that the plan cannot lose anything.
 */
export function planned(context: AskContext, plan: Planned): Step {
  return { queries: plan.queries, ...searched({ ...context, queries: plan.queries }, plan.found) };
}

export function searched(context: AskContext, found: Retrieved): Step {
  const { hits, coverage, parts, readings, indexHash, asOf, law, cited, related } = found;
  const { asked, queries } = found.inStory ?? context;
  const all = [...new Map([...hits, ...related.flat()].map((hit) => [hit.source.id, hit])).values()];
  const whole = currentHits(asked, hits);
  // The hits of a part are of the year that the part asks about.
  const ofParts = new Set(parts.flatMap((part) => part.hits.map(({ source }) => source.id)));
  const current = {
    ...whole,
    hits: hits.filter(
      (hit) =>
        whole.hits.includes(hit) || (ofParts.has(hit.source.id) && !whole.superseded.includes(hit.source)),
    ),
  };
  const inContext = new Set(current.hits.map(({ source }) => source.id));
  return {
    ...current,
    asked,
    queries,
    cited,
    related,
    asOf,
    law,
    coverage,
    readings,
    parts: parts.map((part) => ({
      ...part,
      hits: part.hits.filter(({ source }) => inContext.has(source.id)),
    })),
    ...record(context, {
      type: 'PassagesRetrieved',
      data: {
        queries: [...queries, ...context.factQueries],
        hits: all.map((hit) => ({ id: hit.source.id, score: hit.score })),
        coverage: coverage.value,
        covered: coverage.covered,
        index: indexHash,
      },
    }),
  };
}

export interface Written {
  readonly written: Draft;
  readonly name: string;
}

/** A draft of the writer `name`, together with the kept part of an earlier one. */
export function drafted(context: AskContext, { written: added, name }: Written): Step {
  const { kept } = context;
  const { now } = context.input;
  const written = besideKept(context, added);
  const draft = addNotes(written, { ...context, question: context.asked });
  const writers = [...(kept === null ? [] : [kept.writer]), ...(added.sentences.length > 0 ? [name] : [])];
  const writer = kept === null ? name : writers.join('+');
  return {
    written,
    draft,
    writer,
    drafts: context.drafts + 1,
    draftMs: now() - context.draftBegan,
    ...record(context, {
      type: 'AnswerDrafted',
      data: {
        attempt: context.drafts,
        model: writer,
        draft: renderDraft(draft),
        citations: citationsOf(partsOf(draft)),
      },
    }),
  };
}

const partOf = (sentence: DraftSentence): number =>
  sentence.kind === 'statement' ? (sentence.part ?? -1) : Infinity;

/** The kept statements, and those of the new draft that do not repeat them, in the order of the question's parts. */
function besideKept({ kept }: AskContext, written: Draft): Draft {
  if (kept === null) return written;
  const said = new Set(kept.statements.map(({ text }) => text));
  const more = written.sentences.filter(({ text }) => !said.has(text));
  return { sentences: [...kept.statements, ...more].toSorted((a, b) => partOf(a) - partOf(b)) };
}

export function judged(context: AskContext, verdict: Verdict): Step {
  const { written, draft, writer, best } = context;
  const now: Judged = { written: written!, draft: draft!, verdict, writer };
  return {
    verdict,
    stuck: context.verdict !== null && isDeepStrictEqual(context.verdict.failures, verdict.failures),
    best: best === null || isBetter(now, best) ? now : best,
    ...record(context, {
      type: 'DraftVerified',
      data: {
        attempt: context.drafts - 1,
        verified: verdict.verified,
        failures: verdict.failures.map(({ sentence, rule }) => ({ sentence, rule })),
      },
    }),
  };
}

/** Asks the writer again for the statements that were rejected. */
export function repeated({ repeats, regenerations }: AskContext): Step {
  return { repeats: repeats + 1, regenerations: regenerations + 1 };
}

export function giveAnswer(context: AskContext): Step {
  if (isGuess(context)) return giveRefusal(context);
  return give(context, answered(context.draft!, context.hits), context.writer);
}

export function giveUncertain(context: AskContext): Step {
  const { draft, verdict, writer } = context.best!;
  return give(context, uncertain(draft, verdict, { ...context, superseded: [] }), writer);
}

export function giveRefusal(context: AskContext): Step {
  const { input, asked, language, coverage } = context;
  return give(context, refused(asked, language, coverage, context), input.model);
}

/** Ends an ask with a fault, in any state. */
export function fail(
  context: AskContext,
  cause: unknown,
): { readonly error: BelegError; readonly events: AskContext['events'] } {
  const error = isBelegError(cause) ? cause : new BelegError('INTERNAL', { cause });
  const { request_id } = context.input;
  const { events } = record(context, { type: 'AskFailed', data: { request_id, code: error.code } });
  return { error, events };
}

function give(context: AskContext, composed: Answer, model: string): Step {
  const { input, queries, factQueries, hits } = context;
  const { answer, checks, notChecked } = closed(context, composed);
  const planned = [...queries, ...factQueries];
  const data: AnswerGivenData = {
    request_id: input.request_id,
    question: input.question,
    ...answer,
    // An answer to several questions counts as an overview.
    answer_type: queries.length > 1 && answer.answer_type === 'specific' ? 'overview' : answer.answer_type,
    planned_queries: planned.length > 1 ? planned : [],
    parts: partsAnswered(context, answer),
    // An answer that has only checks of a review has no estimated relevance.
    relevance:
      composed.status === 'refused' || !answer.answer.includes(composed.answer)
        ? null
        : (context.coverage?.relevance ?? null),
    verdict: checks === null ? null : verdictOf(checks),
    checks,
    not_checked: notChecked,
    mode: input.mode,
    model,
    n_context: new Set([...hits.map(({ source }) => source.id), ...context.cited.map(({ id }) => id)]).size,
    regenerations: context.regenerations,
    latency_ms: Math.max(0, Math.round(input.now() - context.startedAt)),
  };
  return { answer: data, ...record(context, { type: 'AnswerGiven', data }) };
}

/** For a question with several parts, whether each is answered, and from which sources. */
function partsAnswered(
  { parts, draft }: AskContext,
  { status, citations }: Answer,
): AnswerGivenData['parts'] {
  const statements = draft?.sentences.filter((sentence) => sentence.kind === 'statement') ?? [];
  return parts.map(({ question: text }, i) => {
    const answering = statements.filter(({ part, alsoFor = [] }) => part === i || alsoFor.includes(i));
    const ids = new Set(answering.flatMap((statement) => statement.citations));
    const source_ids = status === 'refused' ? [] : citations.filter((id) => ids.has(id));
    return { text, covered: source_ids.length > 0, source_ids };
  });
}

function record(context: AskContext, event: AskEventDraft): Pick<AskContext, 'events'> {
  const afterMs = Math.round(context.input.now() - context.startedAt);
  return { events: [...context.events, { ...event, afterMs }] };
}
