import { and, assign, fromPromise, not, or, setup } from 'xstate';
import { isBelegError, type BelegError } from '../../events/errors.ts';
import { handedOver, hasGap, isWhole } from './best-draft.ts';
import type { TimedEventDraft } from './lifecycle.ts';
import { mayHaveParts } from '../../kb/answer/plan/model-plan.ts';
import * as effects from './effects.ts';
import type { AskPorts, Verdict } from '../../kb/answer/ports.ts';
import { retrieve } from './retrieve.ts';
import type { AnswerGivenData, AskContext, AskInput, Retrieved } from './ask-context.ts';
import * as steps from './steps.ts';

/** Drafts after the first that are tried before an answer stays uncertain. */
export const MAX_REGENERATIONS = 2;

/** How an ask ends, and everything to put on record, in order: append all of it at once. */
export type AskOutput = { readonly events: readonly TimedEventDraft[] } & (
  | { readonly outcome: 'answer'; readonly answer: AnswerGivenData }
  | { readonly outcome: 'failed'; readonly error: BelegError }
);

/**
 * One question, from its reading to the answer: understand → retrieve → (not covered: the parts that are, or refused) → plan by the
 * language model → generate → verify → answered | again with the named failing sentences, at most twice | handed over:
 * what holds is kept, quoting writes the rest → answered | uncertain | refused. Without a language model quoting writes at
 * once. A fault stops it where it stands. Made once, for all asks: what each works with is in its input.
 */
