import { pino } from 'pino';
import { parsePrice, parseQuantity } from '../events/decimal.ts';
import { readSettings } from '../services/composition/settings.ts';
import type { Environment } from '../services/foundation/settings-error.ts';
import { openRuntime } from '../services/composition/runtime.ts';
import { openAccount } from '../services/trading/account/account.ts';

const NO_SNAPSHOTS = { read: () => Promise.resolve(undefined), write: () => Promise.resolve() };

/**
 * The account's writer over the embedded store, and nothing that follows from an order: no broker, no tables, nobody who
 * listens. `drive` says how many submit at once, and for how long.
 */
export async function measureWriter<T>(
  environment: Environment,
  drive: (order: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { trading } = readSettings(environment);
  const runtime = await openRuntime(readSettings(environment), pino({ level: 'silent' }));
  const writer = await openAccount({
    ...runtime,
    account: trading.account,
    snapshots: NO_SNAPSHOTS,
    policy: trading.policy,
    now: () => new Date(),
    onLost: (error) => {
      throw error;
    },
  });
  let calls = 0;
  const caller = () => ({
    correlationId: 'bench',
    callId: `bench-${++calls}`,
    deadline: new Date(Date.now() + 10_000),
  });
  const { account, currency, cash } = trading;
  await writer.submit({ type: 'open', account, currency, cash }, caller());
  await writer.submit({ type: 'start' }, caller());
  const quantity = parseQuantity('1');
  const last_price = parsePrice('100');
  const result = await drive(async () => {
    const cause = caller();
    const order = {
      order_id: `o-${calls}`,
      ticker: 'DEMO-OAK',
      action: 'buy',
      type: 'market',
      quantity,
      price: null,
      stop_price: null,
      time_in_force: 'day',
      reduce_only: false,
      client_order_id: null,
      origin: 'client',
      client_timestamp: null,
      last_price,
    } as const;
    await writer.submit({ type: 'submit', order }, cause);
  });
  await writer.close();
  await runtime.close();
  return result;
}
