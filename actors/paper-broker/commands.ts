import type { SessionData } from '../../events/messages/market.ts';
import type { BrokerOrder, Funds } from '../trading/broker.ts';

/** What is asked of the paper broker. */
export type BookCommand =
  | { readonly type: 'submit'; readonly order: BrokerOrder }
  | { readonly type: 'cancel'; readonly order_id: string }
  /** A session's actions and bars: each session once and in order, an earlier one is not looked at. */
  | {
      readonly type: 'session';
      readonly session: SessionData;
      /** What the account can pay with; `null`: nobody says, and every fill can be paid. */
      readonly funds: Funds | null;
    };
