import type { z } from 'zod';
import { SEALED_TEXT } from '../../../../events/define.ts';
import { isBelegError } from '../../../../events/errors.ts';
import { ReviewContext, type Ask, type AskResponse } from '../../../../events/messages/knowledge.ts';
import type { RecordedAsk } from './recorded-asks.ts';

/** The result of an ask: the recorded one, or the new one. */
interface Result {
  /** `failed`: an error ended it; `unfinished`: it has no end on record. */
  readonly status: AskResponse['status'] | 'failed' | 'unfinished';
  readonly citations: readonly string[];
  /** `null` if there was no answer, or it was erased. */
  readonly answer: string | null;
  readonly latency_ms: number | null;
  /** The code of the error. */
  readonly code: string | null;
}

type Answer = (request: z.output<typeof Ask.request>) => Promise<AskResponse>;
export type Rerun = Awaited<ReturnType<typeof rerun>>;

/**
 * Asks the recorded questions again, in the given order, if their text is readable. An error of one question is its
 * result.
 */
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
    /** The time of the recorded ask. */
    at: ask.at,
    /** `null` if the text was redacted or erased or its key is missing, so that it cannot be asked again. */
    question,
    before,
    /** The new result; `null` if the question could not be asked again. */
    after,
    comparison,
    /** The number of asks that differ in any way. */
    different:
      comparison !== null &&
      (comparison.status || comparison.text || comparison.added.length + comparison.removed.length > 0),
  };
}

/** The text of an ask. In review mode the context belongs to the question, so both must be readable. */
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
    /** Sources that only the new answer cites, in its order. */
    added: after.citations.filter((id) => !before.citations.includes(id)),
    removed: before.citations.filter((id) => !after.citations.includes(id)),
    /** Whether the text differs; only if both answers can be read. */
    text: before.answer !== null && after.answer !== null && before.answer !== after.answer,
  };
}

export type RerunSummary = ReturnType<typeof summarize>;

/** The figures of all reruns together. */
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
    /** The median in milliseconds; `null` without an answer. */
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
