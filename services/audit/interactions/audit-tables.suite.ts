import { deterministicId } from '../../../events/json.ts';
import { answerData, VERIFIED } from '../../../events/catalog/answer-given.suite.ts';
import { TextErased } from '../../../events/catalog/audit.ts';
import { AnswerRated, CommentRecorded, COMMENTS_STREAM } from '../../../events/catalog/feedback.ts';
import { AnswerGiven, askStream } from '../../../events/catalog/knowledge.ts';
import type { DomainEvent, EventCause } from '../../../events/define.ts';
import { ProjectionTables } from '../../../events/projections/tables.ts';
import type { Position } from '../../../events/store/store.ts';
import { auditProjection } from '../projection.ts';

export interface TestAnswer {
  readonly at?: string;
  readonly question?: string;
  readonly answer?: string;
  readonly status?: 'answered' | 'refused' | 'uncertain';
  readonly verdict?: 'plausible' | 'implausible' | 'not_checkable';
  readonly conflict_ids?: string[][];
}

export function answerGiven(
  requestId: string,
  cause: EventCause,
  data: Omit<TestAnswer, 'at'> = {},
  options: { redact?: boolean } = {},
): DomainEvent<string, unknown> {
  return AnswerGiven.create(
    answerData(requestId, {
      ...VERIFIED,
      question: 'Was gilt?',
      answer: 'Das gilt [A-1].',
      citations: ['A-1'],
      model: 'extractive',
      n_context: 1,
      latency_ms: 12,
      ...data,
    }),
    cause,
    options,
  );
}

/** The audit tables of a file, filled by events of a test as the projection fills them. */
export class WrittenTables {
  readonly #tables: ProjectionTables;
  readonly #redact: boolean;
  #written = 0;
  #comments = 0n;
  #events = 0;

  constructor(file: string, options: { redact?: boolean } = {}) {
    this.#tables = new ProjectionTables(file, auditProjection);
    this.#redact = options.redact ?? false;
  }

  answer(requestId: string, { at, ...data }: TestAnswer = {}): void {
    this.apply([this.answerGiven(requestId, { ...(at === undefined ? {} : { at }), ...data })]);
  }

  rate(requestId: string, rating: 'up' | 'down', feedback: string | null = null, at?: string): void {
    const data = { request_id: requestId, rating, feedback, updated: false };
    this.apply([AnswerRated.create(data, this.#cause(askStream(requestId), at), { redact: this.#redact })]);
  }

  comment(requestId: string, comment: string, at?: string): void {
    const data = { request_id: requestId, comment };
    this.apply([CommentRecorded.create(data, this.#cause(COMMENTS_STREAM, at))]);
  }

  erase(requestId: string, at?: string): void {
    this.apply([TextErased.create({ request_id: requestId }, this.#cause('erasures', at))]);
  }

  answerGiven(requestId: string, { at, ...data }: TestAnswer): DomainEvent<string, unknown> {
    return answerGiven(requestId, this.#cause(askStream(requestId), at), data, { redact: this.#redact });
  }

  /** Applies the events in one transaction. */
  apply(events: readonly DomainEvent<string, unknown>[]): void {
    const position = String(++this.#written).padStart(20, '0') as Position;
    this.#tables.advance(position, () => {
      for (const event of events) {
        const revision = event.type === 'CommentRecorded' ? this.#comments++ : 0n;
        auditProjection.apply(this.#tables, event, { revision, position });
      }
    });
  }

  /** Clears all tables. */
  clear(): void {
    this.#comments = 0n;
    for (const table of ['interactions', 'ratings', 'comments', 'requests']) {
      this.#tables.run(`DELETE FROM ${table}`);
    }
  }

  close(): void {
    this.#tables.close();
  }

  #cause(stream: string, at = '2026-01-15T08:00:00.000Z') {
    const causationId = deterministicId('call', String(++this.#events), stream, 0);
    return { stream, at, correlationId: stream, causationId, key: stream };
  }
}
