import { pino } from 'pino';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { BelegError } from '../../events/errors.ts';
import { call, defineRequest, newCall } from '../../events/messages/define.ts';
import { Responder } from './responder.ts';

const OVERTAKEN = new BelegError('WRONG_EXPECTED_REVISION', { cause: new Error('another one has written') });

test.each([
  ['a query is asked again, of whoever has taken over', 'beleg.v1.qry.trading.it', 'the other one'],
  ['a command is refused, with nothing recorded', 'beleg.v1.cmd.trading.it', 'RESPONDER_LOST'],
])('of a holder that was overtaken %s', async (_, subject, outcome) => {
  const bus = new InProcessBus().connect(() => undefined);
  const logged: unknown[] = [];
  const logger = pino(
    {},
    { write: (line: string) => logged.push((JSON.parse(line) as { level: number }).level) },
  );
  const It = defineRequest({ subject, reply: z.object({ by: z.string() }) });
  let asked = 0;
  new Responder({ bus, logger }, 'trading', { handsOn: true }).answer(It, async () => {
    if (asked++ === 0) throw OVERTAKEN;
    return { by: 'the other one' };
  });
  const answered = await call(bus, It, {}, newCall()).then(
    ({ by }) => by,
    ({ code }: BelegError) => code,
  );
  expect(answered).toBe(outcome);
  expect(logged).toEqual([40]);
});
