import { SEALED_TEXT } from '../../../../events/define.ts';
import { isBelegError } from '../../../../events/errors.ts';
import type { Ask, AskResponse } from '../../../../events/messages/knowledge.ts';
import { ReviewContext } from '../../../../events/messages/knowledge.ts';
import type { z } from 'zod';
import {
  compareResults,
  failedResult,
  presentResult,
  recordedResult,
  type Comparison,
  type Result,
} from './compare.ts';
import type { RecordedAsk } from './recorded-asks.ts';

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
    if (question === null) {
      yield { request_id, at: ask.at, question, before, after: null, comparison: null };
      continue;
    }
    let after: Result;
    try {
      after = presentResult(
        await answer({ request_id, question, mode, top_k, ...(mode === 'review' ? { context } : {}) }),
      );
    } catch (error) {
      if (!isBelegError(error)) throw error;
      after = failedResult(error.code);
    }
    yield { request_id, at: ask.at, question, before, after, comparison: compareResults(before, after) };
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
