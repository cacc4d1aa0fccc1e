import type { AskContext } from './ask-context.ts';
import { partsToWrite } from './best-draft.ts';
import { verifyEntailed } from '../../kb/answer/entailment.ts';
import { frameContext } from './notes.ts';
import type { Verdict } from '../../kb/answer/ports.ts';
import { retrieve } from './retrieve.ts';
import type { Planned, Written } from './steps.ts';
import { verify } from '../../kb/answer/verify.ts';

// Everything that the machine of an ask waits for, except the search.

/** Searches for the parts of the question that the language model has named; `null` if the base covers none of them. */
export async function plan(context: AskContext, signal: AbortSignal): Promise<Planned | null> {
  const [question = context.asked] = context.queries;
  const parts = (await context.ports.model?.plan?.(question, context.language, signal)) ?? null;
  if (parts === null) return null;
  const queries = [question, ...parts];
  const found = await retrieve(context, queries);
  return found.coverage.covered ? { queries, found } : null;
}

/** A draft by the present writer; `null` if it writes none. */
export async function generate(context: AskContext, signal: AbortSignal): Promise<Written | null> {
  const { model, quoting } = context.ports;
  const writer = context.writing === 'model' ? model! : quoting;
  const written = await writer.generate(
    {
      question: context.asked,
      parts: partsToWrite(context),
      language: context.language,
      hits: context.hits,
      attempt: context.repeats,
      failures: context.verdict?.failures ?? [],
      previous: context.draft,
    },
    signal,
  );
  return written === null ? null : { written, name: writer.name };
}

/** Checks the newest draft by the rules and, if there is one, by the entailment check. */
export async function check(context: AskContext, signal: AbortSignal): Promise<Verdict> {
  const { retriever, entailment = null } = context.ports;
  const draft = context.draft!;
  const by = {
    language: context.language,
    hits: context.hits,
    exists: (id: string) => retriever.source(id) !== undefined,
    frames: frameContext({ ...context, question: context.asked }),
  };
  const verdict = verify(draft, by);
  return entailment === null ? verdict : verifyEntailed(draft, verdict, by, entailment, signal);
}
