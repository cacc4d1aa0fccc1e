import { ACCOUNT_EVENTS, type AccountEvent } from '../../../events/catalog/catalog.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import { insert, type Projection } from '../../../events/projections/projection.ts';
import { changed, filled, ORDER_TABLES, submitted, withdrawn } from './projection-orders.ts';

/** The prefix of the names of all accounts' streams. */
const PREFIX = accountStream('');

/**
 * Accounts as tables, for people with a SQLite browser and for programs. Money, prices and quantities are exact decimal
 * text. `place` is the event's revision in the account's stream, so it gives the order of submission. An order's
 * quantities and prices are adjusted by later splits, its `status` is that of the lifecycle, and its `fingerprint` is
 * that of the terms that its client sent first.
 */
const TABLES = `
  ${ORDER_TABLES}
  CREATE TABLE equity (
    account TEXT NOT NULL,
    session TEXT NOT NULL,
    total_value TEXT NOT NULL,
    cash TEXT NOT NULL,
    PRIMARY KEY (account, session)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE discrepancies (
    account TEXT NOT NULL,
    place INTEGER NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    order_id TEXT,
    ticker TEXT,
    detail TEXT NOT NULL,
    settled INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account, place)
  ) STRICT, WITHOUT ROWID;
`;

export const tradingProjection: Projection = {
  name: 'trading',
  version: 4,
  tables: TABLES,
  types: ACCOUNT_EVENTS.map(({ type }) => type),
  apply(rows, domainEvent, { revision }) {
    const event = domainEvent as AccountEvent;
    const { at } = event.metadata;
    const account = event.stream.slice(PREFIX.length);
    switch (event.type) {
      case 'OrderSubmitted':
        return submitted(rows, account, revision, at, event.data);
      case 'OrderWithdrawn':
        return withdrawn(rows, account, event.data);
      case 'OrderFilled':
        return filled(rows, account, revision, event);
      case 'OrderDeliveryUnknown':
      case 'OrderAccepted':
      case 'OrderTriggered':
      case 'OrderExpired':
      case 'OrderRejected':
      case 'OrderCancelled':
      case 'OrderCancelRequested':
      case 'OrderAdjusted':
      case 'OrderAmendRequested':
      case 'OrderAmended':
        return changed(rows, account, event);
      case 'DiscrepancyFound': {
        const { cursor: _, ...found } = event.data;
        return insert(rows, 'discrepancies', { account, place: revision, at, ...found });
      }
      case 'DiscrepanciesSettled':
        return rows.run('UPDATE discrepancies SET settled = 1 WHERE account = ?', account);
      case 'SessionClosed': {
        const { closes: _, ...equity } = event.data;
        return insert(rows, 'equity', { account, ...equity });
      }
      case 'AccountOpened':
      case 'MarketSourceTaken':
      case 'CashMoved':
      case 'TradingStarted':
      case 'TradingStopped':
      case 'TradingHalted':
      case 'TradingResumed':
      case 'ClockSet':
      case 'SessionOpened':
      case 'SplitApplied':
      case 'DividendPaid':
      case 'BorrowCharged':
      case 'MarginCalled':
      case 'PositionSettled':
      case 'StrategyTaken':
      case 'StrategyDecided':
      case 'StrategyOrderRefused':
      case 'StrategyHalted':
      case 'StrategyStopped':
      case 'StrategyStarted':
        return;
    }
  },
};
