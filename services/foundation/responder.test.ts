import { connect } from 'nats';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { openNatsBus } from '../../events/bus/nats.ts';
import { BelegError } from '../../events/errors.ts';
import { openNatsLeases } from '../../events/leases/nats.ts';
import { call, defineRequest, newCall } from '../../events/messages/define.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../testing/nats/server.suite.ts';
import { openStallingLink } from '../../testing/nats/stalling-link.suite.ts';
import { whileHeld } from './lease-holder.ts';
import { Responder } from './responder.ts';

const OVERTAKEN = new BelegError('WRONG_EXPECTED_REVISION', { cause: new Error('another one has written') });
const By = z.object({ by: z.string() });

const throwOn = (error: unknown): never => {
  throw error;
};

test.each([
  ['a query is asked again, of whoever has taken over', 'beleg.v1.qry.trading.it', 'the other one'],
  ['a command is refused, with nothing recorded', 'beleg.v1.cmd.trading.it', 'RESPONDER_LOST'],
])('of a holder that is overtaken while it answers %s', async (_, subject, outcome) => {
  const bus = new InProcessBus().connect(() => undefined);
  const logged: unknown[] = [];
  const logger = pino(
    {},
    { write: (line: string) => logged.push((JSON.parse(line) as { level: number }).level) },
  );
  const It = defineRequest({ subject, reply: By });
  let asked = 0;
  const leases = { held: () => ['comments'] };
  new Responder({ bus, logger, leases }, 'trading', 'comments').answer(It, async () => {
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

describe.skipIf(!hasNatsServer)('of two processes on NATS, one of which stands still', () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.remove());

  const Stop = defineRequest({ subject: 'beleg.v1.cmd.trading.stop', reply: By });

  /** A process that answers while it holds the lease. */
  async function start(url: string, by: string, begun: () => void) {
    const connection = await connect({ servers: url });
    onTestFinished(() => connection.close());
    const told: string[] = [];
    const leases = await openNatsLeases(connection, {
      holder: by,
      onWorkError: throwOn,
      onHeld: (lease) => told.push(`has ${lease}`),
      onLost: (lease) => told.push(`has lost ${lease}`),
      ttlMs: 2_000,
    });
    const bus = openNatsBus(connection, { onHandlerError: throwOn, version: '1.0.0' });
    const done: number[] = [];
    const part = whileHeld(leases, 'trading', async () => {
      const requests = new Responder(
        { bus, logger: pino({ level: 'silent' }), leases },
        'trading',
        'trading',
      );
      requests.answer(Stop, async () => ({ by: `${by} ${done.push(1)}` }));
      await connection.flush();
      begun();
      return () => requests.leave();
    });
    onTestFinished(() => part.end());
    return { bus, connection, done, told };
  }

  test('the one that has taken over answers everything, and the other does nothing of it afterwards', async () => {
    const link = await openStallingLink(server.port);
    onTestFinished(() => link.close());
    const first = Promise.withResolvers<void>();
    const still = await start(link.url, 'the one that stands still', first.resolve);
    await first.promise;
    const second = Promise.withResolvers<void>();
    const other = await start(server.url, 'the other one', second.resolve);
    link.stall();
    await second.promise;
    for (let n = 1; n <= 20; n++) {
      expect(await call(other.bus, Stop, {}, newCall())).toEqual({ by: `the other one ${n}` });
    }
    link.resume();
    await still.connection.flush();
    await still.connection.flush();
    expect(still.done).toEqual([]);
    expect(still.told).toEqual(['has trading', 'has lost trading']);
    expect(other.told).toEqual(['has trading']);
  });
});
