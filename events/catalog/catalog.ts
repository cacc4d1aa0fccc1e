import type { AnyEventDefinition, EventOf } from '../define.ts';
import * as feedback from './feedback.ts';
import * as knowledge from './knowledge.ts';

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

export type CommentEvent = EventOf<typeof feedback.CommentRecorded>;

/** Every event of the system. */
export const CATALOG: readonly AnyEventDefinition[] = [
  knowledge.QuestionAsked,
  knowledge.PassagesRetrieved,
  knowledge.AnswerDrafted,
  knowledge.DraftVerified,
  knowledge.AnswerGiven,
  knowledge.AskFailed,
  knowledge.ReindexStarted,
  knowledge.IndexBuilt,
  knowledge.ReindexFailed,
  feedback.AnswerRated,
  feedback.CommentRecorded,
];
