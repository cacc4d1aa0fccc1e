import type { z } from 'zod';
import type { OrderRequest } from '../../../events/messages/trading.ts';
import type { Client } from '../../processes/application.suite.ts';

/** What the service has acknowledged: the record must have each of these exactly once. */
export interface Acknowledged {
  /** The request ids of answers with `ratings_enabled`, with the number of their answers. */
  readonly answers: Map<string, number>;
  /** Feedback texts, each used once. */
  readonly ratings: Map<string, { requestId: string }>;
  /** Comment texts, each used once. */
  readonly comments: Map<string, { requestId: string; commentId: number }>;
  reindexed: number;
  /** The ids of orders, by the client's own ids. */
  readonly orders: Map<string, string>;
  /** An order without an answer, which is sent again to the next process. */
  unanswered: Order | null;
  /** Replies that a healthy service never gives. */
  readonly unexpected: string[];
}

type Order = z.input<typeof OrderRequest> & { client_order_id: string };

export function nothingAcknowledged(): Acknowledged {
  const none = { answers: new Map(), ratings: new Map(), comments: new Map(), orders: new Map() };
  return { ...none, reindexed: 0, unanswered: null, unexpected: [] };
}

const QUESTIONS = [
  'Wie viele Werktage Urlaub gibt es mindestens im Jahr?',
  'Wie lange besteht Anspruch auf Entgeltfortzahlung bei Krankheit?',
  'Wie viele Stunden darf die werktägliche Arbeitszeit dauern?',
  'Wie hoch ist die Umsatzsteuer auf Bananen?',
];

/**
 * A client that asks, rates, comments and sometimes reindexes until the server is gone. It notes only what was
 * acknowledged, because the rest may be on record or not.
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
    // Some questions use a request id again, also one of another client.
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
      // The connection broke because the server was killed. Any other error is a fault of the test.
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

/** A client that trades: orders, and sometimes cancels, until the server is gone. */
export async function runTrader(
  client: Client,
  random: () => number,
  acknowledged: Acknowledged,
): Promise<void> {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const { orders } = acknowledged;
  try {
    for (;;) {
      const order = (acknowledged.unanswered ??= {
        ticker: pick(['DEMO-OAK', 'DEMO-PINE']),
        action: pick(['buy', 'buy', 'sell']),
        quantity: Math.ceil(random() ** 3 * 900),
        time_in_force: pick(['day', 'ioc', 'fok']),
        client_order_id: `order-${orders.size}-${random()}`,
      });
      const { status, body } = await client.post<{ order_id: string; code: string }>(
        '/api/trading/order',
        order,
      );
      // An order is sent again once trading is active; a refused one is not.
      if (body.code === 'TRADING_INACTIVE') await client.post('/api/trading/start');
      if (status === 503 || body.code === 'TRADING_INACTIVE') continue;
      acknowledged.unanswered = null;
      if (status !== 200) continue;
      orders.set(order.client_order_id, body.order_id);
      if (random() < 0.1) await client.post(`/api/trading/cancel/${body.order_id}`);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}
