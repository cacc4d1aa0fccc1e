import type { z } from 'zod';
import type { EraseRequest } from '../../../events/messages/audit.ts';
import type { CommentRequest, RatingRequest } from '../../../events/messages/feedback.ts';
import type { AskRequest } from '../../../events/messages/knowledge.ts';

const QUESTION = 'Wie lange wird das Entgelt bei Krankheit fortgezahlt?';

/** The request id of the question in the examples. */
export const request_id = '7d9f3c1e-0b43-4a51-9a53-5f0f8c1e2b6d';

/** The requests in the OpenAPI document. Their replies there are recorded by `recorded-examples.test.ts`. */
export const SENT = {
  question: { question: QUESTION },
  wide: { question: QUESTION, top_k: 20, mode: 'knowledge' },
  /** A question that is refused. */
  elsewhere: { question: 'Was kostet ein Flug zum Mars?' },
  /** A question of two parts, of which the base answers only one. */
  planned: { question: `${QUESTION} Und wie viel verdient der Nachbar?` },
  /** A review without personal data: it has only names of figures and their values. */
  review: {
    question: 'Entspricht der Stundenlohn im März 2022 dem Mindestlohn?',
    mode: 'review',
    context: {
      facts: [{ key: 'stundenlohn', value: '9,60 €', note: 'März 2022' }],
      computation: {
        label: 'Bruttolohn März 2022',
        result: '1.564,80 €',
        basis: '160 Stunden zum Stundenlohn und eine Zulage',
        components: [
          { key: 'grundlohn', value: '1.536,00 €' },
          { key: 'zulage', value: '28,80 €' },
        ],
      },
    },
  },
  rating: { request_id, rating: 'up', feedback: 'Genau das habe ich gesucht.' },
  comment: { request_id, comment: 'Bitte auch auf § 3 Abs. 3 hinweisen.' },
  erasure: { request_id, reason: 'Löschersuchen vom 15.01.2026' },
} satisfies Record<
  string,
  | z.input<typeof AskRequest>
  | z.input<typeof RatingRequest>
  | z.input<typeof CommentRequest>
  | z.input<typeof EraseRequest>
>;
