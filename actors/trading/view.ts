import type { z } from 'zod';
import { BelegError } from '../../events/errors.ts';
import type { OrderView, Position, TradingStatusReply } from '../../events/messages/trading.ts';
import type { AccountState, OrderState } from './state.ts';

export type PositionView = z.output<typeof Position>;
export type StatusView = z.output<typeof TradingStatusReply>;

/** What the account's record does not say. */
export interface Surroundings {
  readonly reconciling: boolean;
  readonly feed_waiting: boolean;
  /** Its name. */
  readonly strategy: string;
}

/** An order as clients see it. */
export function viewOrder(order: OrderState): OrderView {
  throw new BelegError('INTERNAL', { detail: order.order_id });
}

/** What is held or short, by ticker. */
export function viewPositions(state: AccountState): Record<string, PositionView> {
  throw new BelegError('INTERNAL', { detail: state.currency });
}

/** The reply to `TradingStatus`. */
export function viewStatus(state: AccountState, surroundings: Surroundings): StatusView {
  throw new BelegError('INTERNAL', { detail: `${state.currency} ${surroundings.strategy}` });
}
