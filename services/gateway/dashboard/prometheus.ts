import type { FastifyInstance } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import type { z } from 'zod';
import type { TradingStatusReply } from '../../../events/messages/trading.ts';
import { createRegistry } from '../../operations/registry.ts';
import { observeRequests } from '../http/observe.ts';

type Status = z.output<typeof TradingStatusReply>;

export interface DashboardFigures {
  /** For those who have figures of their own. */
  readonly register: Registry;
  /** Prometheus text, with what trading says now; `null` where it says nothing. */
  render(status: Status | null): Promise<string>;
}

/** Every request, the account, and Node's own figures. */
export function collectDashboardFigures(app: FastifyInstance): DashboardFigures {
  const register = createRegistry();
  observeRequests(app, register);
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [register] });
  const ready = gauge('beleg_trading_ready', '1 while the trading service answers');
  const figures: readonly [Gauge, (status: Status) => number][] = [
    [gauge('beleg_trading_active', '1 while orders may open exposure'), ({ active }) => Number(active)],
    [
      gauge('beleg_trading_halted', '1 while a halt allows closing only'),
      ({ state }) => Number(state === 'halted'),
    ],
    [gauge('beleg_account_cash', 'Cash in the currency of the account'), ({ cash }) => cash],
    [gauge('beleg_account_value', 'Cash and positions at the last prices'), (status) => status.total_value],
    [gauge('beleg_account_positions', 'Tickers held'), ({ positions }) => Object.keys(positions).length],
    [gauge('beleg_orders_open', 'Orders that may still be filled'), (status) => status.open_orders],
    [gauge('beleg_discrepancies', 'Open discrepancies with the broker'), (status) => status.discrepancies],
  ];
  return {
    register,
    render: async (status) => {
      ready.set(status === null ? 0 : 1);
      // A figure that nobody knows is none: an old one would look like a new one.
      for (const [figure, read] of figures) {
        if (status === null) figure.remove();
        else figure.set(read(status));
      }
      return register.metrics();
    },
  };
}
