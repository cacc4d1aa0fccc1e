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

interface Comparison {
  readonly status: boolean;
  /** Cited now, and not then; in the order of the answer. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Of answers that can both be read. */
  readonly text: boolean;
}

export interface Rerun {
  readonly request_id: string;
  /** When it was asked first. */
  readonly at: string;
  /** `null`: its text was redacted or erased, or its key is not at hand, so it cannot be asked again. */
  readonly question: string | null;
  readonly before: Result;
  /** `null` where it could not be asked. */
  readonly after: Result | null;
  readonly comparison: Comparison | null;
  /** In anything. */
  readonly different: boolean;
}

/** Asks again, in the order given, what can be asked. A fault of one question is its result. */
export async function* rerunAsks(
  asks: AsyncIterable<RecordedAsk>,
  answer: (request: z.output<typeof Ask.request>) => Promise<AskResponse>,
): AsyncGenerator<Rerun> {
  for await (const ask of asks) {
    const { request_id, mode, top_k } = ask.asked;
    const before = recordedResult(ask);
    const { question, context } = textOf(ask);
    const known = { request_id, at: ask.at, question, before };
    if (question === null) {
      yield { ...known, after: null, comparison: null, different: false };
      continue;
    }
    let after: Result;
    try {
      const request = { request_id, question, mode, top_k, ...(mode === 'review' ? { context } : {}) };
      after = resultOf(await answer(request));
    } catch (error) {
      if (!isBelegError(error)) throw error;
      after = unanswered('failed', error.code);
    }
    const comparison = compare(before, after);
    const { status, text, added, removed } = comparison;
    const different = status || text || added.length > 0 || removed.length > 0;
    yield { ...known, after, comparison, different };
  }
}

/** In review mode what was sent along belongs to the question: one without the other is no question. */
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

function resultOf({ status, citations, answer, latency_ms }: Omit<Result, 'code'>): Result {
  return { status, citations, answer, latency_ms, code: null };
}

function unanswered(status: Result['status'], code: string | null): Result {
  return { status, citations: [], answer: null, latency_ms: null, code };
}

function compare(before: Result, after: Result): Comparison {
  return {
    status: before.status !== after.status,
    added: after.citations.filter((id) => !before.citations.includes(id)),
    removed: before.citations.filter((id) => !after.citations.includes(id)),
    text: before.answer !== null && after.answer !== null && before.answer !== after.answer,
  };
}

/** What came of all of them together. */
export interface RerunSummary {
  readonly asked: number;
  readonly same: number;
  readonly different: number;
  /** Without text: they could not be asked. */
  readonly skipped: number;
  readonly statuses: readonly { readonly before: string; readonly after: string; readonly asks: number }[];
  readonly citations_changed: number;
  readonly text_changed: number;
  /** Milliseconds, the median; `null` without an answer. */
  readonly latency_ms: { readonly before: number | null; readonly after: number | null };
}

export function summarize(reruns: readonly Rerun[]): RerunSummary {
  const asked = reruns.flatMap((rerun) => {
    const { before, after, comparison, different } = rerun;
    return after === null || comparison === null ? [] : [{ before, after, comparison, different }];
  });
  const different = asked.filter((one) => one.different).length;
  const statuses = Map.groupBy(asked, ({ before, after }) => `${before.status} ${after.status}`);
  return {
    asked: asked.length,
    same: asked.length - different,
    different,
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
