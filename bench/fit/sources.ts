import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadKnowledgeBase } from '../../kb/base/load.ts';
import { buildIndex } from '../../kb/index/build.ts';
import { LexicalIndex } from '../../kb/index/lexical-index.ts';
import { describe, FEATURES } from '../../kb/ranking/features.ts';
import { CANDIDATES } from '../../kb/ranking/rank.ts';
import { STARTER_BASE } from '../../services/config.ts';
import { quotedText } from '../answers/judge.ts';
import { readRows, type Row } from '../answers/rows.ts';
import { readQuestions, SETS } from '../eval-sets.ts';
import { dot, fitChoice, heldOut, type Choice } from './ascent.ts';

const RIDGE = 2;
/** A line that was written with its passage at hand says less than a question that was not. */
const OF_A_LINE = 0.3;
const OF_TUNING = 3;
/** Lines of `asked` that are left out of the index in turn, and asked. */
const LEFT_OUT = [0, 2, 4];

/** Weights of the order of sources (`kb/ranking/weights.ts`). */
export async function fitSources(): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'beleg-fit-'));
  try {
    const examples: Choice[] = [...(await ofTuning()), ...(await ofLines())];
    for (const set of SETS)
      if (set.here && set.name !== 'ramdocs') examples.push(...(await ofSet(set, work)));
    const outcomes = new Map<
      string,
      { before: number; first: number; second: number; any: number; count: number }
    >();
    for (const { example, weights } of heldOut(examples, fit)) {
      const { set, vectors, right } = example;
      const order = vectors
        .map((vector, i) => ({ i, fit: dot(weights, vector) }))
        .toSorted((a, b) => b.fit - a.fit)
        .map(({ i }) => right[i] === true);
      const known = outcomes.get(set) ?? { before: 0, first: 0, second: 0, any: 0, count: 0 };
      outcomes.set(set, {
        before: known.before + Number(right[0] === true),
        first: known.first + Number(order[0] === true),
        second: known.second + Number(order.slice(0, 2).includes(true)),
        any: known.any + Number(right.includes(true)),
        count: known.count + 1,
      });
    }
    for (const [set, { before, first, second, any, count }] of outcomes) {
      const shares = [before, first, second, any].map((n) => (n / count).toFixed(3));
      console.log(
        `${set.padEnd(14)} ${String(count).padStart(4)} held out: right first ${shares[0]} by search, ${shares[1]} as ranked, ` +
          `among two ${shares[2]}, among ${CANDIDATES} ${shares[3]}`,
      );
    }
    const weights = fit(examples);
    for (const [k, name] of FEATURES.entries()) console.log(`  ${name}: ${weights[k]!.toFixed(2)},`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function choiceOf(
  index: LexicalIndex,
  question: string,
  isRight: (id: string) => boolean,
): Pick<Choice, 'vectors' | 'right'> {
  const hits = index.search(question, { topK: CANDIDATES });
  return {
    vectors: describe(index, question, hits).map(({ features }) => FEATURES.map((name) => features[name])),
    right: hits.map(({ source }) => isRight(source.id)),
  };
}

async function ofSet(set: (typeof SETS)[number], work: string): Promise<Choice[]> {
  const { sources, synonyms } = await loadKnowledgeBase(await set.base(work));
  const index = new LexicalIndex(buildIndex(sources, synonyms));
  const questions = await readQuestions(set);
  return questions
    .filter(({ expect, gold }) => expect === 'answered' && gold.length > 0)
    .map(({ question, gold, article }) => ({
      set: set.name,
      group: `${set.name} ${article}`,
      weight: 1,
      ...choiceOf(index, question, (id) => gold.includes(id)),
    }));
}

/** Right is what holds most of the facts, of the passages that may be cited. */
async function ofTuning(): Promise<Choice[]> {
  const rows = (await readRows('tuning')) ?? [];
  const { sources, synonyms } = await loadKnowledgeBase(STARTER_BASE);
  const index = new LexicalIndex(buildIndex(sources, synonyms));
  const texts = new Map(sources.map(({ id, text }) => [id, quotedText(text)]));
  const factsIn = (row: Row, id: string): number =>
    row.facts.filter((patterns) => patterns.some((pattern) => pattern.test(texts.get(id) ?? ''))).length;
  return rows
    .filter(({ expect, parts }) => expect === 'answered' && parts === 1)
    .map((row) => {
      const most = Math.max(...row.may_cite.map((id) => factsIn(row, id)));
      return {
        set: 'tuning',
        group: `tuning ${row.topic}`,
        weight: OF_TUNING,
        ...choiceOf(index, row.question, (id) => row.may_cite.includes(id) && factsIn(row, id) === most),
      };
    });
}

/** Each left-out line asks for its source. */
async function ofLines(): Promise<Choice[]> {
  const { sources, synonyms } = await loadKnowledgeBase(STARTER_BASE);
  return LEFT_OUT.flatMap((left) => {
    const others = sources.map((source) =>
      source.asked === undefined ? source : { ...source, asked: source.asked.filter((_, i) => i !== left) },
    );
    const index = new LexicalIndex(buildIndex(others, synonyms));
    return sources.flatMap(({ id, section, asked }) =>
      asked?.[left] === undefined
        ? []
        : {
            set: 'lines',
            group: `lines ${section}`,
            weight: OF_A_LINE,
            ...choiceOf(index, asked[left], (other) => other === id),
          },
    );
  });
}

const fit = (some: readonly Choice[]): number[] => fitChoice(some, FEATURES.length, RIDGE);
