import type { AnyEventDefinition, EventOf } from '../define.ts';
import * as audit from './audit.ts';
import * as broker from './broker.ts';
import * as feedback from './feedback.ts';
import * as knowledge from './knowledge.ts';
import * as market from './market.ts';
import * as models from './models.ts';
import * as trading from './trading.ts';

/** Events in an ask's stream. */
export const ASK_EVENTS = [
  knowledge.QuestionAsked,
  knowledge.PassagesRetrieved,
  knowledge.AnswerDrafted,
  knowledge.DraftVerified,
  knowledge.AnswerGiven,
  knowledge.AskFailed,
  feedback.AnswerRated,
] as const;
export type AskEvent = EventOf<(typeof ASK_EVENTS)[number]>;

export const INDEX_EVENTS = [
  knowledge.ReindexStarted,
  knowledge.IndexBuilt,
  knowledge.ReindexFailed,
] as const;
export type IndexEvent = EventOf<(typeof INDEX_EVENTS)[number]>;

/** Events in the stream of erasures. */
export const ERASURE_EVENTS = [audit.ErasureRequested, audit.TextErased] as const;
export type ErasureEvent = EventOf<(typeof ERASURE_EVENTS)[number]>;

export const COMMENT_EVENTS = [feedback.CommentRecorded] as const;
export type CommentEvent = EventOf<(typeof COMMENT_EVENTS)[number]>;

/** Events in an account's stream. */
export const ACCOUNT_EVENTS = [
  trading.AccountOpened,
  trading.TradingStarted,
  trading.TradingStopped,
  trading.TradingHalted,
  trading.TradingResumed,
  trading.OrderSubmitted,
  trading.OrderWithdrawn,
  trading.OrderDeliveryUnknown,
  trading.OrderAccepted,
  trading.OrderRejected,
  trading.OrderTriggered,
  trading.OrderFilled,
  trading.OrderCancelRequested,
  trading.OrderCancelled,
  trading.OrderExpired,
  trading.OrderAdjusted,
  trading.DiscrepancyFound,
  trading.DiscrepanciesSettled,
  trading.SessionOpened,
  trading.SplitApplied,
  trading.DividendPaid,
  trading.BorrowCharged,
  trading.MarginCalled,
  trading.PositionSettled,
  trading.SessionClosed,
] as const;
export type AccountEvent = EventOf<(typeof ACCOUNT_EVENTS)[number]>;

/** Events in the paper broker's own stream. */
export const PAPER_BROKER_EVENTS = [
  broker.PaperOrderAccepted,
  broker.PaperOrderRejected,
  broker.PaperOrderTriggered,
  broker.PaperTradeExecuted,
  broker.PaperOrderCancelled,
  broker.PaperOrderExpired,
  broker.PaperSplitApplied,
  broker.PaperPositionSettled,
  broker.PaperOrderAdjusted,
  broker.PaperSessionMatched,
] as const;
export type PaperBrokerEvent = EventOf<(typeof PAPER_BROKER_EVENTS)[number]>;

/** Events in a market update's stream. */
export const MARKET_EVENTS = [
  market.MarketUpdateStarted,
  market.TickerUpdated,
  market.TickerUpdateFailed,
  market.MarketUpdateFinished,
] as const;
export type MarketEvent = EventOf<(typeof MARKET_EVENTS)[number]>;

/** Events in the stream of a run of training. */
export const TRAINING_EVENTS = [
  models.TrainingStarted,
  models.TrainingPrepared,
  models.TrainingEpochFinished,
  models.TrainingStopRequested,
  models.TrainingInterrupted,
  models.TrainingResumed,
  models.TrainingFinished,
  models.TrainingFailed,
] as const;
export type TrainingEvent = EventOf<(typeof TRAINING_EVENTS)[number]>;

/** Events in the models' stream. */
export const MODELS_EVENTS = [models.TrainingRunOpened, models.ModelPutToUse, models.ModelSaved] as const;
export type ModelsEvent = EventOf<(typeof MODELS_EVENTS)[number]>;

export const CHECKPOINT_EVENTS = [audit.RecordCheckpointed] as const;
export type CheckpointEvent = EventOf<(typeof CHECKPOINT_EVENTS)[number]>;

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
  | CheckpointEvent;

/**
 * Every event of the system: whatever the files beside this one define. One that is defined and belongs to no stream is a
 * type error here.
 */
export const CATALOG: readonly (AnyEventDefinition & { readonly type: Streamed['type'] })[] = Object.values(
  MODULES,
)
  .flatMap((module): unknown[] => Object.values(module))
  .filter(isDefinition);
