import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GenerateInput, Generator } from '../../kb/answer/ports.ts';
import { budgetOf } from './time-budget.ts';
import { WorkQueue, type Turn } from './work-queue.ts';
import { noModels } from './no-models.suite.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const input: GenerateInput = {
  question: 'Was?',
  parts: [],
  language: 'de',
  hits: [],
  attempt: 0,
  failures: [],
  previous: null,
};
const turn: Pick<Turn, 'outside'> = { outside: (wait) => wait() };
const never = new AbortController().signal;
const hanging: Generator = {
  name: 'model',
  ready: true,
  generate: (_, signal) => untilAborted(signal),
  plan: (_question, _language, signal) => untilAborted(signal),
};

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

/** Milliseconds until the work is ended with `MODEL_UNAVAILABLE`. */
async function givenUpAfter(work: Promise<unknown> | undefined): Promise<number> {
  const began = performance.now();
  await expect(work).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  return performance.now() - began;
}

const spend = (queue: WorkQueue, model = hanging) =>
  budgetOf(20_000).spendOn({ ...noModels(), model }, turn, queue).model!;

describe('the budget of an ask of 20 seconds', () => {
  test('leaves a plan a quarter of the time of the model, a turn half, a draft all, and quoting two seconds', async () => {
    const queue = new WorkQueue({ concurrent: 1, queued: 9 });
    const first = givenUpAfter(spend(queue).generate(input, never));
    const waiting = givenUpAfter(spend(queue).generate(input, never));
    const planning = givenUpAfter(spend(queue).plan!('Was?', 'de', never));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await Promise.all([first, waiting, planning])).toEqual([18_000, 9_000, 4_500]);
    expect(queue).toMatchObject({ running: 0, queued: 0 });
  });

  test('is shared by all that the model writes for it', async () => {
    let drafts = 0;
    const slow: Generator = {
      ...hanging,
      generate: (_, signal) =>
        (drafts += 1) > 1
          ? untilAborted(signal)
          : new Promise((resolve) => {
              setTimeout(() => resolve(null), 12_000);
            }),
    };
    const model = spend(new WorkQueue({ concurrent: 1, queued: 9 }), slow);
    const both = givenUpAfter(model.generate(input, never).then(() => model.generate(input, never)));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await both).toBe(18_000);
  });

  test('waits neither for a model that is away nor in a line that is full', async () => {
    const queue = new WorkQueue({ concurrent: 1, queued: 0 });
    const first = givenUpAfter(spend(queue).generate(input, never));
    expect(await givenUpAfter(spend(queue).generate(input, never))).toBe(0);
    expect(await givenUpAfter(spend(queue, { ...hanging, ready: false }).generate(input, never))).toBe(0);
    await vi.advanceTimersByTimeAsync(20_000);
    await first;
  });
});
