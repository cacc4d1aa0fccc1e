import { and, assign, fromPromise, not, or, raise, setup } from 'xstate';
import { isBelegError, type BelegError } from '../../events/errors.ts';
import { handedOver, hasGap, isWhole } from './best-draft.ts';
import { statesOf } from '../lifecycle.ts';
import { faultIn } from '../machine-parts.ts';
import { ASK_LIFECYCLE, type AskEventDraft, type TimedEventDraft } from './lifecycle.ts';
import { mayHaveParts } from '../../kb/answer/plan/model-plan.ts';
import * as effects from './effects.ts';
import type { AskPorts, Verdict } from '../../kb/answer/ports.ts';
import { retrieveAsked } from './retrieve.ts';
import type { AnswerGivenData, AskContext, AskInput, Retrieved } from './ask-context.ts';
import * as steps from './steps.ts';

/** The number of further drafts that are tried before an answer stays uncertain. */
const MAX_REGENERATIONS = 2;

/** How an ask ends, and all its events in order, which must be appended together. */
export type AskOutput = { readonly events: readonly TimedEventDraft[] } & (
  | { readonly outcome: 'answer'; readonly answer: AnswerGivenData }
  | { readonly outcome: 'failed'; readonly error: BelegError }
);

const ask = setup({
  types: {
    input: {} as { readonly asked: AskInput; readonly ports: AskPorts },
    context: {} as AskContext,
    output: {} as Extract<AskOutput, { outcome: 'answer' }>,
    events: {} as { readonly type: AskEventDraft['type'] },
  },
  actors: {
    understand: fromPromise<steps.Understood, AskContext>(async ({ input }) => steps.understand(input)),
    retrieve: fromPromise<Retrieved, AskContext>(({ input }) => retrieveAsked(input)),
    plan: fromPromise<steps.Planned | null, AskContext>(({ input, signal }) => effects.plan(input, signal)),
    generate: fromPromise<steps.Written | null, AskContext>(({ input, signal }) =>
      effects.generate(input, signal),
    ),
    verify: fromPromise<Verdict, AskContext>(({ input, signal }) => effects.check(input, signal)),
  },
  actions: {
    /** Sends the last decided event to the machine, which leads to its next state. */
    leadOn: raise(({ context }) => ({ type: context.events.at(-1)!.type })),
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
    mayPlan: ({ context: { writing, queries, asked } }) =>
      writing === 'model' && queries.length === 1 && mayHaveParts(asked),
    isAway: (_, { error }: { error: unknown }) => isBelegError(error, 'MODEL_UNAVAILABLE'),
    isPlanned: (_, plan: steps.Planned | null) => plan !== null,
    isWritten: (_, draft: object | null) => draft !== null,
    hasDraft: ({ context }) => context.best !== null,
    hasKept: ({ context }) => context.kept !== null,
    hasGap: ({ context }) => hasGap(context),
    // Whether quoting replaces the language model: if the model is away, or has written something already.
    isReplaceable: ({ context }, { error }: { error: unknown }) =>
      context.writing === 'model' &&
      isBelegError(error, 'MODEL_UNAVAILABLE') &&
      // A review's checks are not lost if the model fails.
      (context.input.fallback || context.drafts > 0 || context.review !== null),
    isGrounded: ({ context }) => context.verdict?.verified === true,
    isWhole: ({ context }) => isWhole(context),
    isAllThere: ({ context }) => !context.leftOut,
    canRepeat: ({ context }) => context.repeats < MAX_REGENERATIONS,
    // A draft that fails like the one before would fail again. If a draft came too late, there is no time for another
    // one.
    isWorthRepeating: ({ context: { stuck, draftMs, input } }) =>
      !stuck && input.now() + draftMs <= input.modelUntil!,
    keptFails: ({ context: { kept, verdict } }) =>
      kept?.statements.some(({ text }) => verdict!.failures.some((failure) => failure.text === text)) ===
      true,
  },
});

const whole = ({ context }: { readonly context: AskContext }): AskContext => context;
/**
 * The result of an actor that has ended. It has the type that the actor gives.
 * oxlint-disable-next-line typescript/no-explicit-any
 */
// oxlint-disable-next-line typescript/no-explicit-any
const output = ({ event }: { readonly event: { readonly output: any } }) => event.output;

/** If quoting can replace the model, the ask continues with it. */
const replaced = { guard: { type: 'isReplaceable', params: faultIn }, target: 'handedOver' } as const;
/** If quoting has written nothing, but some text of the language model is kept, the answer is made of that text. */
const onlyKept = { guard: 'hasKept', target: 'repeating' } as const;

