import type { REQUEST_LIMITS } from '../../../events/messages/request-limits.ts';

/**
 * What the forms take at most, said before anything is sent. The page gets no code of the service, so the numbers stand here again;
 * their types are the service's own, so that another number is a type error.
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
