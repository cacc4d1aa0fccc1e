import { createActor, fromPromise, waitFor, type ActorRefFrom } from 'xstate';
import { BelegError, isBelegError } from '../../events/errors.ts';
import type { Coverage, Hit } from '../../kb/knowledge.ts';
import { verifyEntailed, type Entailment } from './entailment.ts';
import { partsToWrite } from './hand-over.ts';
import { askMachine, type AskMachine, type AskOutput } from './machine.ts';
import type { TimedEventDraft } from './lifecycle.ts';
import { frameContext } from './notes.ts';
import { RELEVANT, type GenerateInput, type Generator, type Part, type Retriever } from './ports.ts';
import { citedOf, fail, type AskContext, type AskInput, type Retrieved } from './steps.ts';
import { verify } from './verify.ts';

export interface Helpers {
  /** The language model that is to write; where it does not, or not what holds, the answer is quoted. */
  readonly model?: Generator | null;
  /** A further check of what the verifier's rules accept. */
  readonly entailment?: Entailment | null;
}

/** The machine with its real actors. The retriever is that of one index: hold it for the whole ask. */
export function askMachineOf(
  retriever: Retriever,
  quoting: Generator,
  { model = null, entailment = null }: Helpers = {},
): AskMachine {
  return askMachine.provide({
    actors: {
      retrieve: fromPromise(({ input: context }) => retrieve(retriever, context, context.queries)),
      plan: fromPromise(async ({ input: context, signal }) => {
        const { question } = context.input;
        const parts = (await model?.plan?.(question, context.language, signal)) ?? null;
        if (parts === null) return null;
        const queries = [question, ...parts];
        const found = await retrieve(retriever, context, queries);
        return found.coverage.covered ? { queries, found } : null;
      }),
      generate: fromPromise(async ({ input: context, signal }) => {
        const writer = context.writing === 'model' ? model! : quoting;
        const input: GenerateInput = {
          question: context.input.question,
          parts: partsToWrite(context),
          language: context.language,
          hits: context.hits,
          attempt: context.repeats,
          failures: context.verdict?.failures ?? [],
          previous: context.draft,
        };
        const written = await writer.generate(input, signal);
        return written === null ? null : { written, name: writer.name };
      }),
      verify: fromPromise(async ({ input: context, signal }) => {
        const draft = context.draft!;
        const by = {
          language: context.language,
          hits: context.hits,
          exists: (id: string) => retriever.source(id) !== undefined,
          frames: frameContext({ ...context, question: context.input.question }),
        };
        const verdict = verify(draft, by);
        return entailment === null ? verdict : verifyEntailed(draft, verdict, by, entailment, signal);
      }),
    },
  });
}

/** Who follows an ask. */
export interface AskListener {
  /** What is searched for. */
  planned?(queries: readonly string[]): void;
  event?(event: TimedEventDraft): void;
}

/**
 * Runs one ask to its end: what it begins with, at once, and how it ends. That never rejects: a fault, and an abort of
 * `signal`, are the outcome `failed` with its error (`DEADLINE_EXCEEDED` for an abort whose reason is no `BelegError`), and
 * on record like everything else. `listener` hears of the plan, and of each later event as it is decided, before it is on
 * record.
 *
 * @example
 * const { outcome, events } = await runAsk(askMachineOf(retriever, generator), input, signal).output;
 */
export function runAsk(
  machine: AskMachine,
  input: AskInput,
  signal: AbortSignal,
  listener: AskListener = {},
): { readonly asked: TimedEventDraft; readonly output: Promise<AskOutput> } {
  const actor = createActor(machine, { input });
  let told = 1;
  let searched: readonly string[] | undefined;
  actor.subscribe({
    next: ({ context: { events, queries } }) => {
      if (queries !== searched) listener.planned?.((searched = queries));
      for (const event of events.slice(told)) listener.event?.(event);
      told = events.length;
    },
    // `waitFor` hears of it too, below.
    error: () => undefined,
  });
  actor.start();
  return { asked: actor.getSnapshot().context.events[0]!, output: outputOf(actor, signal) };
}

async function outputOf(actor: ActorRefFrom<AskMachine>, signal: AbortSignal): Promise<AskOutput> {
  try {
    const done = await waitFor(actor, (snapshot) => snapshot.status === 'done', { signal });
    return done.output!;
  } catch (error) {
    // XState stops the actor where it stood.
    const failed = fail(actor.getSnapshot().context, signal.aborted ? abortError(signal) : error);
    return { outcome: 'failed', ...failed };
  } finally {
    actor.stop();
  }
}

