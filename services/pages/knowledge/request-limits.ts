import type { REQUEST_LIMITS } from '../../../events/messages/request-limits.ts';

/**
 * The limits of the forms, which are checked before anything is sent. The page gets no code of the service, so the
 * numbers are repeated here; their types are the service's own, so that a different number is a type error.
 */
export const MOST: Pick<
  typeof REQUEST_LIMITS,
  'question' | 'passages' | 'fact' | 'factNote' | 'feedback' | 'comment'
> = {
  question: 2_000,
  passages: 50,
  fact: 200,
  factNote: 500,
  feedback: 1_000,
  comment: 2_000,
};
