import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { isBelegError } from '../../../events/errors.ts';
import { ListInteractions, type Interaction as InteractionSchema } from '../../../events/messages/audit.ts';
import type { OperatorLink } from '../link/operator-link.ts';

export type Interaction = z.output<typeof InteractionSchema>;
type Query = z.input<typeof ListInteractions.request>;

/**
 * Milliseconds to wait for the tables. Tables of an earlier version are rebuilt when a service starts, which takes long
 * for a long record.
 */
const WAIT_MS = 120_000;

/** All answers that match, newest first, page by page. Rejects as `OperatorLink.call` does. */
export async function* readFeedback(
  link: Pick<OperatorLink, 'call'>,
  filters: FeedbackFilters,
): AsyncGenerator<Interaction> {
  const { all, rating, status, from, to, text } = filters;
  const feedback = all === undefined ? true : undefined;
  const query: Query = { limit: 200, feedback, rating, status, from, to, text };
  let cursor: string | null = null;
  do {
    const page = await readPage(link, { ...query, cursor: cursor ?? undefined });
    yield* page.interactions;
    cursor = page.next;
  } while (cursor !== null);
}

async function readPage(link: Pick<OperatorLink, 'call'>, query: Query) {
  for (const until = performance.now() + WAIT_MS; ;) {
    try {
      return await link.call(ListInteractions, query);
    } catch (error) {
      if (!isBelegError(error, 'SERVICE_UNAVAILABLE') || error.retryAfter === undefined) throw error;
      if (performance.now() > until) throw error;
      await delay(error.retryAfter * 1_000);
    }
  }
}

/** The filters of feedback, as typed. */
export type FeedbackFilters = Pick<Query, 'rating' | 'status' | 'from' | 'to' | 'text'> & { all?: true };
