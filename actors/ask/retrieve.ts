import type { Coverage } from '../../kb/knowledge.ts';
import type { Hit, SearchOptions } from '../../kb/hit.ts';
import type { AskContext, Retrieved } from './ask-context.ts';
import { isTellable } from '../../kb/answer/extractive/excerpt.ts';
import { LATER_PART_ALONE, LATER_PART_FOUND, RELEVANT } from '../../kb/answer-thresholds.ts';
import { readingsOf } from './ask-back.ts';
import { partsOfObjects } from './ask-objects.ts';
import type { Part, Retriever } from '../../kb/answer/ports.ts';

/** Searches all planned queries and takes the best hits of each in turn: the whole question first, then its parts. */
export async function retrieve(context: AskContext, queries: readonly string[]): Promise<Retrieved> {
  const { retriever } = context.ports;
  const { top_k: topK } = context.input;
  const [question = context.input.question, first, ...later] = queries;
  const [asked, begins, ofFacts] = await Promise.all([
    find(retriever, question, { topK: first === undefined ? topK : Math.max(topK, CANDIDATES) }),
    first === undefined ? null : findFirst(retriever, first, topK),
    searchFacts(context),
  ]);
  const goesOn = begins?.coverage.covered === true && begins.coverage.relevance >= RELEVANT;
  const before = { question, asked, goesOn };
  const others = later.map((part) => findLater(retriever, part, before, topK));
  const parts = begins === null ? [] : [begins, ...(await Promise.all(others))];
  const objects =
    first === undefined
      ? await partsOfObjects(retriever, question, context.language, asked, (alone) =>
          find(retriever, alone, { topK }),
        )
      : [];
  const readings = first === undefined ? await readingsOf(retriever, question, asked) : [];
  const hits = interleave([asked, ...[...parts, ...objects].map((part) => part.hits)]).slice(0, topK);
  const covered = parts.filter(({ coverage }) => coverage.covered);
  const enough = begins?.coverage.covered === true ? RELEVANT : LATER_PART_ALONE;
  const isTold =
    covered.length === parts.length || covered.some(({ coverage }) => coverage.relevance >= enough);
  /** The sources that the checks of a review cite. */
  const rests = new Set(context.review?.checks.flatMap(({ source_ids }) => source_ids));
  return {
    hits,
    coverage:
      parts.length === 0
        ? coverageOfWhole(retriever.coverage(question, asked), readings)
        : coverageOfParts(parts.map(({ coverage }) => coverage)),
    readings,
    // A part that is half covered still gets the half of the answer that fits.
    parts: [
      ...parts.map(({ coverage, ...part }) => ({ ...part, covered: coverage.covered && isTold })),
      ...objects,
    ],
    related: ofFacts,
    cited: [...rests].flatMap((id) => retriever.source(id) ?? []),
    asOf: retriever.about?.asOf ?? null,
    law: retriever.about?.law ?? null,
    indexHash: retriever.hash,
  };
}

/** Searches one query after the other: a review may have eighty, and other asks have to get a turn. */
async function searchFacts({
  factQueries,
  ports: { retriever },
  input,
}: AskContext): Promise<(readonly Hit[])[]> {
  const found: (readonly Hit[])[] = [];
  for (const query of factQueries)
    found.push(await retriever.search(query, { topK: input.top_k, forFact: true }));
  return found;
}

/** The number of sources to find for a whole question that has parts. */
const CANDIDATES = 10;

/**
 * The hits, beginning with the first one that has a sentence to quote: the answer is judged only by sources that it can
 * quote.
 */
async function find(retriever: Retriever, question: string, options: SearchOptions): Promise<readonly Hit[]> {
  const hits = await retriever.search(question, options);
  const first = hits.findIndex(({ source }) => isTellable(source));
  return first === -1 ? [] : hits.slice(first);
}

type Found = Omit<Part, 'covered'> & { readonly coverage: Coverage };

async function findFirst(retriever: Retriever, question: string, topK: number): Promise<Found> {
  const hits = await find(retriever, question, { topK });
  return { question, hits, coverage: retriever.coverage(question, hits) };
}

interface Before {
  readonly question: string;
  /** The hits for the whole question. */
  readonly asked: readonly Hit[];
  /** Whether the first part is certainly answered. */
  readonly goesOn: boolean;
}

/**
 * Finds a later part of a question. It leans on the part before it, so it is looked for among the hits of the whole
 * question, and is covered with them.
 */
async function findLater(
  retriever: Retriever,
  part: string,
  { question, asked, goesOn }: Before,
  topK: number,
): Promise<Found> {
  const hits = await find(retriever, part, { topK, among: asked });
  const alone = retriever.coverage(part, hits);
  const asksElse = alone.missing.length > 0 && alone.value < LATER_PART_FOUND;
  const isOpen = hits.length === 0 || alone.otherYears !== null || asksElse;
  const coverage = isOpen
    ? { ...alone, covered: false }
    : retriever.coverage(question, asked, { goesOn, by: hits[0]!.source });
  return { question: part, hits, coverage };
}

/** A question with several readings is covered only as far as it is without a guess. */
const coverageOfWhole = (coverage: Coverage, readings: readonly string[]): Coverage =>
  readings.length === 0 ? coverage : { ...coverage, covered: false };

/** A question that asks several things is covered where each of them is. */
function coverageOfParts(parts: readonly Coverage[]): Coverage {
  return {
    value: Math.min(...parts.map((part) => part.value)),
    covered: parts.every((part) => part.covered),
    // Later parts depend on the first.
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
