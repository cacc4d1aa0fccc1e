import type { z } from 'zod';
import { SEALED_TEXT } from '../../../../events/define.ts';
import { isBelegError } from '../../../../events/errors.ts';
import { ReviewContext, type Ask, type AskResponse } from '../../../../events/messages/knowledge.ts';
import type { RecordedAsk } from './recorded-asks.ts';

/** What an ask came to: then, and now. */
interface Result {
  /** `failed`: a fault ended it; `unfinished`: nothing did. */
  readonly status: AskResponse['status'] | 'failed' | 'unfinished';
  readonly citations: readonly string[];
  /** `null` where there was none, or it was erased. */
  readonly answer: string | null;
  readonly latency_ms: number | null;
  /** Stable code of the fault. */
  readonly code: string | null;
}

type Answer = (request: z.output<typeof Ask.request>) => Promise<AskResponse>;
export type Rerun = Awaited<ReturnType<typeof rerun>>;

/** Asks again, in the order given, what can be asked. A fault of one question is its result. */
export async function* rerunAsks(asks: AsyncIterable<RecordedAsk>, answer: Answer): AsyncGenerator<Rerun> {
  for await (const ask of asks) yield await rerun(ask, answer);
}

async function rerun(ask: RecordedAsk, answer: Answer) {
  const { request_id, mode, top_k } = ask.asked;
  const before = recordedResult(ask);
  const { question, context } = textOf(ask);
  const request = { request_id, mode, top_k, ...(mode === 'review' ? { context } : {}) };
  const after = question === null ? null : await resultNow({ ...request, question }, answer);
  const comparison = after && compare(before, after);
  return {
    request_id,
    /** When it was asked first. */
    at: ask.at,
    /** `null`: its text was redacted or erased, or its key is not at hand, so it cannot be asked again. */
    question,
    before,
    /** `null` where it could not be asked. */
    after,
    comparison,
    /** How many differ in anything. */
    different:
      comparison !== null &&
      (comparison.status || comparison.text || comparison.added.length + comparison.removed.length > 0),
  };
}

/** In review mode the context belongs to the question: neither is a question alone. */
function textOf({ asked }: RecordedAsk): {
  question: string | null;
  context?: z.output<typeof ReviewContext>;
} {
  const { question, mode, context } = asked;
  if (question === null || question === SEALED_TEXT) return { question: null };
  if (mode === 'knowledge') return { question };
  if (context === null) return { question: null };
  return { question, context: ReviewContext.parse(JSON.parse(context)) };
}

function recordedResult({ outcome }: RecordedAsk): Result {
  if (outcome === null) return unanswered('unfinished', null);
  return outcome.type === 'AskFailed' ? unanswered('failed', outcome.data.code) : resultOf(outcome.data);
}

async function resultNow(request: Parameters<Answer>[0], answer: Answer): Promise<Result> {
  try {
    return resultOf(await answer(request));
  } catch (error) {
    if (!isBelegError(error)) throw error;
    return unanswered('failed', error.code);
  }
}

function resultOf({ status, citations, answer, latency_ms }: Omit<Result, 'code'>): Result {
  return { status, citations, answer, latency_ms, code: null };
}

function unanswered(status: Result['status'], code: string | null): Result {
  return { status, citations: [], answer: null, latency_ms: null, code };
}

function compare(before: Result, after: Result) {
  return {
    status: before.status !== after.status,
    /** Cited now, and not then; in the order of the answer. */
    added: after.citations.filter((id) => !before.citations.includes(id)),
    removed: before.citations.filter((id) => !after.citations.includes(id)),
    /** Whether the text differs. Only answers that can both be read are compared. */
    text: before.answer !== null && after.answer !== null && before.answer !== after.answer,
  };
}

export type RerunSummary = ReturnType<typeof summarize>;

/** What came of all of them together. */
export function summarize(reruns: readonly Rerun[]) {
  const asked = reruns.flatMap(({ before, after, comparison, different }) =>
    after === null || comparison === null ? [] : [{ before, after, comparison, different }],
  );
  const different = asked.filter((one) => one.different).length;
  const statuses = Map.groupBy(asked, ({ before, after }) => `${before.status} ${after.status}`);
  return {
    asked: asked.length,
    same: asked.length - different,
    different,
    /** Requests without text could not be asked again. */
    skipped: reruns.length - asked.length,
    statuses: [...statuses.values()]
      .map((alike) => ({
        before: alike[0]!.before.status,
        after: alike[0]!.after.status,
        asks: alike.length,
      }))
      .sort((a, b) => b.asks - a.asks || a.before.localeCompare(b.before)),
    citations_changed: asked.filter(({ comparison: { added, removed } }) => added.length + removed.length > 0)
      .length,
    text_changed: asked.filter(({ comparison }) => comparison.text).length,
    /** Milliseconds, the median; `null` without an answer. */
    latency_ms: {
      before: median(asked.map(({ before }) => before.latency_ms)),
      after: median(asked.map(({ after }) => after.latency_ms)),
    },
  };
}

function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  return known[Math.floor(known.length / 2)] ?? null;
}
