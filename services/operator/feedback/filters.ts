/** What narrows feedback, as typed. */
export interface FeedbackFilters {
  readonly rating?: 'up' | 'down' | 'none';
  readonly status?: 'answered' | 'refused' | 'uncertain';
  readonly from?: string;
  readonly to?: string;
  readonly text?: string;
  readonly all?: true;
}
