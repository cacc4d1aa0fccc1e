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
export const ACCOUNT_EVENTS = definedIn(trading);
export type AccountEvent = EventOf<(typeof ACCOUNT_EVENTS)[number]>;

/** Events in the paper broker's own stream. */
export const PAPER_BROKER_EVENTS = definedIn(broker);
export type PaperBrokerEvent = EventOf<(typeof PAPER_BROKER_EVENTS)[number]>;

/** Events in a market update's stream. */
export const MARKET_EVENTS = definedIn(market);
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

/** An event before it is recorded: it has no id, stream and time. Every recorded event is also a draft. */
export type DraftOf<Event> = Event extends { readonly type: infer Type; readonly data: infer Data }
  ? { readonly type: Type; readonly data: Data }
  : never;

/**
 * Every event of the system, as the files beside this one define them. A test checks that each belongs to one kind of
 * stream.
 */
export const CATALOG: readonly AnyEventDefinition[] = [
  audit,
  broker,
  feedback,
  knowledge,
  market,
  models,
  trading,
].flatMap((module: object) => definedIn(module));

/** Event types that can have free text. */
export const TYPES_WITH_TEXT = CATALOG.filter(({ freeText }) => freeText.length > 0).map(({ type }) => type);

function definedIn<Module extends object>(module: Module) {
  type Definition = Extract<Module[keyof Module], AnyEventDefinition>;
  return Object.values(module).filter(
    (exported: unknown): exported is Definition =>
      typeof exported === 'object' && exported !== null && 'freeText' in exported && 'schema' in exported,
  );
}
