import type { FastifyInstance } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import type { z } from 'zod';
import type { TradingStatusReply } from '../../events/messages/trading.ts';
import { createRegistry } from '../operations/registry.ts';
import { observeRequests } from './metrics.ts';
import type { SocketFigures } from './socket/figures.ts';

type Status = z.output<typeof TradingStatusReply>;

export interface DashboardFigures {
  /** Prometheus text, with what trading says now (`null` where it says nothing) and what the WebSocket has done. */
  render(status: Status | null, socket: Readonly<SocketFigures>): Promise<string>;
  readonly contentType: string;
}

/** Every request, the account, the WebSocket, and Node's own figures. */
export function collectDashboardFigures(app: FastifyInstance): DashboardFigures {
  const register = createRegistry();
  observeRequests(app, register);
  const registers = [register];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const counter = (name: string, help: string) => new Counter({ name, help, registers });

  const ready = gauge('beleg_trading_ready', '1 while the trading service answers');
  const ofAccount: readonly [Gauge, (status: Status) => number][] = [
    [gauge('beleg_trading_active', '1 while orders may open exposure'), ({ active }) => Number(active)],
    [
      gauge('beleg_trading_halted', '1 while a halt allows closing only'),
      (s) => Number(s.state === 'halted'),
    ],
    [gauge('beleg_account_cash', 'Cash in the currency of the account'), ({ cash }) => cash],
    [gauge('beleg_account_value', 'Cash and positions at the last prices'), (s) => s.total_value],
    [gauge('beleg_account_positions', 'Tickers held'), ({ positions }) => Object.keys(positions).length],
    [gauge('beleg_orders_open', 'Orders that may still be filled'), (s) => s.open_orders],
    [gauge('beleg_discrepancies', 'Open discrepancies with the broker'), (s) => s.discrepancies],
  ];
  const connections = gauge('beleg_socket_connections', 'WebSocket connections');
  const ofSocket: readonly [Counter, keyof SocketFigures][] = [
    [counter('beleg_socket_accepted_total', 'WebSocket connections accepted'), 'accepted'],
    [counter('beleg_socket_refused_total', 'WebSocket connections refused'), 'refused'],
    [counter('beleg_socket_sent_total', 'Messages handed to WebSocket connections'), 'sent'],
    [
      counter('beleg_socket_coalesced_total', 'States that a newer one replaced before they were sent'),
      'coalesced',
    ],
    [counter('beleg_socket_left_out_total', 'Log lines left out for clients that were behind'), 'left_out'],
    [
      counter('beleg_socket_too_slow_total', 'Clients disconnected with too much waiting for them'),
      'too_slow',
    ],
    [counter('beleg_socket_dead_total', 'Clients disconnected that did not answer a ping'), 'dead'],
    [counter('beleg_socket_resyncs_total', 'Times that missed events of orders were made up for'), 'resyncs'],
  ];
  return {
    render: async (status, socket) => {
      ready.set(status === null ? 0 : 1);
      // A figure that nobody knows is none: an old one would look like a new one.
      for (const [figure, read] of ofAccount) {
        if (status === null) figure.remove();
        else figure.set(read(status));
      }
      connections.set(socket.connections);
      for (const [figure, name] of ofSocket) {
        figure.reset();
        figure.inc(socket[name]);
      }
      return register.metrics();
    },
    contentType: register.contentType,
  };
}
