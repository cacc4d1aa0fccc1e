import { BelegError, isBelegError } from '../../events/errors.ts';
import type { AskPorts, Generator } from '../../kb/answer/ports.ts';
import type { WorkQueue, Turn } from './work-queue.ts';
import type { Models } from './open-models.ts';

/** Milliseconds that are reserved for quoting and recording; a quarter of a short budget. */
const RESERVE_MS = 2_000;
/** The share of an ask's time after which the language model's plan would be too late. */
const FOR_PLAN = 0.25;
/** The share of an ask's time after which a turn in the queue for the language model would come too late. */
const FOR_TURN = 0.5;

/**
 * The time of one ask from its arrival. Plan, drafts and retries of the language model share it, with a reserve for an
 * answer without that model.
 */
export function budgetOf(ms: number) {
  const timers: NodeJS.Timeout[] = [];
  function endIn(after: number): AbortSignal {
    const ending = new AbortController();
    const late = { detail: 'The language model took too long', retryAfter: 5 };
    timers.push(setTimeout(() => ending.abort(new BelegError('MODEL_UNAVAILABLE', late)), after));
    return ending.signal;
  }
  const modelMs = ms - Math.min(RESERVE_MS, ms / 4);
  const forPlan = endIn(modelMs * FOR_PLAN);
  const forTurn = endIn(modelMs * FOR_TURN);
  const forModel = endIn(modelMs);
  const planning = (signal: AbortSignal) => AbortSignal.any([signal, forPlan]);
  const within = (signal: AbortSignal) => AbortSignal.any([signal, forModel]);

  return {
    /** The time until which the language model may write, by `performance.now`. */
    modelUntil: performance.now() + modelMs,

    /**
     * The models within the budget of one ask. While a model works, the ask gives up its place in the queue (see
     * `Turn.outside`). For the language model it waits in `modelQueue`, because only a few asks may use the model at a
     * time. A call rejects with `MODEL_UNAVAILABLE` if the time is over or that queue is full.
     */
    spendOn(
      { model, entailment }: Models,
      turn: Pick<Turn, 'outside'>,
      modelQueue: WorkQueue,
    ): Pick<AskPorts, 'model' | 'entailment'> {
      let hadTurn = false;
      const inTurn = <T>(
        { name, ready }: Generator,
        signal: AbortSignal,
        work: (signal: AbortSignal) => Promise<T>,
      ): Promise<T> =>
        turn.outside(async () => {
          if (!ready) throw new BelegError('MODEL_UNAVAILABLE', { retryAfter: 5 });
          try {
            const turn = hadTurn ? signal : AbortSignal.any([signal, forTurn]);
            using _turn = await modelQueue.enter(turn);
            hadTurn = true;
            return await work(signal);
          } catch (error) {
            if (!isBelegError(error, 'OVERLOADED')) throw error;
            throw new BelegError('MODEL_UNAVAILABLE', { detail: `${name} is busy`, retryAfter: 5 });
          }
        });
      return {
        model: model && {
          name: model.name,
          ready: model.ready,
          plan: async (question, language, signal) =>
            inTurn(
              model,
              planning(signal),
              async (both) => (await model.plan?.(question, language, both)) ?? null,
            ),
          generate: (input, signal) => inTurn(model, within(signal), (both) => model.generate(input, both)),
        },
        entailment: entailment && {
          name: entailment.name,
          ready: entailment.ready,
          entails: (pairs, signal) => turn.outside(() => entailment.entails(pairs, within(signal))),
        },
      };
    },

    /** Stops the timers. */
    end(): void {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
