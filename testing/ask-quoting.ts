import { createExtractiveGenerator } from '../kb/answer/extractive/generator.ts';
import type { AskOutput } from '../actors/ask/machine.ts';
import type { Retriever } from '../kb/answer/ports.ts';
import { askOf } from '../actors/ask/run-ask.ts';

/** Asks one question as a service without a language model does, whose answers are quotes. */
export function askQuoting(retriever: Retriever, question: string): Promise<AskOutput> {
  return askOf(
    { retriever, quoting: createExtractiveGenerator() },
    {
      request_id: 'r',
      question,
      mode: 'knowledge',
      top_k: 8,
      model: 'extractive',
      modelUntil: null,
      fallback: false,
      now: () => 0,
    },
  ).run(new AbortController().signal);
}
