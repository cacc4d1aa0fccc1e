import type { SessionData } from '../../events/messages/market.ts';
import type { Amendment, BrokerOrder, Funds } from '../trading/broker.ts';

/** What is asked of the paper broker. */
export type BookCommand =
  | { readonly type: 'submit'; readonly order: BrokerOrder }
  | { readonly type: 'cancel'; readonly order_id: string }
  | ({ readonly type: 'amend' } & Amendment)
  /** A session's actions and bars: each session once and in order, an earlier one is not looked at. */
  | {
      readonly type: 'session';
      readonly session: SessionData;
      /** The funds of the account; `null` if nobody stated them: then every fill can be paid. */
      readonly funds: Funds | null;
    };
