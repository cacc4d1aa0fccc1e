import type { SessionData } from '../../events/messages/market.ts';
import type { Amendment, BrokerOrder, Funds } from '../trading/broker.ts';

/** The commands to the paper broker. */
export type BookCommand =
  | { readonly type: 'submit'; readonly order: BrokerOrder }
  | { readonly type: 'cancel'; readonly order_id: string }
  | ({ readonly type: 'amend' } & Amendment)
  /** Splits and bars of a session. Each session comes once and in order; an earlier one is ignored. */
  | {
      readonly type: 'session';
      readonly session: SessionData;
      /** The funds of the account. With `null`, nobody has stated them, and every fill counts as paid for. */
      readonly funds: Funds | null;
    };
