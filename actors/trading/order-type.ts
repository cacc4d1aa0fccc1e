import type { OrderType } from './broker.ts';

/** Which prices an order of each type goes by. A price that a type does not go by is a hint. */
const PRICES = {
  market: { limit: false, stop: false },
  limit: { limit: true, stop: false },
  stop: { limit: false, stop: true },
  stop_limit: { limit: true, stop: true },
} as const satisfies Record<OrderType, { readonly limit: boolean; readonly stop: boolean }>;

export const hasLimit = (type: OrderType): boolean => PRICES[type].limit;
export const hasStop = (type: OrderType): boolean => PRICES[type].stop;
/** It takes what the market gives. */
export const isAtMarket = (type: OrderType): boolean => !hasLimit(type) && !hasStop(type);
