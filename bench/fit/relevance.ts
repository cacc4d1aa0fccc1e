import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExtractiveGenerator } from '../../actors/ask/extractive/generator.ts';
import type { Retriever } from '../../actors/ask/ports.ts';
import { askMachineOf, runAsk } from '../../actors/ask/run.ts';
import type { Hit, KnowledgeIndex } from '../../kb/knowledge.ts';
import { loadKnowledgeBase } from '../../kb/base/load.ts';
import { buildIndex } from '../../kb/index/build.ts';
import { LexicalIndex } from '../../kb/index/lexical-index.ts';
import { CANDIDATES, rankHits } from '../../kb/ranking/rank.ts';
import { openKnowledge } from '../../kb/open.ts';
import { kindOf, signsOf, SIGNS } from '../../kb/ranking/relevance.ts';
import { STARTER_BASE } from '../../services/config.ts';
import { isRight } from '../answers/figures.ts';
import { judge } from '../answers/judge.ts';
import { readRows } from '../answers/rows.ts';
import { readQuestions, SETS, type EvalSet } from '../eval-sets.ts';
import { dot, fitFacts, heldOut, logistic, type Fact } from './ascent.ts';

interface Example extends Fact {
  readonly kind: 'lined' | 'unlined';
}

const RIDGE = 1;
/** Sets whose golds are whole answers; what they count beside the tuning half. */
const OTHERS: Readonly<Record<string, number>> = {
  xquad: 0.5,
  'statutes-de': 0.5,
  'starter-de': 0.5,
  'starter-en': 0.5,
};
const TOP_K = 8;
/** The line of `asked` that is left out of the index and asked, and what it counts. */
const LEFT_OUT = 1;
const OF_A_LINE = 0.15;

