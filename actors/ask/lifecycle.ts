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

/** An event as it was decided: `afterMs` milliseconds after the ask began. */
export type TimedEventDraft = AskEventDraft & { readonly afterMs: number };

export type AskStatus = 'new' | 'asked' | 'retrieved' | 'drafted' | 'verified' | 'answered' | 'failed';

/**
 * The machine checks its events against this table, and `evolve` checks the events that it reads. A further question under
 * the same request id is another ask.
 */
export const ASK_LIFECYCLE = new Lifecycle<AskStatus, AskEventDraft['type']>('ask', 'new', {
  new: { QuestionAsked: 'asked' },
  asked: { PassagesRetrieved: 'retrieved', AskFailed: 'failed' },
  // A second search is that of the language model's plan; without a draft the answer is a refusal.
  retrieved: {
    PassagesRetrieved: 'retrieved',
    AnswerDrafted: 'drafted',
    AnswerGiven: 'answered',
    AskFailed: 'failed',
  },
  // `AnswerDrafted` comes once more if the check of the language model's draft was not done in time.
  drafted: { DraftVerified: 'verified', AnswerDrafted: 'drafted', AskFailed: 'failed' },
  verified: { AnswerDrafted: 'drafted', AnswerGiven: 'answered', AskFailed: 'failed' },
  answered: {},
  failed: {},
});