/** A draft is being written. `none` gives the next states if there is no draft. */
function generating(none: readonly GoesOn[], faults: readonly (typeof replaced)[] = [replaced]) {
  return ask.createStateConfig({
    entry: 'beginDraft',
    invoke: {
      src: 'generate',
      input: whole,
      onDone: [
        {
          guard: { type: 'isWritten', params: output },
          actions: [{ type: 'recordDraft', params: output }, 'leadOn'],
        },
        ...none,
      ],
      onError: faults,
    },
  });
}
type GoesOn = { readonly guard?: 'byModel' | 'hasDraft' | 'hasKept'; readonly target: string };

const handingOver = ask.createStateConfig({
  entry: 'handOver',
  always: [{ guard: 'hasGap', target: 'generating' }, { target: 'repeating' }],
});
const repeating = ask.createStateConfig({ entry: ['repeatKept', 'leadOn'] });
const refusing = ask.createStateConfig({ entry: ['giveRefusal', 'leadOn'] });

/**
 * The machine of one question, from reading it to the answer: understand → retrieve → (if the base does not cover it:
 * only the covered parts, or refused) → plan by the language model → generate → verify → answered | again with the
 * rejected sentences, at most twice | handed over: verified statements are kept, quoting writes the rest → answered |
 * uncertain | refused. Without a language model, quoting writes at once. A fault ends the ask in any state.
 *
 * Its states are those of the record, and within them the work of each; each decided event leads to the next one. There
 * is one machine for all asks; everything that differs is in its input.
 */
export const askMachine = ask.createMachine({
  id: 'ask',
  context: ({ input: { asked, ports } }) => steps.begin(asked, ports),
  initial: 'new',
  states: statesOf(ASK_LIFECYCLE, {
    new: ask.createStateConfig({ entry: 'leadOn' }),
    asked: ask.createStateConfig({
      initial: 'understanding',
      states: {
        // Reading the question is a state of its own, so that the question is recorded even if a fault occurs here.
        understanding: {
          invoke: {
            src: 'understand',
            input: whole,
            onDone: {
              target: 'retrieving',
              actions: { type: 'keepUnderstood', params: output },
            },
          },
        },
        retrieving: {
          invoke: {
            src: 'retrieve',
            input: whole,
            onDone: {
              actions: [{ type: 'recordSearch', params: output }, 'leadOn'],
            },
          },
        },
      },
    }),
    retrieved: ask.createStateConfig({
      initial: 'choosing',
      states: {
        choosing: {
          always: [
            { guard: and(['isCovered', 'mayPlan']), target: 'planning' },
            { guard: or(['isCovered', 'isPartlyCovered']), target: 'generating' },
            { target: 'refusing' },
          ],
        },
        planning: {
          invoke: {
            src: 'plan',
            input: whole,
            onDone: [
              {
                guard: { type: 'isPlanned', params: output },
                actions: [{ type: 'keepPlan', params: output }, 'leadOn'],
              },
              { target: 'generating' },
            ],
            // The search goes on with the question as it is. Whether the model can write is only known once it is
            // called.
            onError: [{ guard: { type: 'isAway', params: faultIn }, target: 'generating' }],
          },
        },
        generating: generating([{ guard: 'byModel', target: 'handedOver' }, { target: 'refusing' }]),
        handedOver: { entry: 'handOver', always: 'generating' },
        refusing,
      },
    }),
    drafted: ask.createStateConfig({
      initial: 'verifying',
      states: {
        verifying: {
          invoke: {
            src: 'verify',
            input: whole,
            onDone: {
              actions: [{ type: 'recordVerdict', params: output }, 'leadOn'],
            },
            onError: [replaced],
          },
        },
        handedOver: handingOver,
        generating: generating([onlyKept, { target: 'refusing' }], []),
        repeating,
        refusing,
      },
    }),
    verified: ask.createStateConfig({
      initial: 'judging',
      states: {
        judging: {
          always: [
            { guard: and(['byModel', 'isGrounded', 'isWhole']), target: 'answering' },
            {
              guard: and(['byModel', not('isGrounded'), 'canRepeat', 'isWorthRepeating']),
              target: 'generating',
              actions: 'repeat',
            },
            { guard: or(['byModel', 'keptFails']), target: 'handedOver' },
            { guard: and(['isGrounded', 'isAllThere']), target: 'answering' },
            { guard: 'isGrounded', target: 'uncertain' },
            { guard: 'canRepeat', target: 'generating', actions: 'repeat' },
            { target: 'uncertain' },
          ],
        },
        generating: generating([
          { guard: 'byModel', target: 'handedOver' },
          { guard: 'hasDraft', target: 'uncertain' },
          onlyKept,
          { target: 'refusing' },
        ]),
        handedOver: handingOver,
        repeating,
        answering: { entry: ['giveAnswer', 'leadOn'] },
        uncertain: { entry: ['giveUncertain', 'leadOn'] },
        refusing,
      },
    }),
  }),
  output: ({ context: { answer, events } }) => ({ outcome: 'answer' as const, answer: answer!, events }),
});
