import type * as knowledge from '../../events/catalog/knowledge.ts';
import type { EventDraft } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';

/** What one ask decides to put on record, in order. */
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
 * The lifecycle of an ask, written once: which event may follow in which status, and where it leads. The machine
 * checks what it emits against it, `evolve` what it reads. A further question under the same request id is an ask of
 * its own.
 */
export const ASK_LIFECYCLE: Readonly<
  Record<AskStatus, Readonly<Partial<Record<AskEventDraft['type'], AskStatus>>>>
> = {
  new: { QuestionAsked: 'asked' },
  asked: { PassagesRetrieved: 'retrieved', AskFailed: 'failed' },
  // A second search is that of the language model's plan; without a draft the answer is a refusal.
  retrieved: {
    PassagesRetrieved: 'retrieved',
    AnswerDrafted: 'drafted',
    AnswerGiven: 'answered',
    AskFailed: 'failed',
  },
  drafted: { DraftVerified: 'verified', AskFailed: 'failed' },
  verified: { AnswerDrafted: 'drafted', AnswerGiven: 'answered', AskFailed: 'failed' },
  answered: {},
  failed: {},
};

/** True once nothing may follow. */
export function hasEnded(status: AskStatus): boolean {
  return Object.keys(ASK_LIFECYCLE[status]).length === 0;
}

/** The status after an event; an event that is not legal now is `STREAM_CORRUPT`. */
export function nextStatus(status: AskStatus, type: AskEventDraft['type']): AskStatus {
  const next = ASK_LIFECYCLE[status][type];
  if (next === undefined)
    throw new BelegError('STREAM_CORRUPT', { detail: `${type} cannot follow ${status}` });
  return next;
}