/** Weights of the estimate that an answer answers (`RELEVANCE` in `kb/ranking/weights.ts`). */
export async function fitRelevance(): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'beleg-fit-'));
  try {
    const examples: Example[] = [...(await ofTuning()), ...(await ofLines())];
    for (const set of SETS) if (set.here && set.name in OTHERS) examples.push(...(await ofSet(set, work)));
    for (const kind of ['lined', 'unlined'] as const)
      report(
        kind,
        examples.filter((example) => example.kind === kind),
      );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function report(kind: string, examples: readonly Example[]): void {
  const estimates = new Map<string, { estimate: number; right: boolean }[]>();
  for (const { example, weights } of heldOut(examples, fit)) {
    const list = estimates.get(example.set) ?? [];
    estimates.set(example.set, list);
    list.push({ estimate: logistic(dot(weights, example.vector)), right: example.right });
  }
  for (const [set, list] of estimates) {
    console.log(
      `${kind} ${set}: ${list.length} held out, area under the curve ${areaUnder(list).toFixed(3)}`,
    );
    for (const from of [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8]) {
      const above = list.filter(({ estimate }) => estimate >= from);
      const share = (of: typeof list, right: boolean): string => {
        const all = list.filter((each) => each.right === right).length;
        return (of.filter((each) => each.right === right).length / all).toFixed(3);
      };
      const precision = above.filter(({ right }) => right).length / above.length;
      console.log(
        `  from ${from.toFixed(2)}: ${above.length} answered, ${precision.toFixed(3)} of them right; of the right ${share(above, true)}, of the others ${share(above, false)}`,
      );
    }
  }
  const weights = fit(examples);
  console.log(`  ${kind}: {`);
  for (const [k, name] of ['bias', ...SIGNS].entries())
    console.log(`    ${name}: ${weights[k]!.toFixed(2)},`);
  console.log('  },');
}

/** What is fitted on: the hit that is answered from, and whether that is right. */
function factOf(hits: readonly Hit[], right: boolean): Pick<Example, 'vector' | 'right' | 'kind'>[] {
  const match = hits[0]?.match;
  return match === undefined || match.words.length === 0
    ? []
    : [{ vector: [1, ...signsOf(match)], right, kind: kindOf(match) }];
}

async function ofSet(set: EvalSet, work: string): Promise<Example[]> {
  const { index } = await openKnowledge({ folder: await set.base(work), snapshotDir: null });
  const facts: Example[] = [];
  for (const { question, expect, gold, article } of await readQuestions(set)) {
    const hits = await index.search(question, { topK: TOP_K });
    const right = expect === 'answered' && gold.includes(hits[0]?.source.id ?? '');
    const more = { set: set.name, group: `${set.name} ${article}`, weight: OTHERS[set.name]! };
    facts.push(...factOf(hits, right).map((fact) => ({ ...fact, ...more })));
  }
  return facts;
}

/** Each left-out line asks for its source: with it in the base, and without. */
async function ofLines(): Promise<Example[]> {
  const { sources, synonyms } = await loadKnowledgeBase(STARTER_BASE);
  const others = sources.map((source) =>
    source.asked === undefined ? source : { ...source, asked: source.asked.filter((_, i) => i !== LEFT_OUT) },
  );
  const index = new LexicalIndex(buildIndex(others, synonyms));
  return sources.flatMap(({ id, section, asked }) => {
    const line = asked?.[LEFT_OUT];
    if (line === undefined) return [];
    const hits = index.search(line, { topK: CANDIDATES + 1 });
    const without = hits.filter(({ source }) => source.id !== id);
    return [hits, without].flatMap((found) => {
      const ranked = rankHits(index, line, found.slice(0, CANDIDATES));
      const more = { set: 'lines', group: `lines ${section}`, weight: OF_A_LINE };
      return factOf(ranked, ranked[0]?.source.id === id).map((fact) => ({ ...fact, ...more }));
    });
  });
}

async function ofTuning(): Promise<Example[]> {
  const rows = (await readRows('tuning')) ?? [];
  const { index } = await openKnowledge({ folder: STARTER_BASE, snapshotDir: null });
  const facts: Example[] = [];
  for (const row of rows) {
    if (row.parts > 1) continue;
    const hits = await index.search(row.question, { topK: TOP_K });
    const given = await answerAnyway(index, row.question);
    const right = isRight(judge(row, { status: 'answered', ...given, relevance: null }));
    const more = { set: 'tuning', group: `tuning ${row.topic}`, weight: 1 };
    facts.push(...factOf(hits, right).map((fact) => ({ ...fact, ...more })));
  }
  return facts;
}

/** What would be answered if nothing were refused. */
async function answerAnyway(
  index: KnowledgeIndex,
  question: string,
): Promise<{ answer: string; citations: string[] }> {
  const retriever: Retriever = {
    indexHash: index.hash,
    asOf: index.about?.asOf ?? null,
    search: (query, options) => index.search(query, options),
    coverage: (query, hits) => ({ ...index.coverage(query, hits), covered: true }),
    source: (id) => index.source(id),
  };
  const output = await runAsk(
    askMachineOf(retriever, createExtractiveGenerator()),
    {
      request_id: '-',
      question,
      mode: 'knowledge',
      top_k: TOP_K,
      model: '-',
      now: () => 0,
      modelUntil: null,
      fallback: false,
    },
    new AbortController().signal,
  );
  return output.outcome === 'answer' ? output.answer : { answer: '', citations: [] };
}

/** How often a right one is estimated above another one. */
function areaUnder(list: readonly { estimate: number; right: boolean }[]): number {
  const [right, others] = [list.filter((each) => each.right), list.filter((each) => !each.right)];
  const above = right.flatMap((a) =>
    others.map((b) => (a.estimate > b.estimate ? 1 : a.estimate === b.estimate ? 0.5 : 0)),
  );
  return above.reduce((sum: number, each) => sum + each, 0) / above.length;
}

const fit = (some: readonly Fact[]): number[] => fitFacts(some, SIGNS.length + 1, RIDGE);
