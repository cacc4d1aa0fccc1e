import { describe, expect, test } from 'vitest';
import { createOutbox, type Outbox } from './outbox.ts';
import { prepare, type Prepared } from './prepared-push.ts';

const event = (n: number) =>
  prepare('order', 'all', { event: 'OrderAccepted', revision: n, order_id: `o${n}`, order: null });
const line = (text: string) => prepare('log', 'some', { line: text });
const state = (type: 'training' | 'positions', n: number) =>
  ({ ...line(String(n)), type, keep: 'newest', head: `{"type":"${type}","seq":` }) as Prepared;
const limits = { maxMessages: 8, maxBytes: 10_000 };
const all = (outbox: Outbox) => {
  const texts: string[] = [];
  for (let text = outbox.take(); text !== undefined; text = outbox.take()) texts.push(text);
  return texts.map((text) => JSON.parse(text) as Record<string, unknown>);
};

describe('what waits for a client', () => {
  test('leaves in order; a state stands where the one stood that it replaces', () => {
    const outbox = createOutbox(limits);
    expect(outbox.put(event(1))).toBe('waits');
    expect(outbox.put(state('training', 1))).toBe('waits');
    expect(outbox.put(state('positions', 1))).toBe('waits');
    expect(outbox.put('{"type":"pong"}')).toBe('waits');
    expect(outbox.put(event(2))).toBe('waits');
    expect(outbox.put(state('training', 2))).toBe('replaced');
    expect(all(outbox)).toMatchObject([
      { type: 'order', seq: 1, revision: 1 },
      { type: 'training', seq: 2, line: '2' },
      { type: 'positions', seq: 3, line: '1' },
      { type: 'pong' },
      { type: 'order', seq: 4, revision: 2 },
    ]);
    expect(outbox.put(state('training', 3))).toBe('waits');
    expect(all(outbox)).toMatchObject([{ seq: 5 }]);
  });

  test('is bounded in number; states are not counted, and what has left makes room', () => {
    const outbox = createOutbox(limits);
    for (let n = 1; n <= 8; n++) expect(outbox.put(event(n))).toBe('waits');
    expect(outbox.put(state('training', 1))).toBe('waits');
    expect(outbox.put(event(9))).toBe('full');
    outbox.take();
    expect(outbox.put(event(9))).toBe('waits');
    outbox.clear();
    expect(outbox.size).toBe(0);
    expect(outbox.put(event(10))).toBe('waits');
  });

  test('is bounded in bytes, but one message waits however long it is', () => {
    const outbox = createOutbox(limits);
    expect(outbox.put('x'.repeat(20_000))).toBe('waits');
    expect(outbox.put(event(1))).toBe('full');
    outbox.take();
    expect(outbox.put('x'.repeat(9_000))).toBe('waits');
    expect(outbox.put('x'.repeat(1_001))).toBe('full');
    expect(outbox.put('x'.repeat(1_000))).toBe('waits');
  });

  test('leaves lines out first', () => {
    const outbox = createOutbox(limits);
    expect(outbox.put(line('1'))).toBe('waits');
    expect(outbox.put(line('2'))).toBe('waits');
    expect(outbox.put(line('3'))).toBe('left out');
    for (let n = 1; n <= 6; n++) expect(outbox.put(event(n))).toBe('waits');
    expect(outbox.put(line('4'))).toBe('left out');
    expect(all(outbox)).toHaveLength(8);
  });
});
