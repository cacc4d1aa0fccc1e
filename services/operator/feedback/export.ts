import type { FeedbackFilters } from './filters.ts';

export async function exportFeedback(
  _options: FeedbackFilters & { format: 'csv' | 'json'; out?: string },
): Promise<void> {
  throw new Error('to be written');
}
