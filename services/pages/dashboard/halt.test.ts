import { describe, expect, it } from 'vitest';
import { haltWords, lastHaltWords, startRefusal } from './halt.ts';

const RUNNING = {
  state: 'running',
  halt_reason: null,
  last_halt: null,
  discrepancies: 0,
  total_value: 100,
} as const;
const LOSS = {
  reason: 'daily_loss',
  detail: '2500 lost since the last close, of 9999',
  session: '2020-01-06',
  resumed: null,
};
const halted = (halt_reason: string) => ({
  ...RUNNING,
  state: 'halted' as const,
  halt_reason,
  last_halt: { ...LOSS, reason: halt_reason },
});

describe('a halt on the page', () => {
  it('is told in plain words with its session and amount', () => {
    expect(haltWords(halted('daily_loss'))).toBe(
      'Trading is halted since Jan 6, 2020: the daily loss limit has been reached (2500 lost since the last close, of 9999). ' +
        'You can only close positions and cancel orders. Trading resumes automatically in the next session.',
    );
    expect(haltWords(RUNNING)).toBe('');
  });

  it('is still told once it is over', () => {
    expect(lastHaltWords({ ...RUNNING, last_halt: { ...LOSS, resumed: '2020-01-07' } })).toBe(
      'Last halt: Jan 6, 2020, until Jan 7, 2020: the daily loss limit has been reached (2500 lost since the last close, of 9999).',
    );
    expect(lastHaltWords(halted('daily_loss'))).toBe('');
    expect(lastHaltWords(RUNNING)).toBe('');
  });

  it('keeps the start from being pressed while it would be refused', () => {
    expect(startRefusal(RUNNING)).toBe('Trading is not stopped');
    expect(startRefusal({ ...RUNNING, state: 'stopped' })).toBeNull();
    expect(startRefusal(halted('daily_loss'))).toMatch(/automatically/);
    expect(startRefusal({ ...halted('no_equity'), total_value: 0 })).toMatch(/no value left/);
    expect(startRefusal({ ...halted('discrepancy'), discrepancies: 1 })).toMatch(/do not agree/);
    expect(startRefusal(halted('discrepancy'))).toBeNull();
  });
});