function abortError(signal: AbortSignal): BelegError {
  return isBelegError(signal.reason)
    ? signal.reason
    : new BelegError('DEADLINE_EXCEEDED', { cause: signal.reason });
}

/** All planned queries, best of each in turn: the whole question first, its parts after it. */
async function retrieve(
  retriever: Retriever,
  context: AskContext,
  queries: readonly string[],
): Promise<Retrieved> {
  const { question, top_k: topK } = context.input;
  const [first, ...later] = queries.slice(1);
  const [asked, begins, ofFacts] = await Promise.all([
    retriever.search(question, { topK: first === undefined ? topK : Math.max(topK, CANDIDATES) }),
    first === undefined ? null : findFirst(retriever, first, topK),
    Promise.all(context.factQueries.map((query) => retriever.search(query, { topK, forFact: true }))),
  ]);
  const goesOn = begins?.coverage.covered === true && begins.coverage.relevance >= RELEVANT;
  const before = { question, asked, goesOn };
  const others = later.map((part) => findLater(retriever, part, before, topK));
  const parts = begins === null ? [] : [begins, ...(await Promise.all(others))];
  const hits = interleave([asked, ...parts.map((part) => part.hits)]).slice(0, topK);
  const covered = parts.filter(({ coverage }) => coverage.covered);
  const enough = begins?.coverage.covered === true ? RELEVANT : WITHOUT_FIRST;
  const isTold =
    covered.length === parts.length || covered.some(({ coverage }) => coverage.relevance >= enough);
  return {
    hits,
    coverage:
      parts.length === 0
        ? retriever.coverage(question, hits)
        : coverageOfParts(parts.map(({ coverage }) => coverage)),
    // Half of an answer is given where something of it is to the point.
    parts: parts.map(({ coverage, ...part }) => ({ ...part, covered: coverage.covered && isTold })),
    related: ofFacts,
    cited: citedOf(context).flatMap((id) => retriever.source(id) ?? []),
    asOf: retriever.about?.asOf ?? null,
    indexHash: retriever.hash,
  };
}

/** What is found for a whole question that has parts. */
const CANDIDATES = 10;
/** What a later part has to be answered with where the first is open, since it leans on it (`and how much do I get there?`). */
const WITHOUT_FIRST = 0.8;
/** Share of a part that stands in the best of what was found, below which it asks something else. */
const LEAST = 0.4;

type Found = Omit<Part, 'covered'> & { readonly coverage: Coverage };

async function findFirst(retriever: Retriever, question: string, topK: number): Promise<Found> {
  const hits = await retriever.search(question, { topK });
  return { question, hits, coverage: retriever.coverage(question, hits) };
}

interface Before {
  readonly question: string;
  /** What was found for all of it. */
  readonly asked: readonly Hit[];
  /** The first part is surely answered. */
  readonly goesOn: boolean;
}

/** A later part leans on what stands before it: it is found among what was found for the whole question, and covered with it. */
async function findLater(
  retriever: Retriever,
  part: string,
  { question, asked, goesOn }: Before,
  topK: number,
): Promise<Found> {
  const hits = await retriever.search(part, { topK, among: asked });
  const alone = retriever.coverage(part, hits);
  const asksElse = alone.missing.length > 0 && alone.value < LEAST;
  const isOpen = hits.length === 0 || alone.otherYears !== null || asksElse;
  const coverage = isOpen
    ? { ...alone, covered: false }
    : retriever.coverage(question, asked, { goesOn, by: hits[0]!.source });
  return { question: part, hits, coverage };
}

/** A question that asks several things is covered where each of them is. */
function coverageOfParts(parts: readonly Coverage[]): Coverage {
  return {
    value: Math.min(...parts.map((part) => part.value)),
    covered: parts.every((part) => part.covered),
    // Later parts lean on the first.
    relevance: parts[0]!.relevance,
    otherYears: parts.find((part) => part.otherYears !== null)?.otherYears ?? null,
    missing: [...new Set(parts.filter((part) => !part.covered).flatMap((part) => part.missing))],
  };
}

function interleave(lists: readonly (readonly Hit[])[]): Hit[] {
  const seen = new Map<string, Hit>();
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      const hit = list[rank];
      if (hit !== undefined && !seen.has(hit.source.id)) seen.set(hit.source.id, hit);
    }
  }
  return [...seen.values()];
}
