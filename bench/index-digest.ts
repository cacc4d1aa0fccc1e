import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { loadKnowledgeBase, type KnowledgeBase } from '../kb/base/load.ts';
import { buildIndex } from '../kb/index/build.ts';
import { LexicalIndex } from '../kb/index/lexical-index.ts';
import { readQuestions, SETS } from './eval-sets.ts';
import { enlarge, questionsOn, realSources } from './synthetic-base.ts';

/**
 * `npm run bench -- index-digest`: a hash over the best ten of each question with scores, passages and their order. Two commits
 * that print the same lines rank the same.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { size: { type: 'string', default: '4000' } } });
  for (const set of SETS) {
    if (!set.here || !existsSync(set.questions)) continue;
    const base = await loadKnowledgeBase(await set.base(join('data', 'index-digest')));
    print(
      set.name,
      base,
      (await readQuestions(set)).map(({ question }) => question),
    );
  }
  const { name, sources } = await realSources();
  const statutes = enlarge(sources, Number(values.size));
  const questions = questionsOn(statutes, 1000);
  print(name, { sources: statutes, synonyms: [], about: null }, [...questions, ...questions.map(mistyped)]);
}

function print(
  name: string,
  { sources, synonyms, about }: Pick<KnowledgeBase, 'sources' | 'synonyms' | 'about'>,
  questions: readonly string[],
): void {
  const index = new LexicalIndex(buildIndex(sources, synonyms), about);
  const hash = createHash('sha256');
  for (const question of questions) {
    for (const { source, score, passages, referenced } of index.search(question, { topK: 10 }))
      hash.update(
        JSON.stringify([
          source.id,
          score,
          referenced,
          passages.map(({ start, text }) => [start, text.length]),
        ]),
      );
    hash.update('\n');
  }
  console.log(
    `${name.padEnd(16)} ${index.passageCount} passages, ${questions.length} questions, ${hash.digest('hex').slice(0, 16)}`,
  );
}

/** Without one letter of each long word. */
const mistyped = (question: string): string =>
  question.replace(/\p{L}{9,}/gu, (word) => word.slice(0, 4) + word.slice(5));
