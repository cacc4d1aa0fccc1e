import { beforeEach, describe, expect, test } from 'vitest';
import { answerData, VERIFIED } from '../../../../events/catalog/answer-given.suite.ts';
import type * as knowledge from '../../../../events/catalog/knowledge.ts';
import { askStream } from '../../../../events/catalog/knowledge.ts';
import { SEALED_TEXT } from '../../../../events/define.ts';
import { BelegError } from '../../../../events/errors.ts';
import type { AskResponse } from '../../../../events/messages/knowledge.ts';
import { MemoryStore } from '../../../../events/store/memory-store.suite.ts';
import { createEvents } from '../../../foundation/streams/stamp-events.ts';
import { lastRevision } from '../../../foundation/streams/append-at-end.suite.ts';
import type { OpenRecord } from '../../../foundation/record.ts';
import { readAsks, readAsksOf } from './recorded-asks.ts';
import { formatRerun, formatSummary } from '../rerun.ts';
import { rerunAsks, summarize, type Rerun } from './rerun-asks.ts';

const TERMINAL = { columns: 60, colour: false };

type Given = Parameters<typeof knowledge.AnswerGiven.create>[0];

const ANSWER: Given = answerData('', {
  ...VERIFIED,
  question: '',
  answer: 'Vier Wochen. [A]',
  citations: ['A'],
  model: 'extractive',
  n_context: 1,
  latency_ms: 10,
});

const RESPONSE: AskResponse = {
  ...ANSWER,
  sources: [],
  api_version: 'v1',
  refused: false,
  assumptions: [],
  alternatives: [],
  planned: false,
  grounding: {
    data_scope: 'knowledge_base_only',
    citations_verified: true,
    context_count: 1,
    regenerations: 0,
    uncovered: null,
    parts: [],
    suggestions: [],
    as_of: null,
    relevance: null,
  },
  ratings_enabled: false,
  plausibility: undefined,
};

let store: MemoryStore;
let record: Pick<OpenRecord, 'store' | 'codec'>;

beforeEach(() => {
  store = new MemoryStore();
  record = {
    store,
    codec: { decode: async (event) => ({ ...event, data: event.data }) },
  };
});

interface Asked {
  readonly id: string;
  readonly call?: string;
  readonly at?: string;
  readonly redact?: boolean;
  readonly context?: string;
}

function asks({ id, call = id, at = '2026-01-01T00:00:00.000Z', redact = false, context }: Asked) {
  return append(id, call, at, redact, {
    type: 'QuestionAsked',
    data: {
      request_id: id,
      question: `Frage ${call}?`,
      language: 'de',
      mode: context === undefined ? 'knowledge' : 'review',
      top_k: 5,
      context: context ?? null,
    },
  });
}

function answers({ id, call = id, redact = false }: Asked, given: Partial<Given> = {}) {
  return append(id, call, '2026-01-01T00:00:01.000Z', redact, {
    type: 'AnswerGiven',
    data: { ...ANSWER, request_id: id, ...given },
  });
}

function fails({ id, call = id }: Asked, code: string) {
  return append(id, call, '2026-01-01T00:00:01.000Z', false, {
    type: 'AskFailed',
    data: { request_id: id, code },
  });
}

async function append(
  id: string,
  call: string,
  at: string,
  redact: boolean,
  draft: { type: string; data: Record<string, unknown> },
) {
  const stream = askStream(id);
  const events = createEvents(
    [draft],
    { stream, at, correlationId: id, causationId: call, key: id },
    { redact },
  );
  await store.append(stream, await lastRevision(store, stream), events as never);
}

const failing = () => Promise.reject(new BelegError('MODEL_UNAVAILABLE'));
const broken = () => Promise.reject(new TypeError('a mistake'));

const again = (response: Partial<AskResponse> = {}): Promise<Rerun[]> =>
  Array.fromAsync(rerunAsks(readAsks(record, {}), async () => ({ ...RESPONSE, ...response })));

describe('asks on record', () => {
  test('come newest first, each with its own outcome, also under one request id', async () => {
    await asks({ id: 'a' });
    await asks({ id: 'twice', call: 'one' });
    await asks({ id: 'twice', call: 'two' });
    await answers({ id: 'twice', call: 'two' }, { answer: 'zwei' });
    await answers({ id: 'a' }, { answer: 'a' });
    await fails({ id: 'twice', call: 'one' }, 'MODEL_UNAVAILABLE');
    const found = await Array.fromAsync(readAsks(record, {}));
    expect(found.map(({ asked, outcome }) => [asked.question, outcome?.data])).toEqual([
      ['Frage two?', expect.objectContaining({ answer: 'zwei' })],
      ['Frage one?', expect.objectContaining({ code: 'MODEL_UNAVAILABLE' })],
      ['Frage a?', expect.objectContaining({ answer: 'a' })],
    ]);
    expect(await Array.fromAsync(readAsksOf(record, 'twice'))).toEqual(found.slice(0, 2));
    expect(await Array.fromAsync(readAsksOf(record, 'nobody'))).toEqual([]);
  });

  test('are selected by the time of their question, the end exclusive', async () => {
    for (const day of ['01', '02', '03']) await asks({ id: day, at: `2026-01-${day}T00:00:00.000Z` });
    const within = { from: '2026-01-02T00:00:00.000Z', to: '2026-01-03T00:00:00.000Z' };
    const found = await Array.fromAsync(readAsks(record, within));
    expect(found.map(({ asked }) => asked.request_id)).toEqual(['02']);
  });
});

