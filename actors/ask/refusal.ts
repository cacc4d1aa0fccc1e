import { fold, isStopWord } from '../../kb/analysis/analysis.ts';
import { SAYS_SOMETHING, tellingOf } from '../../kb/analysis/telling.ts';
import type { Coverage } from '../../kb/knowledge.ts';
import { suggestionFor } from '../../kb/heading.ts';
import type { Language, Source } from '../../kb/source.ts';
import { clarification } from './ask-back.ts';
import type { AskContext } from './ask-context.ts';
import type { Answer } from './compose.ts';
import { MIN_NEAR } from './notes.ts';
import { frame, questionBack, refusal } from '../../kb/answer/templates.ts';

/** The most titles in a refusal. */
const MAX_NEAREST = 3;

export const REFUSED: Omit<Answer, 'answer'> = {
  status: 'refused',
  verified: false,
  answer_type: 'refusal',
  citations: [],
  sources: [],
  conflicts: [],
  conflict_ids: [],
  clarification_question: null,
};

/**
 * A refusal: that no source answers, what is missing, and the nearest titles. If the question is too short to judge, it
 * is a question back.
 */
export function refused(
  question: string,
  language: Language,
  coverage: Coverage | null,
  { hits, asOf, readings = [] }: Pick<AskContext, 'hits' | 'asOf'> & Partial<Pick<AskContext, 'readings'>>,
): Answer {
  const back =
    readings.length > 0
      ? frame('clarify', language, readings)
      : coverage?.otherYears === null
        ? clarification(question, language, hits, null)
        : null;
  if (back !== null) return { ...REFUSED, answer: back, clarification_question: questionBack(back) };
  const near = coverage?.otherYears === null ? hits.filter(({ source }) => isNear(source, coverage)) : [];
  const titles = [...new Set(near.map(({ source }) => suggestionFor(source)))].slice(0, MAX_NEAREST);
  return {
    ...REFUSED,
    answer: refusal(language, {
      missing: (coverage?.missing ?? []).filter(saysSomething),
      otherYears: coverage?.otherYears ?? null,
      asOf,
      nearest: titles,
    }),
  };
}

/**
 * Whether a source is near enough to be named. The likeliest passages of documents always are: of the covered questions
 * that are refused, two of five are answered by one of the first three.
 */
const isNear = ({ units }: Source, { value }: Coverage): boolean => units !== undefined || value >= MIN_NEAR;

/**
 * Whether a word says something. A question in another language than the base's has words without meaning in that
 * language (`how`, `wie`).
 */
const saysSomething = (term: string): boolean =>
  (['de', 'en'] as const).every((language) => {
    const folded = fold(term, language);
    return !isStopWord(folded, language) && tellingOf(folded, language) >= SAYS_SOMETHING;
  });