export const askMachine = setup({
  types: {
    input: {} as { readonly asked: AskInput; readonly ports: AskPorts },
    context: {} as AskContext,
    output: {} as Extract<AskOutput, { outcome: 'answer' }>,
  },
  actors: {
    understand: fromPromise<steps.Understood, AskContext>(async ({ input }) => steps.understand(input)),
    retrieve: fromPromise<Retrieved, AskContext>(({ input }) => retrieve(input, input.queries)),
    plan: fromPromise<steps.Planned | null, AskContext>(({ input, signal }) => effects.plan(input, signal)),
    generate: fromPromise<steps.Written | null, AskContext>(({ input, signal }) =>
      effects.generate(input, signal),
    ),
    verify: fromPromise<Verdict, AskContext>(({ input, signal }) => effects.check(input, signal)),
  },
  actions: {
    keepUnderstood: assign((_, understood: steps.Understood) => understood),
    recordSearch: assign(({ context }, found: Retrieved) => steps.searched(context, found)),
    keepPlan: assign(({ context }, plan: steps.Planned) => steps.planned(context, plan)),
    beginDraft: assign({ draftBegan: ({ context }) => context.input.now() }),
    recordDraft: assign(({ context }, draft: steps.Written) => steps.drafted(context, draft)),
    recordVerdict: assign(({ context }, verdict: Verdict) => steps.judged(context, verdict)),
    repeat: assign(({ context }) => steps.repeated(context)),
    handOver: assign(({ context }) => handedOver(context)),
    repeatKept: assign(({ context }) => steps.drafted(context, { written: { sentences: [] }, name: '' })),
    giveAnswer: assign(({ context }) => steps.giveAnswer(context)),
    giveUncertain: assign(({ context }) => steps.giveUncertain(context)),
    giveRefusal: assign(({ context }) => steps.giveRefusal(context)),
  },
  guards: {
    isCovered: ({ context }) => context.coverage?.covered === true,
    isPartlyCovered: ({ context }) => context.parts.some(({ covered }) => covered),
    byModel: ({ context }) => context.writing === 'model',
    mayPlan: ({ context: { writing, queries, input } }) =>
      writing === 'model' && queries.length === 1 && mayHaveParts(input.question),
    isAway: (_, { error }: { error: unknown }) => isBelegError(error, 'MODEL_UNAVAILABLE'),
    isPlanned: (_, plan: steps.Planned | null) => plan !== null,
    isWritten: (_, draft: object | null) => draft !== null,
    hasDraft: ({ context }) => context.best !== null,
    hasKept: ({ context }) => context.kept !== null,
    hasGap: ({ context }) => hasGap(context),
    // What quoting stands in for: a language model that is away, or that has written something already.
    isReplaceable: ({ context }, { error }: { error: unknown }) =>
      context.writing === 'model' &&
      isBelegError(error, 'MODEL_UNAVAILABLE') &&
      // What a review has checked is never lost with the model.
      (context.input.fallback || context.drafts > 0 || context.review !== null),
    isGrounded: ({ context }) => context.verdict?.verified === true,
    isWhole: ({ context }) => isWhole(context),
    isAllThere: ({ context }) => !context.leftOut,
    canRepeat: ({ context }) => context.repeats < MAX_REGENERATIONS,
    // A draft that fails as the one before it did fails again; one that does not come in time is of no use.
    isWorthRepeating: ({ context: { stuck, draftMs, input } }) =>
      !stuck && input.now() + draftMs <= input.modelUntil!,
    keptFails: ({ context: { kept, verdict } }) =>
      kept?.statements.some(({ text }) => verdict!.failures.some((failure) => failure.text === text)) ===
      true,
  },
}).createMachine({
  id: 'ask',
  context: ({ input: { asked, ports } }) => steps.begin(asked, ports),
  initial: 'understanding',
  states: {
    // No part of the context that it begins with: a fault there would take the question along that is to go on record.
    understanding: {
      invoke: {
        src: 'understand',
        input: ({ context }) => context,
        onDone: {
          target: 'retrieving',
          actions: { type: 'keepUnderstood', params: ({ event }) => event.output },
        },
      },
    },
    retrieving: {
      invoke: {
        src: 'retrieve',
        input: ({ context }) => context,
        onDone: {
          target: 'retrieved',
          actions: { type: 'recordSearch', params: ({ event }) => event.output },
        },
      },
    },
    retrieved: {
      always: [
        { guard: and(['isCovered', 'mayPlan']), target: 'planning' },
        { guard: 'isCovered', target: 'generating' },
        { guard: 'isPartlyCovered', target: 'generating' },
        { target: 'refused' },
      ],
    },
    planning: {
      invoke: {
        src: 'plan',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'isPlanned', params: ({ event }) => event.output },
            target: 'generating',
            actions: { type: 'keepPlan', params: ({ event }) => event.output! },
          },
          { target: 'generating' },
        ],
        // The question stands as it was searched for; whether the model writes, its next call shows.
        onError: [
          {
            guard: { type: 'isAway', params: ({ event }) => ({ error: event.error }) },
            target: 'generating',
          },
        ],
      },
    },
    generating: {
      entry: 'beginDraft',
      invoke: {
        src: 'generate',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'isWritten', params: ({ event }) => event.output },
            target: 'verifying',
            actions: { type: 'recordDraft', params: ({ event }) => event.output! },
          },
          { guard: 'byModel', target: 'handedOver' },
          { guard: 'hasDraft', target: 'uncertain' },
          { guard: 'hasKept', target: 'verifying', actions: 'repeatKept' },
          { target: 'refused' },
        ],
        onError: [
          {
            guard: { type: 'isReplaceable', params: ({ event }) => ({ error: event.error }) },
            target: 'handedOver',
          },
        ],
      },
    },
    verifying: {
      invoke: {
        src: 'verify',
        input: ({ context }) => context,
        onDone: {
          target: 'verified',
          actions: { type: 'recordVerdict', params: ({ event }) => event.output },
        },
        onError: [
          {
            guard: { type: 'isReplaceable', params: ({ event }) => ({ error: event.error }) },
            target: 'handedOver',
          },
        ],
      },
    },
    verified: {
      always: [
        { guard: and(['byModel', 'isGrounded', 'isWhole']), target: 'answered' },
        {
          guard: and(['byModel', not('isGrounded'), 'canRepeat', 'isWorthRepeating']),
          target: 'generating',
          actions: 'repeat',
        },
        { guard: or(['byModel', 'keptFails']), target: 'handedOver' },
        { guard: and(['isGrounded', 'isAllThere']), target: 'answered' },
        { guard: 'isGrounded', target: 'uncertain' },
        { guard: 'canRepeat', target: 'generating', actions: 'repeat' },
        { target: 'uncertain' },
      ],
    },
    handedOver: {
      entry: 'handOver',
      always: [
        { guard: 'hasGap', target: 'generating' },
        { target: 'verifying', actions: 'repeatKept' },
      ],
    },
    answered: { entry: 'giveAnswer', type: 'final' },
    uncertain: { entry: 'giveUncertain', type: 'final' },
    refused: { entry: 'giveRefusal', type: 'final' },
  },
  output: ({ context: { answer, events } }) => ({ outcome: 'answer' as const, answer: answer!, events }),
});
