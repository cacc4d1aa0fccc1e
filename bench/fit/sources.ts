import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadKnowledgeBase, type KnowledgeBase } from '../../kb/base/load.ts';
import { buildIndex } from '../../kb/index/build.ts';
import { LexicalIndex } from '../../kb/index/lexical-index.ts';
import { describe, FEATURES, orderKindOf } from '../../kb/ranking/features.ts';
import type { Likeness } from '../../kb/ranking/likeness.ts';
import { CANDIDATES } from '../../kb/ranking/rank.ts';
import type { Kind } from '../../kb/ranking/signs.ts';
import { STARTER_BASE } from '../../services/knowledge/settings.ts';
import { quotedText } from '../answers/judge.ts';
import { readRows, type Row } from '../answers/rows.ts';
import { answersWhole, type Collection } from '../documents/collection-set.ts';
import { readQuestions, SETS } from '../eval-sets.ts';
import { dot, fitChoice, heldOut, type Choice } from './ascent.ts';
import { learnLikeness } from './likeness.ts';
import { readTraining } from './training.ts';

const RIDGE: Readonly<Record<Kind, number>> = { lined: 0.1, unlined: 0.1, document: 0.3 };
/** A line that was written with its passage at hand says less than a question that was not. */
const OF_A_LINE = 0.3;
const OF_A_QUESTION = 3;
/** Every eighth line of `asked` is used as a question: it is in neither the index nor the training of likeness. */
const LEFT_OUT = 8;

/** Weights of the order of sources (`kb/ranking/weights.ts`): of those that say how they are asked for, and of others; of passages of documents where collections are given. */
export async function fitSources(collections: readonly Collection[]): Promise<void> {
  if (collections.length > 0) {
    const ofDocuments: Choice[] = [];
    for (const collection of collections) ofDocuments.push(...(await ofCollection(collection)));
    report('document', ofDocuments);
    return;
  }
  const base = await loadKnowledgeBase(STARTER_BASE);
  report('lined', [...(await ofQuestions(base)), ...ofLines(base)]);
  const work = await mkdtemp(join(tmpdir(), 'beleg-fit-'));
  try {
    const others: Choice[] = [];
    for (const set of SETS)
      if (set.here && !set.name.startsWith('starter') && set.name !== 'ramdocs')
        others.push(...(await ofSet(set, work)));
    report('unlined', others);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function report(kind: Kind, examples: readonly Choice[]): void {
  const fit = (some: readonly Choice[]): number[] => fitChoice(some, FEATURES[kind].length, RIDGE[kind]);
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
  console.log(`  ${kind}: {`);
  for (const [k, name] of FEATURES[kind].entries()) console.log(`    ${name}: ${weights[k]!.toFixed(2)},`);
  console.log('  },');
}

const indexOf = ({ sources, synonyms }: Pick<KnowledgeBase, 'sources' | 'synonyms'>): LexicalIndex =>
  new LexicalIndex(buildIndex(sources, synonyms));

function choiceOf(
  index: LexicalIndex,
  question: string,
  isRight: (id: string) => boolean,
  likeness?: Likeness,
): Pick<Choice, 'vectors' | 'right'> & { readonly kind: Kind } {
  const hits = index.search(question, { topK: CANDIDATES });
  const kind = orderKindOf(hits);
  return {
    kind,
    vectors: describe(index, question, hits, likeness).map(({ features }) =>
      FEATURES[kind].map((name) => features[name]),
    ),
    right: hits.map(({ source }) => isRight(source.id)),
  };
}

/** Without the questions for which something was found that says how it is asked for: weights of their own judge that. */
async function ofSet(set: (typeof SETS)[number], work: string): Promise<Choice[]> {
  const index = indexOf(await loadKnowledgeBase(await set.base(work)));
  const questions = await readQuestions(set);
  return questions
    .filter(({ expect, gold }) => expect === 'answered' && gold.length > 0)
    .map(({ question, gold, article }) => ({
      set: set.name,
      group: `${set.name} ${article}`,
      weight: 1,
      ...choiceOf(index, question, (id) => gold.includes(id)),
    }))
    .filter(({ kind }) => kind === 'unlined');
}

/** Held out as a whole: what is learned on some documents is tried on others. */
async function ofCollection({ name, docs, questions }: Collection): Promise<Choice[]> {
  const index = indexOf(await loadKnowledgeBase(docs));
  return questions
    .filter(({ kind }) => kind === 'covered')
    .map((question) => ({
      set: name,
      group: name,
      weight: 1,
      ...choiceOf(index, question.question, (id) => answersWhole(question, index.source(id)!)),
    }));
}

/**
 * Choices from the questions of the tuning half. The right passage is the one with the most facts, among those that may
 * be cited.
 */
async function ofQuestions(base: KnowledgeBase): Promise<Choice[]> {
  const index = indexOf(base);
  const texts = new Map(base.sources.map(({ id, text }) => [id, quotedText(text)]));
  const factsIn = (row: Row, id: string): number =>
    row.facts.filter((patterns) => patterns.some((pattern) => pattern.test(texts.get(id) ?? ''))).length;
  const tuning = ((await readRows('tuning')) ?? [])
    .filter(({ expect, parts }) => expect === 'answered' && parts === 1)
    .map((row): Choice => {
      const most = Math.max(...row.may_cite.map((id) => factsIn(row, id)));
      return {
        set: 'tuning',
        group: `tuning ${row.topic}`,
        weight: OF_A_QUESTION,
        ...choiceOf(index, row.question, (id) => row.may_cite.includes(id) && factsIn(row, id) === most),
      };
    });
  const training = (await readTraining())
    .filter(({ expect, parts }) => expect === 'answered' && parts === 1)
    .map(({ question, topic, best }): Choice => ({
      set: 'training',
      group: `training ${topic}`,
      weight: OF_A_QUESTION,
      ...choiceOf(index, question, (id) => id === best[0]),
    }));
  return [...tuning, ...training];
}

/** Each left-out line asks for its source. */
function ofLines({ sources, synonyms }: KnowledgeBase): Choice[] {
  const others = sources.map((source) =>
    source.asked === undefined
      ? source
      : { ...source, asked: source.asked.filter((_, i) => i % LEFT_OUT !== 0) },
  );
  const index = indexOf({ sources: others, synonyms });
  const likeness = learnLikeness(others, index.analysis);
  return sources.flatMap(({ id, section, asked = [] }) =>
    asked
      .filter((_, i) => i % LEFT_OUT === 0)
      .map((line) => ({
        set: 'lines',
        group: `lines ${section}`,
        weight: OF_A_LINE,
        ...choiceOf(index, line, (other) => other === id, likeness),
      })),
  );
}
