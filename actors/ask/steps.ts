import { isDeepStrictEqual } from 'node:util';
import type * as knowledge from '../../events/catalog/knowledge.ts';
import type { EventDraft } from '../../events/define.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import type { Coverage, Hit, Language, Source } from '../../kb/knowledge.ts';
import { isOneWord } from '../../kb/ranking/coverage.ts';
import type { ReviewBase } from '../../kb/review/load.ts';
import { verdictOf, type Check, type NotChecked, type ReviewContext } from '../review/check.ts';
import { review, type Review } from '../review/review.ts';
import { foldedWords } from '../review/words.ts';
import { answered, refused, uncertain, withSection, type Answer } from './compose.ts';
import { isBetter, type Judged } from './hand-over.ts';
import { detectLanguage } from '../../kb/analysis/analysis.ts';
import { ASK_LIFECYCLE, type AskEventDraft, type AskStatus, type TimedEventDraft } from './lifecycle.ts';
import { addNotes } from './notes.ts';
import { plan } from './plan/plan.ts';
import type { Draft, DraftSentence, Part, Verdict } from './ports.ts';
import { citationsOf, partsOf, renderDraft, type Statement } from './render.ts';
import { questionBack } from './templates.ts';
import { currentHits } from './validity.ts';

export interface AskInput {
  readonly request_id: string;
  readonly question: string;
  readonly mode: 'knowledge' | 'review';
  /** What is to be reviewed; in review mode only. */
  readonly context?: ReviewContext;
  /** What it is judged by. */
  readonly reviewBase?: ReviewBase;
  readonly top_k: number;
  /** Who answers where no language model does: `model` of refusals, and of answers that quote. */
  readonly model: string;
  /** Until when, on the clock of `now`, a language model may write; `null`: there is none. */
  readonly modelUntil: number | null;
  /** Quoting stands in for a language model that does not answer. */
  readonly fallback: boolean;
  /** Milliseconds, monotonic; injected, as the core has no clock. */
  readonly now: () => number;
}

/** What one search over all planned queries brought. */
export interface Retrieved {
  readonly hits: readonly Hit[];
  readonly coverage: Coverage;
  readonly parts: readonly Part[];
  /** What the searches for the facts of a review brought besides. */
  readonly related: readonly (readonly Hit[])[];
  /** What the checks of a review rest on. */
  readonly cited: readonly Source[];
  /** Month as of which the base's law stands, `YYYY-MM`; `null` where it does not say. */
  readonly asOf: string | null;
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
  readonly events: readonly TimedEventDraft[];
  readonly coverage: Coverage | null;
  readonly parts: readonly Part[];
  /** Passages in context: the hits without what a newer version supersedes, ordered by the time they hold for. */
  readonly hits: readonly Hit[];
  readonly superseded: readonly Source[];
  /** What the facts of a review are compared with. */
  readonly cited: readonly Source[];
  /** Passages on the keys that a review does not know, in the order of `factQueries`. */
  readonly related: readonly (readonly Hit[])[];
  /** `null` outside review mode. */
  readonly review: Review | null;
  readonly asOf: string | null;
  /** Who writes now: the language model first, where there is one. */
  readonly writing: 'model' | 'quoting';
  /** Drafts on record. */
  readonly drafts: number;
  /** Times that a draft was asked for again: by who writes now, and in all. */
  readonly repeats: number;
  readonly regenerations: number;
  /** What held of the language model's drafts, and who that is; quoting writes what is missing beside it. */
  readonly kept: { readonly statements: readonly Statement[]; readonly writer: string } | null;
  /** Something that it wrote did not hold, and was left out. */
  readonly leftOut: boolean;
  /** On the clock of `now`: when the newest draft was asked for, and how long it took. */
  readonly draftBegan: number;
  readonly draftMs: number;
  /** As it was written, beside what is kept, and with the notes that any answer needs. */
  readonly written: Draft | null;
  readonly draft: Draft | null;
  readonly verdict: Verdict | null;
  /** The newest draft failed as the one before it did. */
  readonly stuck: boolean;
  /** Who wrote `draft`. */
  readonly writer: string;
  /** The draft of who writes now of which most holds. */
  readonly best: Judged | null;
  readonly answer: AnswerGivenData | null;
}

type Step = Partial<AskContext>;

