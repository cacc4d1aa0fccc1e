import type { Client } from '../../services/application.suite.ts';

/** What the service has acknowledged: the record must hold each of these exactly once. */
export interface Acknowledged {
  /** Request ids of answers with `ratings_enabled`, each as often as it was answered. */
  readonly answers: Map<string, number>;
  /** Feedback texts, each used once. */
  readonly ratings: Map<string, { requestId: string }>;
  /** Comment texts, each used once. */
  readonly comments: Map<string, { requestId: string; commentId: number }>;
  reindexed: number;
  /** Replies that a healthy service does not give. */
  readonly unexpected: string[];
}

export function nothingAcknowledged(): Acknowledged {
  return { answers: new Map(), ratings: new Map(), comments: new Map(), reindexed: 0, unexpected: [] };
}

const QUESTIONS = [
  'Wie viele Werktage Urlaub gibt es mindestens im Jahr?',
  'Wie lange besteht Anspruch auf Entgeltfortzahlung bei Krankheit?',
  'Wie viele Stunden darf die werktägliche Arbeitszeit dauern?',
  'Wie hoch ist die Umsatzsteuer auf Bananen?',
];

/**
 * One client: asks, rates, comments, sometimes reindexes, until the server is gone. Notes what was acknowledged, and
 * nothing else: what was sent but not acknowledged may be on record or not.
 */
export async function runClient(
  client: Client,
  name: string,
  random: () => number,
  acknowledged: Acknowledged,
): Promise<void> {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const expect = <R extends { status: number; body: unknown }>(
    what: string,
    reply: R,
    ...allowed: number[]
  ): R => {
    if (!allowed.includes(reply.status)) {
      acknowledged.unexpected.push(`${what}: ${reply.status} ${JSON.stringify(reply.body)}`);
    }
    return reply;
  };
  const known = [...acknowledged.answers.keys()].slice(-20);
  for (let step = 0; ; step++) {
    const token = `${name}-${step}`;
    // Some ask again under an id that was used before, also by other clients.
    const requestId = known.length > 0 && random() < 0.2 ? pick(known) : `r-${token}`;
    try {
      const answer = expect('ask', await client.ask(pick(QUESTIONS), requestId), 200);
      if (answer.status === 200 && answer.body.ratings_enabled) {
        acknowledged.answers.set(requestId, (acknowledged.answers.get(requestId) ?? 0) + 1);
        known.push(requestId);
      }
      if (known.length === 0) continue;
      if (random() < 0.5) {
        const rated = pick(known);
        const { status } = expect(
          'rating',
          await client.rate(rated, pick(['up', 'down']), `feedback-${token}`),
          200,
        );
        if (status === 200) acknowledged.ratings.set(`feedback-${token}`, { requestId: rated });
      }
      if (random() < 0.5) {
        const about = pick(known);
        const { status, body } = expect('comment', await client.comment(about, `comment-${token}`), 201);
        if (status === 201) {
          acknowledged.comments.set(`comment-${token}`, { requestId: about, commentId: body.comment_id });
        }
      }
      if (random() < 0.03) {
        const { status } = expect('reindex', await client.post('/v1/reindex'), 200, 503);
        if (status === 200) acknowledged.reindexed += 1;
      }
    } catch (error) {
      // The connection broke: the server was killed. Anything else is a fault of the test.
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}
