import { answerData, VERIFIED } from '../../../events/catalog/answer-given.suite.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { askStream } from '../../../events/catalog/knowledge.ts';
import { createCodec, type Codec } from '../../../events/define.ts';
import { MemoryStore } from '../../../events/store/memory-store.suite.ts';
import type { EventStore } from '../../../events/store/store.ts';
import { KeyUnavailable, type Sealed, type Vault } from '../../../events/vault/vault.ts';
import { appendAtEnd } from '../../foundation/streams/append-at-end.suite.ts';

export interface Draft {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** Text behind its key's name; a key can be erased, or be missing. */
class NamedKeys implements Pick<Vault, 'seal' | 'open' | 'confirm'> {
  readonly erased = new Set<string>();
  isMissing = false;

  confirm(): void {}

  async seal(key: string, plaintext: string): Promise<Sealed> {
    return { $sealed: Buffer.from(`${key}/${plaintext}`).toString('base64') };
  }

  async open(key: string, { $sealed }: Sealed): Promise<string | null> {
    if (this.isMissing) throw new KeyUnavailable();
    return this.erased.has(key)
      ? null
      : Buffer.from($sealed, 'base64')
          .toString()
          .slice(key.length + 1);
  }
}

/** A record made by hand: a clock that the test sets, and events as services would stamp them. */
export class ToldRecord {
  readonly store: EventStore;
  readonly keys = new NamedKeys();
  readonly codec: Codec;
  readonly #steps = new Map<string, number>();
  #now = Date.parse('2026-03-02T08:30:00.000Z');

  /** In memory, unless there is a store and a vault for it. */
  constructor(at: { store: EventStore; vault: Vault } | null = null) {
    this.store = at?.store ?? new MemoryStore();
    this.codec = createCodec(CATALOG, at?.vault ?? this.keys);
  }

  wait(ms: number): this {
    this.#now += ms;
    return this;
  }

  async add(
    stream: string,
    drafts: readonly Draft[],
    { request, call }: { request: string; call: string },
  ): Promise<void> {
    const cause = {
      stream,
      at: new Date(this.#now).toISOString(),
      correlationId: request,
      causationId: call,
      key: request,
    };
    const events = drafts.map(({ type, data }) => {
      // Numbered as if all steps of one call were recorded together.
      const ordinal = (this.#steps.get(`${stream} ${call} ${type}`) ?? -1) + 1;
      this.#steps.set(`${stream} ${call} ${type}`, ordinal);
      return CATALOG.find((definition) => definition.type === type)!.create(data, { ...cause, ordinal });
    });
    const encoded = await Promise.all(events.map((event) => this.codec.encode(event)));
    await appendAtEnd(this.store, stream, encoded);
  }

  /** An event of an ask, some time after the one before. */
  async ask(id: string, ms: number, draft: Draft, call: string = `call-of-${id}`): Promise<void> {
    await this.wait(ms).add(askStream(id), [draft], { request: id, call });
  }
}

export const QUESTION = 'Wie lange wird Entgelt im Krankheitsfall fortgezahlt?';
export const ANSWER = 'Das Entgelt wird bis zu sechs Wochen fortgezahlt [EFZG-3].';

export const asked = (request_id: string, question: string = QUESTION): Draft => ({
  type: 'QuestionAsked',
  data: { request_id, question, language: 'de', mode: 'knowledge', top_k: 8, context: null },
});

export const retrieved = (covered: boolean = true, widened: boolean = false): Draft => ({
  type: 'PassagesRetrieved',
  data: {
    queries: [QUESTION, 'Entgeltfortzahlung Dauer'],
    hits: covered
      ? [
          { id: 'EFZG-3', score: 0.914 },
          { id: 'EFZG-4', score: 0.62 },
        ]
      : [],
    coverage: covered ? 0.83 : 0.12,
    covered,
    widened,
    index: '9c1b5f20d7a34e6688aa00112233445566778899aabbccddeeff001122334455',
  },
});

export const drafted = (attempt: number): Draft => ({
  type: 'AnswerDrafted',
  data: { attempt, model: 'extractive', draft: ANSWER, citations: ['EFZG-3'] },
});

export const verified = (attempt: number, isVerified: boolean): Draft => ({
  type: 'DraftVerified',
  data: {
    attempt,
    verified: isVerified,
    failures: isVerified ? [] : [{ sentence: 0, rule: 'unsupported-number' }],
  },
});

export const answered = (
  request_id: string,
  status: 'answered' | 'refused',
  regenerations: number,
): Draft => ({
  type: 'AnswerGiven',
  data: answerData(request_id, {
    ...(status === 'answered'
      ? { ...VERIFIED, answer: ANSWER, citations: ['EFZG-3'] }
      : { answer: 'Dazu steht nichts in der Wissensbasis.' }),
    question: QUESTION,
    model: 'extractive',
    n_context: 2,
    regenerations,
    latency_ms: 412,
  }),
});