export function begin(input: AskInput): AskContext {
  const language = detectLanguage(input.question);
  const { question: asked, context: given, reviewBase } = input;
  const reviewed =
    given === undefined || reviewBase === undefined
      ? null
      : review({ question: asked, context: given, base: reviewBase, language });
  const empty: AskContext = {
    input,
    startedAt: input.now(),
    language,
    queries: plan(input.question),
    factQueries: reviewed?.unknown.map((key) => key.replaceAll(/[_.-]+/gu, ' ')) ?? [],
    status: 'new',
    events: [],
    coverage: null,
    parts: [],
    hits: [],
    superseded: [],
    cited: [],
    related: [],
    review: reviewed,
    asOf: null,
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

/** A plan of the language model, and what it finds. */
export interface Planned {
  readonly queries: readonly string[];
  readonly found: Retrieved;
}

/** What the language model's plan adds: it is taken where the base speaks of each part, so that nothing is lost by it. */
export function planned(context: AskContext, plan: Planned): Step {
  return { queries: plan.queries, ...searched({ ...context, queries: plan.queries }, plan.found) };
}

export function searched(context: AskContext, found: Retrieved): Step {
  const { hits, coverage, parts, indexHash, asOf, cited, related } = found;
  const { question } = context.input;
  const all = [...new Map([...hits, ...related.flat()].map((hit) => [hit.source.id, hit])).values()];
  const current = currentHits(question, hits);
  const inContext = new Set(current.hits.map(({ source }) => source.id));
  return {
    ...current,
    cited,
    related,
    asOf,
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
        index: indexHash,
      },
    }),
  };
}

export interface Written {
  readonly written: Draft;
  readonly name: string;
}

/** A draft by `name`, beside what is kept of an earlier one. */
export function drafted(context: AskContext, { written: added, name }: Written): Step {
  const { kept } = context;
  const { question, now } = context.input;
  const written = besideKept(context, added);
  const draft = addNotes(written, { ...context, question });
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

/** In the order of the parts that they answer. */
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

/** What did not hold is asked for again. */
export function repeated({ repeats, regenerations }: AskContext): Step {
  return { repeats: repeats + 1, regenerations: regenerations + 1 };
}

export function giveAnswer(context: AskContext): Step {
  if (isGuess(context)) return giveRefusal(context);
  return give(context, answered(context.draft!, context.hits), context.writer);
}

/** Likelihood from which on one word surely means a title. */
const SURELY = 0.8;

/** One word that several titles have, none of them surely meant: it is asked which, and nothing is told. */
function isGuess({ input, draft, coverage, review: reviewed }: AskContext): boolean {
  return (
    reviewed === null &&
    isOneWord(input.question) &&
    (coverage?.relevance ?? 1) < SURELY &&
    questionBack(draft!.sentences.at(-1)?.text ?? '') !== null
  );
}

export function giveUncertain(context: AskContext): Step {
  const { draft, verdict, writer } = context.best!;
  return give(context, uncertain(draft, verdict, { ...context, superseded: [] }), writer);
}

export function giveRefusal(context: AskContext): Step {
  const { input, language, coverage } = context;
  return give(context, refused(input.question, language, coverage, context), input.model);
}

/** How a fault ends an ask, wherever it stood. */
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
    // Who asks several things is given an overview.
    answer_type: queries.length > 1 && answer.answer_type === 'specific' ? 'overview' : answer.answer_type,
    planned_queries: planned.length > 1 ? planned : [],
    // Checks alone are judged, not estimated.
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

/** In review mode an answer closes with the checks, and says first what was not checked. */
function closed(
  { review: found, related, cited, hits, language, asOf, coverage }: AskContext,
  answer: Answer,
): { answer: Answer; checks: Check[] | null; notChecked: NotChecked[] | null } {
  if (found === null) return { answer, checks: null, notChecked: null };
  const notChecked = found.notChecked.map(({ fact, reason }): NotChecked => {
    const nearest = related[found.unknown.indexOf(fact)]?.find((hit) => isClose(fact, hit, language));
    if (nearest === undefined) return { fact, reason };
    const { title } = nearest.source;
    return {
      fact,
      reason: `${reason} ${language === 'de' ? `Verwandt ist: ${title}.` : `Related: ${title}.`}`,
    };
  });
  const sources = [...hits.map(({ source }) => source), ...cited];
  return {
    answer: withSection(
      answer,
      { checks: found.checks, notChecked },
      coverage?.relevance ?? null,
      sources,
      language,
      asOf,
    ),
    checks: [...found.checks],
    notChecked,
  };
}

/** True where the title has each word of a key, in the language of the answer. */
function isClose(key: string, { source }: Hit, language: Language): boolean {
  const title = foldedWords(source.title);
  const words = foldedWords(key);
  return (
    source.lang === language &&
    words.length > 0 &&
    words.every((word) => title.some((each) => each.includes(word)))
  );
}

/** Ids of the passages that the checks rest on. */
export function citedOf({ review: found }: AskContext): string[] {
  return [...new Set(found?.checks.flatMap(({ source_ids }) => source_ids))];
}

/** Nothing is recorded that the lifecycle does not allow here. */
function record(context: AskContext, event: AskEventDraft): Pick<AskContext, 'status' | 'events'> {
  const afterMs = Math.round(context.input.now() - context.startedAt);
  return {
    status: ASK_LIFECYCLE.next(context.status, event.type),
    events: [...context.events, { ...event, afterMs }],
  };
}
