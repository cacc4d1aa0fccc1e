import { expect, test } from 'vitest';
import { isWell, type Health } from './well.ts';

const health = (
  status: string,
  audit: Partial<Health['audit']> = {},
  rest: Partial<Health> = {},
): Health => ({
  status,
  index: { files: { left_out: 0 } },
  model: { state: 'ready' },
  audit: { ready: true, keys_missing: 0, set_aside: 0, spooled: 0, lost: 0, ...audit },
  followers: [{ name: 'audit', events: 0, behind: false }],
  ...rest,
});

const TAKEN = { keysTakenAt: 1_790_000_000_000 };

test('all is well where health says so, and nothing waits', () => {
  const behind = { name: 'relay', events: 1, behind: false };
  expect(isWell(health('ok'), { keysTakenAt: null })).toBe(true);
  expect(isWell(health('degraded'), TAKEN)).toBe(false);
  expect(isWell(health('unavailable', { keys_missing: 3 }), TAKEN)).toBe(false);
  expect(isWell(health('ok', { spooled: 1 }), TAKEN)).toBe(false);
  expect(isWell(health('ok', {}, { followers: [behind] }), TAKEN)).toBe(false);
});

test('keys that a fault has taken stay missing, and may be all that health complains of', () => {
  const missing = { keys_missing: 4_566 };
  expect(isWell(health('degraded', missing), TAKEN)).toBe(true);
  expect(isWell(health('degraded', missing), { keysTakenAt: null })).toBe(false);
  expect(isWell(health('degraded', { ...missing, lost: 1 }), TAKEN)).toBe(false);
  expect(isWell(health('degraded', { ...missing, set_aside: 1 }), TAKEN)).toBe(false);
  expect(isWell(health('degraded', { ...missing, ready: false }), TAKEN)).toBe(false);
  expect(isWell(health('degraded', missing, { model: { state: 'away' } }), TAKEN)).toBe(false);
  expect(isWell(health('degraded', missing, { index: { files: { left_out: 1 } } }), TAKEN)).toBe(false);
  const stuck = { name: 'checkpoints', events: 0, behind: false, fault: 'file_not_written' };
  expect(isWell(health('degraded', missing, { followers: [stuck] }), TAKEN)).toBe(false);
});
