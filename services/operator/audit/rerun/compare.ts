import type { AskResponse } from '../../../../events/messages/knowledge.ts';
import type { RecordedAsk } from './recorded-asks.ts';

/** What an ask came to: then, and now. */
export interface Result {
  /** `failed`: a fault ended it; `unfinished`: nothing did. */
  readonly status: AskResponse['status'] | 'failed' | 'unfinished';
  readonly citations: readonly string[];
  /** `null` where there was none, or it was erased. */
  readonly answer: string | null;
  readonly latency_ms: number | null;
  /** Stable code of the fault. */
  readonly code: string | null;
}

export interface Comparison {
  readonly status: boolean;
  /** Cited now, and not then; in the order of the answer. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Of answers that can both be read. */
  readonly text: boolean;
}

export function recordedResult({ outcome }: RecordedAsk): Result {
  if (outcome === null) {
    return { status: 'unfinished', citations: [], answer: null, latency_ms: null, code: null };
  }
  if (outcome.type === 'AskFailed') return failedResult(outcome.data.code);
  const { status, citations, answer, latency_ms } = outcome.data;
  return { status, citations, answer, latency_ms, code: null };
}

export function presentResult({ status, citations, answer, latency_ms }: AskResponse): Result {
  return { status, citations, answer, latency_ms, code: null };
}

export function failedResult(code: string): Result {
  return { status: 'failed', citations: [], answer: null, latency_ms: null, code };
}

export function compareResults(before: Result, after: Result): Comparison {
  return {
    status: before.status !== after.status,
    added: after.citations.filter((id) => !before.citations.includes(id)),
    removed: before.citations.filter((id) => !after.citations.includes(id)),
    text: before.answer !== null && after.answer !== null && before.answer !== after.answer,
  };
}

export function differs({ status, added, removed, text }: Comparison): boolean {
  return status || text || added.length > 0 || removed.length > 0;
}
