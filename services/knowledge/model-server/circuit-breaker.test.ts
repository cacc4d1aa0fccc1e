import pino from 'pino';
import { expect, test, vi } from 'vitest';
import type { ModelReason } from '../../../events/messages/knowledge.ts';
import { watchModel } from './circuit-breaker.ts';
import { PATIENT } from '../../../events/patient.suite.ts';

/** A watch whose probes have these results in order, its log lines, and a function that fails an ask. */
function watched(...shown: (ModelReason | null)[]) {
  const lines: { reason?: ModelReason; msg: string }[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
  const probe = () => Promise.resolve(shown.shift() ?? null);
  const watch = watchModel({ probe, logger, now: () => new Date('2026-01-15T08:00:00Z'), restMs: 1 });
  const fail = (reason: ModelReason): void => {
    watch.note(reason);
    watch.asked({ written: false });
  };
  return { watch, lines, fail };
}

test('the reason of a degraded model is the newest, and its way back is logged', () => {
  const { watch, lines, fail } = watched();
  for (let n = 0; n < 3; n++) fail('server_error');
  watch.asked({ written: true });
  fail('busy');
  expect(watch.condition()).toMatchObject({ state: 'degraded', reason: 'busy' });
  for (let n = 0; n < 4; n++) watch.asked({ written: true });
  expect(watch.condition()).toMatchObject({ state: 'ready', reason: null });
  expect(lines.at(-1)!.msg).toContain('works again for most answers');
});

test('another reason while it is away is logged with what to do', async () => {
  const { watch, lines, fail } = watched('wrong_key');
  fail('unreachable');
  await vi.waitFor(() => expect(watch.isAsked).toBe(true), PATIENT);
  watch.close();
  expect(lines.map(({ reason }) => reason)).toEqual(['unreachable', 'wrong_key', undefined]);
  expect(lines[1]!.msg).toContain('PV_MODEL_KEY');
});
