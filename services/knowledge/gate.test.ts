import { describe, expect, test } from 'vitest';
import { Gate } from './gate.ts';

const later = () => new Date(Date.now() + 60_000);

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

describe('Gate', () => {
  test('runs no more at once than allowed, and the rest in the order they came', async () => {
    const gate = new Gate({ concurrent: 2, queued: 10 });
    const order: number[] = [];
    const { work, finishOne } = pieces();
    const runs = [0, 1, 2, 3].map((number) =>
      gate.run(later(), async () => {
        order.push(number);
        await work();
      }),
    );
    expect(gate).toMatchObject({ running: 2, queued: 2 });
    finishOne();
    await runs[0];
    expect(order).toEqual([0, 1, 2]);
    finishOne();
    finishOne();
    await runs[2];
    finishOne();
    await Promise.all(runs);
    expect(order).toEqual([0, 1, 2, 3]);
    expect(gate).toMatchObject({ running: 0, queued: 0 });
  });

  test('turns away at once what finds the queue full, and says when to come back', async () => {
    const gate = new Gate({ concurrent: 1, queued: 1 });
    const { work, finishOne } = pieces();
    const first = gate.run(later(), work);
    const second = gate.run(later(), () => Promise.resolve('second'));
    await expect(gate.run(later(), work)).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
    finishOne();
    await first;
    await expect(second).resolves.toBe('second');
  });

  test('does not start what nobody waits for any more', async () => {
    const gate = new Gate({ concurrent: 1, queued: 1 });
    await expect(gate.run(new Date(Date.now() - 1), () => Promise.resolve())).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
    });
    expect(gate.running).toBe(0);
  });

  test('frees its place when the work fails', async () => {
    const gate = new Gate({ concurrent: 1, queued: 0 });
    await expect(gate.run(later(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(gate.run(later(), () => Promise.resolve(1))).resolves.toBe(1);
  });
});
