import type { AnyEventDefinition, EventOf } from '../define.ts';
import * as audit from './audit.ts';
import * as broker from './broker.ts';
import * as feedback from './feedback.ts';
import * as knowledge from './knowledge.ts';
import * as market from './market.ts';
import * as models from './models.ts';
import * as trading from './trading.ts';

/** Events in an ask's stream. */
export type AskEvent =
  | EventOf<typeof knowledge.QuestionAsked>
  | EventOf<typeof knowledge.PassagesRetrieved>
  | EventOf<typeof knowledge.AnswerDrafted>
  | EventOf<typeof knowledge.DraftVerified>
  | EventOf<typeof knowledge.AnswerGiven>
  | EventOf<typeof knowledge.AskFailed>
  | EventOf<typeof feedback.AnswerRated>;

export type IndexEvent =
  | EventOf<typeof knowledge.ReindexStarted>
  | EventOf<typeof knowledge.IndexBuilt>
  | EventOf<typeof knowledge.ReindexFailed>;

/** Events in the stream of erasures. */
export type ErasureEvent = EventOf<typeof audit.ErasureRequested> | EventOf<typeof audit.TextErased>;

export type CommentEvent = EventOf<typeof feedback.CommentRecorded>;

/** Events in an account's stream. */
export type AccountEvent =
  | EventOf<typeof trading.AccountOpened>
  | EventOf<typeof trading.TradingStarted>
  | EventOf<typeof trading.TradingStopped>
  | EventOf<typeof trading.TradingHalted>
  | EventOf<typeof trading.TradingResumed>
  | EventOf<typeof trading.OrderSubmitted>
  | EventOf<typeof trading.OrderWithdrawn>
  | EventOf<typeof trading.OrderDeliveryUnknown>
  | EventOf<typeof trading.OrderAccepted>
  | EventOf<typeof trading.OrderRejected>
  | EventOf<typeof trading.OrderTriggered>
  | EventOf<typeof trading.OrderFilled>
  | EventOf<typeof trading.OrderCancelRequested>
  | EventOf<typeof trading.OrderCancelled>
  | EventOf<typeof trading.OrderExpired>
  | EventOf<typeof trading.OrderAdjusted>
  | EventOf<typeof trading.DiscrepancyFound>
  | EventOf<typeof trading.DiscrepanciesSettled>
  | EventOf<typeof trading.SessionOpened>
  | EventOf<typeof trading.SplitApplied>
  | EventOf<typeof trading.DividendPaid>
  | EventOf<typeof trading.BorrowCharged>
  | EventOf<typeof trading.MarginCalled>
  | EventOf<typeof trading.PositionSettled>
  | EventOf<typeof trading.SessionClosed>;

/** Events in the paper broker's own stream. */
export type PaperBrokerEvent =
  | EventOf<typeof broker.PaperOrderAccepted>
  | EventOf<typeof broker.PaperOrderRejected>
  | EventOf<typeof broker.PaperOrderTriggered>
  | EventOf<typeof broker.PaperTradeExecuted>
  | EventOf<typeof broker.PaperOrderCancelled>
  | EventOf<typeof broker.PaperOrderExpired>
  | EventOf<typeof broker.PaperSplitApplied>
  | EventOf<typeof broker.PaperPositionSettled>
  | EventOf<typeof broker.PaperOrderAdjusted>
  | EventOf<typeof broker.PaperSessionMatched>;

/** Events in a market update's stream. */
export type MarketEvent =
  | EventOf<typeof market.MarketUpdateStarted>
  | EventOf<typeof market.TickerUpdated>
  | EventOf<typeof market.TickerUpdateFailed>
  | EventOf<typeof market.MarketUpdateFinished>;

/** Events in the stream of a run of training. */
export type TrainingEvent =
  | EventOf<typeof models.TrainingStarted>
  | EventOf<typeof models.TrainingPrepared>
  | EventOf<typeof models.TrainingEpochFinished>
  | EventOf<typeof models.TrainingStopRequested>
  | EventOf<typeof models.TrainingInterrupted>
  | EventOf<typeof models.TrainingResumed>
  | EventOf<typeof models.TrainingFinished>
  | EventOf<typeof models.TrainingFailed>;

/** Events in the models' stream. */
export type ModelsEvent =
  | EventOf<typeof models.TrainingRunOpened>
  | EventOf<typeof models.ModelPutToUse>
  | EventOf<typeof models.ModelSaved>;

/** What is decided of an event: without its id, stream and time. Every recorded event is one of these too. */
export type DraftOf<Event> = Event extends { readonly type: infer Type; readonly data: infer Data }
  ? { readonly type: Type; readonly data: Data }
  : never;

const MODULES = { audit, broker, feedback, knowledge, market, models, trading };

type Exports = { [Name in keyof typeof MODULES]: (typeof MODULES)[Name][keyof (typeof MODULES)[Name]] };
type Definition = Extract<Exports[keyof Exports], AnyEventDefinition>;

const isDefinition = (exported: unknown): exported is Definition =>
  typeof exported === 'object' && exported !== null && 'freeText' in exported && 'schema' in exported;

/** Every event that some stream holds. */
type Streamed =
  | AskEvent
  | IndexEvent
  | ErasureEvent
  | CommentEvent
  | AccountEvent
  | PaperBrokerEvent
  | MarketEvent
  | TrainingEvent
  | ModelsEvent
  | EventOf<typeof audit.RecordCheckpointed>;

/**
 * Every event of the system: whatever the files beside this one define. One that is defined and belongs to no stream is a
 * type error here.
 */
export const CATALOG: readonly (AnyEventDefinition & { readonly type: Streamed['type'] })[] = Object.values(
  MODULES,
)
  .flatMap((module): unknown[] => Object.values(module))
  .filter(isDefinition);
