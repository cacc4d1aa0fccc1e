import { parseArgs } from 'node:util';
import { measureBacktest } from './trading-backtest.ts';
import { run as measureFanout } from './trading-fanout.ts';
import { measureOrders } from './trading-orders.ts';
import { measureReplay, type ReplayRates } from './trading-replay.ts';

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const ms = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(2));

/**
 * `npm run bench -- trading [--seconds 5]`: durable orders, replay, backtest beside grademark, and the WebSocket's
 * fan-out beside a plain broadcast.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '5' } } });
  const seconds = Number(values.seconds);

  let replay: ReplayRates | undefined;
  const orders = await measureOrders(seconds, async (folder) => {
    replay = await measureReplay(folder);
  });
  console.log('Orders until the intent is durable');
  const base = orders[0]!.perSecond;
  console.table(
    orders.map(({ what, clients, perSecond, p50, p99 }) => ({
      what,
      clients,
      'orders/s': whole(perSecond),
      ratio: (perSecond / base).toFixed(2),
      'p50 ms': ms(p50),
      'p99 ms': ms(p99),
    })),
  );
  console.log(`Replay of the ${whole(replay!.events)} events that this left`);
  console.log(`  from the store, checked and folded: ${whole(replay!.fromStore)} events/s`);
  console.log(`  folded alone:                       ${whole(replay!.folded)} events/s\n`);

  console.log('Backtest of a moving-average crossover');
  const tests = await measureBacktest();
  console.table(
    tests.map(({ what, bars, barsPerCpuSecond, ratio, trades }) => ({
      what,
      bars: whole(bars),
      'bars/CPU s': whole(barsPerCpuSecond),
      ratio: ratio.toFixed(2),
      trades: whole(trades),
    })),
  );
  console.log('From an event to 200 WebSocket clients');
  await measureFanout([]);
}
