import { assign, fromPromise, setup } from 'xstate';
import { BelegError } from '../../events/errors.ts';
import type { Hit, Language, Source } from '../../kb/knowledge.ts';
import type { AskEventDraft } from './lifecycle.ts';
import type { Draft, GenerateInput, Part, Verdict } from './ports.ts';
import * as steps from './steps.ts';

/** Drafts after the first that are tried before an answer stays uncertain. */
export const MAX_REGENERATIONS = 2;

export interface PlanInput {
  readonly question: string;
  readonly language: Language;
  /** The rules have found parts already. */
  readonly hasParts: boolean;
}

export interface RetrieveInput {
  readonly question: string;
  /** The search plan: the question, and its parts where it asks several things. */
  readonly queries: readonly string[];
  /** Searches for the facts of a review. */
  readonly factQueries: readonly string[];
  readonly topK: number;
  readonly wide: boolean;
}

export interface VerifyInput {
  readonly question: string;
  readonly parts: readonly Part[];
  readonly draft: Draft;
  readonly language: Language;
  readonly hits: readonly Hit[];
  readonly superseded: readonly Source[];
}

/** How an ask ends, and everything to put on record, in order: append all of it at once. */
export type AskOutput = { readonly events: readonly AskEventDraft[] } & (
  | { readonly outcome: 'answer'; readonly answer: steps.AnswerGivenData }
  | { readonly outcome: 'failed'; readonly error: BelegError }
);

const notProvided = (): Promise<never> => Promise.reject(new Error('this actor comes by provide()'));

/**
 * One question, from the plan of its search to the answer: plan → retrieve → (not covered: once more, wider; then the parts that are) → generate → verify →
 * answered | regenerate with the named failing sentences, at most twice | uncertain | refused. A fault or an `ABORT`
 * ends in `failed`. All actors come by `provide` (`run.ts`; fakes in tests).
 */
export const askMachine = setup({
  types: {
    input: {} as steps.AskInput,
    context: {} as steps.AskContext,
    events: {} as { type: 'ABORT'; error: BelegError },
    output: {} as AskOutput,
  },
  actors: {
    plan: fromPromise<readonly string[] | null, PlanInput>(notProvided),
    retrieve: fromPromise<steps.Retrieved, RetrieveInput>(notProvided),
    generate: fromPromise<Draft | null, GenerateInput>(notProvided),
    verify: fromPromise<Verdict, VerifyInput>(notProvided),
  },
  actions: {
    keepPlan: assign(({ context }, parts: readonly string[] | null) => steps.planned(context, parts)),
    recordSearch: assign(({ context }, found: steps.Retrieved) => steps.searched(context, found)),
    widen: assign({ widened: true }),
    recordDraft: assign(({ context }, draft: Draft) => steps.drafted(context, draft)),
    recordVerdict: assign(({ context }, verdict: Verdict) => steps.judged(context, verdict)),
    nextAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    giveAnswer: assign(({ context }) => steps.giveAnswer(context)),
    giveUncertain: assign(({ context }) => steps.giveUncertain(context)),
    giveRefusal: assign(({ context }) => steps.giveRefusal(context)),
    recordFailure: assign(({ context }, { error }: { error: unknown }) => steps.fail(context, error)),
  },
  guards: {
    isCovered: ({ context }) => context.coverage?.covered === true,
    isPartlyCovered: ({ context }) => context.parts.some(({ covered }) => covered),
    canWiden: ({ context }) => !context.widened,
    isWritten: (_, draft: Draft | null) => draft !== null,
    hasDraft: ({ context }) => context.best !== null,
    isGrounded: ({ context }) => context.verdict?.verified === true,
    canRegenerate: ({ context }) => context.attempt < MAX_REGENERATIONS,
  },
}).createMachine({
  id: 'ask',
  context: ({ input }) => steps.begin(input),
  initial: 'planning',
  on: {
    ABORT: {
      target: '.failed',
      actions: { type: 'recordFailure', params: ({ event }) => ({ error: event.error }) },
    },
  },
  states: {
    planning: {
      invoke: {
        src: 'plan',
        input: ({ context }) => ({
          question: context.input.question,
          language: context.language,
          hasParts: context.queries.length > 1,
        }),
        onDone: {
          target: 'retrieving',
          actions: { type: 'keepPlan', params: ({ event }) => event.output },
        },
        onError: {
          target: 'failed',
          actions: { type: 'recordFailure', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    retrieving: {
      invoke: {
        src: 'retrieve',
        input: ({ context }) => ({
          question: context.input.question,
          queries: context.queries,
          factQueries: context.factQueries,
          topK: context.input.top_k,
          wide: context.widened,
        }),
        onDone: {
          target: 'retrieved',
          actions: { type: 'recordSearch', params: ({ event }) => event.output },
        },
        onError: {
          target: 'failed',
          actions: { type: 'recordFailure', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    retrieved: {
      always: [
        { guard: 'isCovered', target: 'generating' },
        { guard: 'canWiden', target: 'retrieving', actions: 'widen' },
        { guard: 'isPartlyCovered', target: 'generating' },
        { target: 'refused' },
      ],
    },
    generating: {
      invoke: {
        src: 'generate',
        input: ({ context }) => ({
          question: context.input.question,
          parts: context.parts,
          language: context.language,
          hits: context.hits,
          attempt: context.attempt,
          failures: context.verdict?.failures ?? [],
          previous: context.draft,
        }),
        onDone: [
          {
            guard: { type: 'isWritten', params: ({ event }) => event.output },
            target: 'verifying',
            actions: { type: 'recordDraft', params: ({ event }) => event.output! },
          },
          { guard: 'hasDraft', target: 'uncertain' },
          { guard: 'canWiden', target: 'retrieving', actions: 'widen' },
          { target: 'refused' },
        ],
        onError: {
          target: 'failed',
          actions: { type: 'recordFailure', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    verifying: {
      invoke: {
        src: 'verify',
        input: ({ context }) => ({
          question: context.input.question,
          parts: context.parts,
          draft: context.draft!,
          language: context.language,
          hits: context.hits,
          superseded: context.superseded,
        }),
        onDone: {
          target: 'verified',
          actions: { type: 'recordVerdict', params: ({ event }) => event.output },
        },
        onError: {
          target: 'failed',
          actions: { type: 'recordFailure', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    verified: {
      always: [
        { guard: 'isGrounded', target: 'answered' },
        { guard: 'canRegenerate', target: 'generating', actions: 'nextAttempt' },
        { target: 'uncertain' },
      ],
    },
    answered: { entry: 'giveAnswer', type: 'final' },
    uncertain: { entry: 'giveUncertain', type: 'final' },
    refused: { entry: 'giveRefusal', type: 'final' },
    failed: { type: 'final' },
  },
  output: ({ context }) => outputOf(context),
});

export type AskMachine = typeof askMachine;

export function outputOf({ answer, error, events }: steps.AskContext): AskOutput {
  return answer === null
    ? { outcome: 'failed', error: error ?? new BelegError('INTERNAL'), events }
    : { outcome: 'answer', answer, events };
}
