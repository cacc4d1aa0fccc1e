import type * as knowledge from '../../events/catalog/knowledge.ts';
import type { EventDraft } from '../../events/define.ts';
import { Lifecycle } from '../lifecycle.ts';

/** The events that one ask records, in order. */
export type AskEventDraft =
  | EventDraft<typeof knowledge.QuestionAsked>
  | EventDraft<typeof knowledge.PassagesRetrieved>
  | EventDraft<typeof knowledge.AnswerDrafted>
  | EventDraft<typeof knowledge.DraftVerified>
  | EventDraft<typeof knowledge.AnswerGiven>
  | EventDraft<typeof knowledge.AskFailed>;

/** An event, decided `afterMs` milliseconds after the ask began. */
export type TimedEventDraft = AskEventDraft & { readonly afterMs: number };

export type AskStatus = 'new' | 'asked' | 'retrieved' | 'drafted' | 'verified' | 'answered' | 'failed';

/**
 * The lifecycle of an ask. The machine checks the events that it decides against this table, and `evolve` those that it
 * reads. A further question under the same request id is another ask.
 */
export const ASK_LIFECYCLE = new Lifecycle<AskStatus, AskEventDraft['type']>('ask', 'new', {
  new: { QuestionAsked: 'asked' },
  asked: { PassagesRetrieved: 'retrieved', AskFailed: 'failed' },
  // A second search is for the language model's plan. Without a draft the answer is a refusal.
  retrieved: {
    PassagesRetrieved: 'retrieved',
    AnswerDrafted: 'drafted',
    AnswerGiven: 'answered',
    AskFailed: 'failed',
  },
  // A second `AnswerDrafted` follows if the check of the language model's draft took too long.
  drafted: { DraftVerified: 'verified', AnswerDrafted: 'drafted', AskFailed: 'failed' },
  verified: { AnswerDrafted: 'drafted', AnswerGiven: 'answered', AskFailed: 'failed' },
  answered: {},
  failed: {},
});
