import type { Hit, Language } from '../../kb/knowledge.ts';
import type { Check, NotChecked } from '../review/check.ts';
import { foldedWords } from '../review/folded-words.ts';
import type { AskContext } from './ask-context.ts';
import { withSection, type Answer } from './compose.ts';

/** In review mode an answer closes with the checks, and says first what was not checked. */
export function closed(
  { review: found, related, cited, hits, language, asOf, coverage }: AskContext,
  answer: Answer,
): { answer: Answer; checks: Check[] | null; notChecked: NotChecked[] | null } {
  if (found === null) return { answer, checks: null, notChecked: null };
  const notChecked = found.notChecked.map(({ fact, reason }): NotChecked => {
    const nearest = related[found.unknown.indexOf(fact)]?.find((hit) => isClose(fact, hit, language));
    if (nearest === undefined) return { fact, reason };
    const { title } = nearest.source;
    return {
      fact,
      reason: `${reason} ${language === 'de' ? `Verwandt ist: ${title}.` : `Related: ${title}.`}`,
    };
  });
  const sources = [...hits.map(({ source }) => source), ...cited];
  return {
    answer: withSection(
      answer,
      { checks: found.checks, notChecked },
      coverage?.relevance ?? null,
      sources,
      language,
      asOf,
    ),
    checks: [...found.checks],
    notChecked,
  };
}

/** True where the title has each word of a key, in the language of the answer. */
function isClose(key: string, { source }: Hit, language: Language): boolean {
  const title = foldedWords(source.title);
  const words = foldedWords(key);
  return (
    source.lang === language &&
    words.length > 0 &&
    words.every((word) => title.some((each) => each.includes(word)))
  );
}

/** Ids of the passages that the checks rest on. */
export function citedOf({ review: found }: AskContext): string[] {
  return [...new Set(found?.checks.flatMap(({ source_ids }) => source_ids))];
}
