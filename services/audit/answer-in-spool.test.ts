import { beforeEach, describe, expect, test } from 'vitest';
import type { MessageBus } from '../../events/bus/bus.ts';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { BelegError } from '../../events/errors.ts';
import { serve } from '../../events/messages/define.ts';
import { KnowledgeHealth } from '../../events/messages/knowledge.ts';
import { HEALTHY_KNOWLEDGE } from '../gateway/knowledge/fake-services.suite.ts';
import { unlessItWaits } from './answer-in-spool.ts';

const call = { correlationId: 'r-1', callId: 'c-1' };
const away = () => Promise.reject(new BelegError('STORE_UNAVAILABLE'));
const unknown = () => Promise.reject(new BelegError('UNKNOWN_REQUEST_ID'));

describe('an answer that is not on record', () => {
  let bus: MessageBus;
  beforeEach(() => {
    bus = new InProcessBus().connect(() => undefined);
  });

  const spooled = (read: () => number) =>
    serve(
      bus,
      KnowledgeHealth,
      'knowledge',
      async () => ({ ...HEALTHY_KNOWLEDGE, spooled: read() }),
      () => undefined,
    );

  test('is unknown where nothing waits, and where nobody answers questions', async () => {
    await expect(unlessItWaits(bus, call, unknown)).rejects.toMatchObject({ code: 'UNKNOWN_REQUEST_ID' });
    spooled(() => 0);
    await expect(unlessItWaits(bus, call, unknown)).rejects.toMatchObject({ code: 'UNKNOWN_REQUEST_ID' });
  });

  test('may wait to be recorded: nobody says that there is none, but when to ask again', async () => {
    spooled(() => 3);
    const refused = { code: 'AUDIT_UNAVAILABLE', status: 503, retryAfter: 2 };
    await expect(unlessItWaits(bus, call, unknown)).rejects.toMatchObject(refused);
  });

  test('is looked for once more, since it may have been recorded while that was asked', async () => {
    let recorded = false;
    spooled(() => {
      recorded = true;
      return 0;
    });
    expect(await unlessItWaits(bus, call, () => (recorded ? Promise.resolve('rated') : unknown()))).toBe(
      'rated',
    );
  });

  test('passes on whatever else goes wrong', async () => {
    await expect(unlessItWaits(bus, call, away)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
