import { renderNotChecked, renderSection } from '../../kb/review/answer-section.ts';
import type { Check, NotChecked } from '../../kb/review/check.ts';
import { foldedWords } from '../../kb/review/folded-words.ts';
import type { AskContext } from './ask-context.ts';
import { reference, type Answer } from './compose.ts';
import { REFUSED } from './refusal.ts';
import { asOfNote } from './notes.ts';
import { RELEVANT } from '../../kb/answer-thresholds.ts';

/** In review mode an answer ends with the checks, and begins with what was not checked. */
export function closed(
  context: AskContext,
  answer: Answer,
): { answer: Answer; checks: Check[] | null; notChecked: NotChecked[] | null } {
  const { review: found, related, language } = context;
  if (found === null) return { answer, checks: null, notChecked: null };
  const titles = new TitleWords();
  const notChecked = found.notChecked.map(({ fact, reason }): NotChecked => {
    const words = foldedWords(fact);
    const nearest = related[found.unknown.indexOf(fact)]?.find(
      ({ source }) => source.lang === language && titles.have(source.title, words),
    );
    if (nearest === undefined) return { fact, reason };
    const { title } = nearest.source;
    const more = language === 'de' ? `Verwandt ist: ${title}.` : `Related: ${title}.`;
    return { fact, reason: `${reason} ${more}` };
  });
  const checks = [...found.checks];
  return { answer: withSection(answer, { checks, notChecked }, context), checks, notChecked };
}

/**
 * An answer in review mode. It begins with the facts that were not checked and ends with the section of checks, whose
 * sources are cited like others. The base's answer to the question comes between, unless it is about something else
 * than the checks, or may be beside the point. If nothing could be judged, only the reasons are given.
 */
function withSection(
  answer: Answer,
  { checks, notChecked }: { checks: readonly Check[]; notChecked: readonly NotChecked[] },
  { coverage, hits, cited, language, asOf }: AskContext,
): Answer {
  const open = renderNotChecked(notChecked, language);
  const section = renderSection(checks, notChecked, language);
  const join = (...parts: readonly string[]): string =>
    [...(open === '' ? [] : [open]), ...parts, section].join('\n\n');
  if (checks.length === 0 && notChecked.length > 0)
    return { ...answer, ...REFUSED, answer: join(...asOfNote(asOf, language)) };
  if (answer.status === 'refused' && checks.length === 0) return { ...answer, answer: join(answer.answer) };
  const rests = new Set(checks.flatMap((check) => check.source_ids));
  const alone =
    answer.status === 'refused' ||
    (rests.size > 0 &&
      ((coverage?.relevance ?? 1) < RELEVANT || !answer.citations.some((id) => rests.has(id))));
  const citations = [...new Set([...(alone ? [] : answer.citations), ...rests])];
  const byId = new Map([...hits.map(({ source }) => source), ...cited].map((source) => [source.id, source]));
  return {
    ...answer,
    ...(alone ? ALONE : {}),
    answer_type: 'review',
    answer: alone ? join(...asOfNote(asOf, language)) : join(answer.answer),
    citations,
    sources: citations
      .flatMap((id) => byId.get(id) ?? [])
      .map((source) => answer.sources.find(({ id }) => id === source.id) ?? reference(source, [])),
  };
}

/** The fixed fields of an answer that consists of review checks only. */
const ALONE = {
  status: 'answered',
  verified: true,
  conflicts: [],
  conflict_ids: [],
  clarification_question: null,
} as const satisfies Partial<Answer>;

/** The words of titles. Each title is read once, because many facts may have found it. */
class TitleWords {
  readonly #words = new Map<string, readonly string[]>();

  /** Whether the title has every word of a key. */
  have(title: string, words: readonly string[]): boolean {
    const own = this.#words.get(title) ?? foldedWords(title);
    this.#words.set(title, own);
    return words.length > 0 && words.every((word) => own.some((each) => each.includes(word)));
  }
}
