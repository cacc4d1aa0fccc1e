/**
 * Retrieval alone, without an answer: how often a right source comes first, among three, five, ten, and its mean
 * reciprocal rank; typed with ae/oe/ue, in lower case, with a typo in each long word; and with the dense leg where
 * its English model was built (`bench/build-use-model.ts`).
 *
 *     node services/operator/launch.mjs --run bench/retrieval-eval.ts [SET …]
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { KnowledgeIndex } from '../kb/knowledge.ts';
import { openKnowledge } from '../kb/open.ts';
import { readQuestions, SETS } from './eval-sets.ts';
import { VARIANTS } from './eval-variants.ts';

export interface RetrievalFigures {
  readonly questions: number;
  readonly hit1: number;
  readonly hit3: number;
  readonly hit5: number;
  readonly hit10: number;
  /** Mean reciprocal rank among the first ten. */
  readonly mrr10: number;
}

export interface GoldQuestion {
  readonly question: string;
  /** Sources of which any one is right. */
  readonly gold: readonly string[];
}

export async function evaluateRetrieval(
  index: Pick<KnowledgeIndex, 'search'>,
  questions: readonly GoldQuestion[],
): Promise<RetrievalFigures> {
  const ranks: number[] = [];
  for (const { question, gold } of questions) {
    const hits = await index.search(question, { topK: 10 });
    ranks.push(hits.findIndex(({ source }) => gold.includes(source.id)) + 1);
  }
  const within = (most: number): number =>
    ranks.filter((rank) => rank > 0 && rank <= most).length / ranks.length;
  const mrr10 = ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : 1 / rank), 0) / ranks.length;
  return {
    questions: ranks.length,
    hit1: within(1),
    hit3: within(3),
    hit5: within(5),
    hit10: within(10),
    mrr10,
  };
}

const ENGLISH_MODEL = resolve(import.meta.dirname, '../models/use-lite');

function row(name: string, { questions, hit1, hit3, hit5, hit10, mrr10 }: RetrievalFigures): string {
  const figures = [hit1, hit3, hit5, hit10, mrr10].map((figure) => figure.toFixed(3).padStart(6)).join(' ');
  return `${name.padEnd(36)} ${String(questions).padStart(4)} ${figures}`;
}

async function main(names: readonly string[]): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'beleg-retrieval-'));
  console.log(`${''.padEnd(36)}    n  hit@1  hit@3  hit@5 hit@10 MRR@10`);
  try {
    for (const set of SETS) {
      if (!set.here || (names.length > 0 && !names.includes(set.name))) continue;
      const folder = await set.base(work);
      const questions = (await readQuestions(set)).filter(
        ({ expect, gold }) => expect === 'answered' && gold.length > 0,
      );
      const { index } = await openKnowledge({ folder, snapshotDir: null });
      console.log(row(set.name, await evaluateRetrieval(index, questions)));
      for (const { name, apply } of VARIANTS) {
        const typed = questions.map(({ question, gold }) => ({ question: apply(question), gold }));
        console.log(row(`  ${name}`, await evaluateRetrieval(index, typed)));
      }
      if (set.name === 'squad2' && existsSync(ENGLISH_MODEL)) {
        const embedding = { model: ENGLISH_MODEL, allowRemote: false };
        const dense = await openKnowledge({ folder, snapshotDir: join(work, set.name), embedding });
        console.log(row(`  ${dense.index.retrieval}`, await evaluateRetrieval(dense.index, questions)));
      }
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