describe('asked again', () => {
  test('the same answer is no difference, whatever time it took', async () => {
    await asks({ id: 'a' });
    await answers({ id: 'a' });
    const [result] = await again({ latency_ms: 99 });
    expect(result!.comparison).toEqual({ status: false, added: [], removed: [], text: false });
    expect(formatRerun(result!, TERMINAL)).toBe('');
  });

  test('shows what differs', async () => {
    await asks({ id: 'a' });
    await answers({ id: 'a' });
    const [result] = await again({
      status: 'uncertain',
      answer: 'Vier Wochen\u001B[2J, wenn ein Tarifvertrag es so bestimmt. [B]',
      citations: ['B'],
    });
    expect(formatRerun(result!, TERMINAL)).toBe(
      [
        'a 2026-01-01T00:00:00.000Z answered → uncertain',
        '  Frage a?',
        '  -[A] +[B]',
        '  - Vier Wochen. [A]',
        '  + Vier Wochen [2J, wenn ein Tarifvertrag es so bestimmt. …',
      ].join('\n'),
    );
  });

  test('asks what was asked, with what was sent along', async () => {
    const context = { facts: [{ key: 'urlaub', value: '20 Tage' }] };
    await asks({ id: 'a', context: JSON.stringify(context) });
    const requests: unknown[] = [];
    const take = async (request: unknown) => {
      requests.push(request);
      return RESPONSE;
    };
    await Array.fromAsync(rerunAsks(readAsks(record, {}), take));
    expect(requests).toEqual([{ request_id: 'a', question: 'Frage a?', mode: 'review', top_k: 5, context }]);
  });

  test('a text is shown from where it parts', async () => {
    const common = 'Der Urlaub beträgt jährlich mindestens vierundzwanzig Werktage, ';
    await asks({ id: 'a' });
    await answers({ id: 'a' }, { answer: `${common}also vier Wochen.` });
    const [result] = await again({ answer: `${common}also fünf Wochen.` });
    expect(formatRerun(result!, TERMINAL).split('\n').slice(-2)).toEqual([
      '  - …nzig Werktage, also vier Wochen.',
      '  + …nzig Werktage, also fünf Wochen.',
    ]);
  });

  test('a fault is a result, and what has no text is not asked', async () => {
    await asks({ id: 'a' });
    await answers({ id: 'a' });
    await asks({ id: 'redacted', redact: true });
    await answers({ id: 'redacted', redact: true });
    await append('sealed', 'sealed', '2026-01-01T00:00:00.000Z', false, {
      type: 'QuestionAsked',
      data: {
        request_id: 'sealed',
        question: SEALED_TEXT,
        language: 'de',
        mode: 'review',
        top_k: 5,
        context: SEALED_TEXT,
      },
    });
    const results = await Array.fromAsync(rerunAsks(readAsks(record, {}), failing));
    expect(results).toMatchObject([
      { request_id: 'sealed', question: null, after: null, comparison: null },
      { request_id: 'redacted', question: null, after: null, comparison: null },
      {
        request_id: 'a',
        after: { status: 'failed', code: 'MODEL_UNAVAILABLE' },
        comparison: { status: true },
      },
    ]);
  });

  test('what is no fault of the service ends it', async () => {
    await asks({ id: 'a' });
    await expect(Array.fromAsync(rerunAsks(readAsks(record, {}), broken))).rejects.toThrow('a mistake');
  });
});

test('the summary counts', async () => {
  await asks({ id: 'same' });
  await answers({ id: 'same' });
  await asks({ id: 'text' });
  await answers({ id: 'text' }, { answer: 'Früher. [A]', latency_ms: 30 });
  await asks({ id: 'refused' });
  await answers({ id: 'refused' }, { status: 'refused', citations: [] });
  await asks({ id: 'gone', redact: true });
  expect(formatSummary(summarize(await again({ latency_ms: 20 })), TERMINAL)).toBe(
    [
      '3 questions asked again',
      '  the same               1',
      '  different              2',
      '    different citations  1',
      '    different text       1',
      '  answered               2',
      '  refused → answered     1',
      '  median latency         10 → 20 ms',
      '  1 ask skipped, because the text was redacted, erased or cannot be decrypted',
    ].join('\n'),
  );
});
