import { plainAnalysis } from '../../kb/analysis/analysis.ts';
import type { Word } from '../../kb/analysis/word.ts';
import { suggestionFor } from '../../kb/heading.ts';
import type { Language, Source } from '../../kb/source.ts';
import { familyOf } from '../../kb/base/year.ts';
import type { Hit } from '../../kb/hit.ts';
import { isOneWord } from '../../kb/ranking/coverage.ts';
import type { AskContext } from './ask-context.ts';
import { hasForeignMarkup } from '../../kb/answer/foreign-markup.ts';
import { leansOnMore } from '../../kb/answer/plan/leaning.ts';
import type { Retriever } from '../../kb/answer/ports.ts';
import { FOUND } from '../../kb/ranking/match.ts';
import { quantitiesIn } from '../../kb/answer/quantities.ts';
import { frame, questionBack } from '../../kb/answer/templates.ts';
import { contentTerms, overlap } from '../../kb/answer/content-terms.ts';

/** A hit fits the question about as well as the best one if its score is at least this share of the best score. */
const ABOUT_EQUAL = 0.8;
/** A question counts as clear if it has more content words than `MAX_WORDS`, or more nouns than `MAX_NOUNS`. */
const MAX_WORDS = 4;
const MAX_NOUNS = 2;
const MAX_TOPICS = 4;
/** A shorter part of a word occurs in too many other words. */
const MIN_PART = 5;

/**
 * A question back for a short question that fits several topics about equally well: the titles of the best hits contain
 * every noun of the question, each has something more, and no other word of the question tells them apart. If nothing
 * is answered, only sources with every word of the question count. `null` if there are not at least two such topics, or
 * if the answer does not cite exactly one of them.
 *
 * @param cited the cited sources; `null` if nothing is answered.
 */
export function clarification(
  question: string,
  language: Language,
  hits: readonly Hit[],
  cited: readonly string[] | null,
): string | null {
  const topics = topicsOf(question, cited === null ? hits.filter(hasAll) : hits).slice(0, MAX_TOPICS);
  const covered = topics.filter((topic) => topic.some((source) => cited?.includes(source.id) === true));
  if (topics.length < 2 || (cited !== null && covered.length !== 1)) return null;
  return frame(
    'clarify',
    language,
    topics.map(([source]) => suggestionFor(source!)),
  );
}

/**
 * The possible meanings of a question that depends on something unsaid (`Gilt das auch für Azubis?`): titles of sources
 * with everything that it names, if the base answers the question for each of them. Empty if the question is clear by
 * itself, or if only one meaning is found.
 */
export async function readingsOf(
  retriever: Retriever,
  question: string,
  hits: readonly Hit[],
): Promise<readonly string[]> {
  if (!leansOnMore(question)) return [];
  const readings = new Map<string, string>();
  for (const { source, match } of hits) {
    const name = suggestionFor(source);
    // A rule of several years is one topic.
    const topic = source.year === null ? name : familyOf(source);
    // A word with a capital counts as a noun. The first word always has a capital, so it does not count (`Gilt`,
    // `Und`).
    const isMeant =
      match?.words.every(({ noun, start }, k) => !noun || start === 0 || match.found[k]! >= FOUND) === true;
    if (!isMeant || readings.has(topic)) continue;
    const found = await retriever.search(name, { topK: hits.length });
    const isAnswered =
      found[0] !== undefined &&
      suggestionFor(found[0].source) === name &&
      retriever.coverage(name, found).covered;
    if (isAnswered && readings.set(topic, name).size === MAX_TOPICS) break;
  }
  return readings.size < 2 ? [] : [...readings.values()];
}

const MAX_QUESTION = 200;
/** The share of a question's content words that the question back and the sources must contain. */
const MIN_KNOWN = 0.6;

/**
 * Whether the model may ask this question back. It must be one short question with words of the question or of the
 * hits, and without a figure of its own, so that it cannot claim anything.
 */
export function mayAsk(back: string, question: string, language: Language, hits: readonly Hit[]): boolean {
  if (hasForeignMarkup(back, []) || back.length > MAX_QUESTION || !/^[^?!.:[\]⚠\n]+\?$/u.test(back))
    return false;
  const texts = hits.map(({ source }) => `${source.title} ${source.section} ${source.text}`);
  const known = [question, ...texts].join('\n');
  const figures = quantitiesIn(known, language);
  return (
    overlap(contentTerms(back, language), contentTerms(known, language)) >= MIN_KNOWN &&
    quantitiesIn(back, language).every((figure) =>
      figures.some(({ kind, value }) => kind === figure.kind && value === figure.value),
    )
  );
}

/**
 * Whether a source has each word of the question. A question back about another source would promise an answer that the
 * source does not have.
 */
const hasAll = ({ match }: Hit): boolean => match?.found.every((found) => found >= FOUND) ?? true;

/** Sources by topic, best first. A rule of several years is one topic. */
function topicsOf(question: string, hits: readonly Hit[]): (readonly Source[])[] {
  const [best] = hits;
  if (best === undefined || hits.some((hit) => hit.referenced)) return [];
  const words = plainAnalysis.words(question, best.source.lang);
  const nouns = words.filter((word) => /^\p{Lu}/u.test(word.text) && (word.start > 0 || words.length === 1));
  const asked = nouns.length > 0 ? nouns : words;
  if (words.length > MAX_WORDS || asked.length === 0 || asked.length > MAX_NOUNS) return [];
  const titles = hits
    .filter((hit) => hit.score >= ABOUT_EQUAL * best.score)
    .map(({ source }) => ({ source, words: plainAnalysis.words(source.title, source.lang) }))
    .filter((title) => asked.every((word) => has(title.words, word)) && title.words.length > asked.length);
  const tellsApart = words.some((word) => new Set(titles.map((title) => has(title.words, word))).size > 1);
  if (tellsApart) return [];
  const sources = titles.map((title) => title.source);
  return [...Map.groupBy(sources, (source) => source.title.replaceAll(/\d{4}/gu, '').trim()).values()];
}

/** Whether the title has the word, or a compound that contains it (`Kündigung`, `Kündigungsfrist`). */
function has(title: readonly Word[], word: Word): boolean {
  return title.some(
    (other) => other.term === word.term || (word.term.length >= MIN_PART && other.folded.includes(word.term)),
  );
}

/** The likelihood from which on a single word certainly means a title. */
const SURELY = 0.8;

/**
 * Whether a question is a single word that several titles contain, and none is certainly meant. Then the answer only
 * asks which one.
 */
export function isGuess({ asked, draft, coverage, review: reviewed }: AskContext): boolean {
  return (
    reviewed === null &&
    isOneWord(asked) &&
    (coverage?.relevance ?? 1) < SURELY &&
    questionBack(draft!.sentences.at(-1)?.text ?? '') !== null
  );
}
