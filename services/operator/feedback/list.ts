import type { FeedbackFilters } from './filters.ts';

export async function listFeedback(_options: FeedbackFilters & { json?: true }): Promise<void> {
  throw new Error('to be written');
}
