import { describe, expect, test, vi } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { WorkQueue, type Turn } from './work-queue.ts';
import { PATIENT } from '../../events/patient.suite.ts';

const later = () => new AbortController().signal;

/** Runs work in a place of the queue. */
async function run<T>(queue: WorkQueue, signal: AbortSignal, work: (turn: Turn) => Promise<T>): Promise<T> {
  using turn = await queue.enter(signal);
  return await work(turn);
}

/** Work that ends when the test says so. */
function pieces() {
  const open: (() => void)[] = [];
  return {
    work: () => new Promise<void>((resolve) => open.push(resolve)),
    finishOne: () => open.shift()!(),
    get started() {
      return open.length;
    },
  };
}

describe('WorkQueue', () => {
  test('runs no more at once than allowed, and the rest in the order they came', async () => {
    const queue = new WorkQueue({ concurrent: 2, queued: 10 });
    const order: number[] = [];
    const { work, finishOne } = pieces();
    const runs = [0, 1, 2, 3].map((number) =>
      run(queue, later(), async () => {
        order.push(number);
        await work();
      }),
    );
    expect(queue).toMatchObject({ running: 2, queued: 2 });
    await vi.waitFor(() => expect(order).toEqual([0, 1]), PATIENT);
    finishOne();
    await runs[0];
    await vi.waitFor(() => expect(order).toEqual([0, 1, 2]), PATIENT);
    finishOne();
    finishOne();
    await runs[2];
    await vi.waitFor(() => expect(order).toHaveLength(4), PATIENT);
    finishOne();
    await Promise.all(runs);
    expect(order).toEqual([0, 1, 2, 3]);
    expect(queue).toMatchObject({ running: 0, queued: 0 });
  });

  test('lets nothing wait once it is closed; what has begun goes on, also from outside its place', async () => {
    const queue = new WorkQueue({ concurrent: 1, queued: 5 });
    const { work, finishOne } = pieces();
    const outside = Promise.withResolvers<void>();
    const first = run(queue, later(), (turn) => turn.outside(() => outside.promise));
    const second = run(queue, later(), work);
    const third = run(queue, later(), work);
    await vi.waitFor(() => expect(queue.queued).toBe(1), PATIENT);
    queue.close(new BelegError('RESPONDER_LOST'));
    await expect(third).rejects.toMatchObject({ code: 'RESPONDER_LOST' });
    await expect(run(queue, later(), work)).rejects.toMatchObject({ code: 'RESPONDER_LOST' });
    outside.resolve();
    await vi.waitFor(() => expect(queue.queued).toBe(1), PATIENT);
    finishOne();
    await Promise.all([first, second]);
    await expect(run(queue, later(), () => Promise.resolve('free'))).resolves.toBe('free');
  });

  test('turns away at once what finds the queue full, and says when to come back', async () => {
    const queue = new WorkQueue({ concurrent: 1, queued: 1 });
    const { work, finishOne } = pieces();
    const first = run(queue, later(), work);
    const second = run(queue, later(), () => Promise.resolve('second'));
    await expect(run(queue, later(), work)).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
    finishOne();
    await first;
    await expect(second).resolves.toBe('second');
  });

  test('does not start what nobody waits for any more', async () => {
    const queue = new WorkQueue({ concurrent: 1, queued: 1 });
    const late = new BelegError('DEADLINE_EXCEEDED');
    await expect(run(queue, AbortSignal.abort(late), () => Promise.resolve())).rejects.toBe(late);
    const { work, finishOne } = pieces();
    const first = run(queue, later(), work);
    const leaving = new AbortController();
    const second = run(queue, leaving.signal, work);
    leaving.abort(late);
    await expect(second).rejects.toBe(late);
    finishOne();
    await first;
    expect(queue).toMatchObject({ running: 0, queued: 0 });
  });

  test('frees its place when the work fails', async () => {
    const queue = new WorkQueue({ concurrent: 1, queued: 0 });
    await expect(run(queue, later(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(run(queue, later(), () => Promise.resolve(1))).resolves.toBe(1);
  });

  test('has nobody stand behind what waits outside, which goes on first', async () => {
    const queue = new WorkQueue({ concurrent: 1, queued: 5 });
    const order: string[] = [];
    const elsewhere = Promise.withResolvers<void>();
    const outside = run(queue, later(), async (turn) => {
      await turn.outside(() => elsewhere.promise);
      order.push('back');
    });
    await run(queue, later(), async () => void order.push('not held up'));
    const { work, finishOne } = pieces();
    const [running, waiting] = [
      run(queue, later(), work),
      run(queue, later(), async () => void order.push('behind')),
    ];
    elsewhere.resolve();
    await vi.waitFor(() => expect(queue.queued).toBe(2), PATIENT);
    finishOne();
    await Promise.all([outside, running, waiting]);
    expect(order).toEqual(['not held up', 'back', 'behind']);
    expect(queue).toMatchObject({ running: 0, queued: 0 });
  });

  test('lets who is given up while outside end without a place', async () => {
    const queue = new WorkQueue({ concurrent: 1, queued: 5 });
    const leaving = new AbortController();
    const { work, finishOne } = pieces();
    let running: Promise<void> | undefined;
    const outside = run(queue, leaving.signal, async (turn) => {
      await turn.outside(async () => {
        running = run(queue, later(), work);
        leaving.abort();
      });
      return 'ended';
    });
    expect(await outside).toBe('ended');
    finishOne();
    await running;
    expect(queue).toMatchObject({ running: 0, queued: 0 });
  });
});
