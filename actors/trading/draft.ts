import type * as trading from '../../events/catalog/trading.ts';
import type { EventDraft } from '../../events/define.ts';

/** What the account decides to put on record; every recorded `AccountEvent` is one of these too. */
export type AccountDraft =
  | EventDraft<typeof trading.AccountOpened>
  | EventDraft<typeof trading.TradingStarted>
  | EventDraft<typeof trading.TradingStopped>
  | EventDraft<typeof trading.TradingHalted>
  | EventDraft<typeof trading.OrderSubmitted>
  | EventDraft<typeof trading.OrderWithdrawn>
  | EventDraft<typeof trading.OrderDeliveryUnknown>
  | EventDraft<typeof trading.OrderAccepted>
  | EventDraft<typeof trading.OrderRejected>
  | EventDraft<typeof trading.OrderTriggered>
  | EventDraft<typeof trading.OrderFilled>
  | EventDraft<typeof trading.OrderCancelRequested>
  | EventDraft<typeof trading.OrderCancelled>
  | EventDraft<typeof trading.OrderExpired>
  | EventDraft<typeof trading.OrderAdjusted>
  | EventDraft<typeof trading.DiscrepancyFound>
  | EventDraft<typeof trading.DiscrepanciesSettled>
  | EventDraft<typeof trading.SessionOpened>
  | EventDraft<typeof trading.SplitApplied>
  | EventDraft<typeof trading.DividendPaid>
  | EventDraft<typeof trading.SessionClosed>;

/** The data of one type of event. */
export type AccountData<Type extends AccountDraft['type']> = Extract<AccountDraft, { type: Type }>['data'];
