import { foldToken, isStopWord, plainAnalysis, stem } from '../../analysis/analysis.ts';
import { tokenize } from '../../analysis/tokens.ts';
import type { Token } from '../../analysis/word.ts';
import type { Source } from '../../source.ts';
import type { Hit } from '../../hit.ts';
import { answerTypeOf, type AnswerType } from '../../ranking/answer-type.ts';
import { negations } from '../negation.ts';
import { isFigureWord, quantitiesIn, type Quantity } from '../quantities.ts';
import type { Sentence } from '../../sentences.ts';
import { sentencesOf } from '../source-sentences.ts';
import { overlap } from '../content-terms.ts';
import type { Aligned } from './alignment.ts';

/** A side of a contradiction: a sentence, word for word, and the source that has it. */
export interface Side {
  readonly text: string;
  readonly source: Source;
}

/**
 * The number of passages of a source that are compared, best first, because a long source is also about other things.
 */
const MAX_PASSAGES = 3;
/** The share of the question's words that a relevant sentence contains. */
const RELEVANCE = 0.3;

export interface Word extends Aligned {
  /** The word as written, folded. The key may be another spelling of the same figure. */
  readonly folded: string;
  readonly capital: boolean;
  readonly quantity: Quantity | null;
}

export interface Candidate extends Side {
  /**
   * Stems of the sentence's content words, for a cheap comparison. The fields below are computed when they are first
   * needed.
   */
  readonly terms: ReadonlySet<string>;
  readonly words: () => readonly Word[];
  /** Keys of the sentence's content words. */
  readonly keys: () => ReadonlySet<string>;
  /** The number of negations and exceptions in the sentence. */
  readonly negations: () => number;
  readonly measured: () => Measured;
  /**
   * Content words of all compared sentences of the same source, folded. If one of two sources mentions the other's
   * figure elsewhere, the figure does not mark another case.
   */
  readonly known: ReadonlySet<string>;
  /**
   * Whether the sentence has words of the question: `relevant` any of them, `onTopic` words for the property that is
   * asked for (`population`), not only names. Both are true for a quoted sentence.
   */
  readonly relevant: boolean;
  readonly onTopic: boolean;
  /** The text that leads into the sentence in its source, if the sentence is an item of a list or a row of a table. */
  readonly lead: string;
  /** Whether the draft quotes the sentence. Anything that contradicts a quoted sentence matters. */
  readonly quoted: boolean;
}

/**
 * The figures of a sentence: those with a unit, and all others as text, with the stems of the content words beside the
 * figures.
 */
interface Measured {
  readonly values: readonly Quantity[];
  readonly others: string;
  readonly words: ReadonlySet<string>;
}

export interface Asked {
  readonly type: AnswerType;
  readonly terms: ReadonlySet<string>;
  /** The words of the question that are no names: the property asked for (`population`). */
  readonly topic: ReadonlySet<string>;
  /** Names and figures of the question that the best hit contains: the subject, which every source must be about. */
  readonly names: ReadonlySet<string>;
}

/**
 * The subject and the property that the question asks for; `null` if the best hit has none of the question's names, so
 * that no hit is certain to be about it.
 */
export function askedOf(question: string, hits: readonly Hit[]): Asked | null {
  const [best] = hits;
  if (best === undefined) return null;
  const words = plainAnalysis.words(question, best.source.lang);
  const names = termSet(words.filter(isName));
  const known = names.intersection(termsOf(best.source));
  // German nouns have capitals too, so a word with a capital is often no name, and its absence says little.
  if (best.source.lang === 'en' && names.size > 0 && known.size === 0) return null;
  return {
    type: answerTypeOf(question),
    terms: termSet(words),
    topic: termSet(words.filter((word) => !isName(word))),
    names: known,
  };
}

/** Whether a word is a figure, or has a capital within the question (as every noun has in German). */
function isName({ text, start }: Token): boolean {
  return /^\p{N}/u.test(text) || (start > 0 && /^\p{Lu}/u.test(text));
}

const termSet = (words: readonly { term: string }[]): ReadonlySet<string> =>
  new Set(words.map(({ term }) => term));

function termsOf({ title, section, text, lang }: Source): ReadonlySet<string> {
  return termSet(plainAnalysis.words(`${title} ${section} ${text}`, lang));
}

/**
 * The sentences of a source's best passages, and those that the draft quotes, if the source is about the question's
 * subject.
 */
export function candidatesOf(
  { source, passages }: Hit,
  { terms, topic, names }: Asked,
  quoted: ReadonlySet<string>,
): Candidate[] {
  const headingWords = plainAnalysis.words(`${source.title} ${source.section}`, source.lang);
  const known = new Set(headingWords.map(({ folded }) => folded));
  const best = passages.slice(0, MAX_PASSAGES);
  const near = ({ start, text }: { start: number; text: string }): boolean =>
    quoted.has(text) ||
    best.some((passage) => start >= passage.start && start < passage.start + passage.text.length);
  const all = sentencesOf(source);
  const sentences = all.filter((each) => each.form !== 'code' && near(each));
  const candidates = sentences.map(({ text, lead }): Candidate => {
    const contents = plainAnalysis.words(text, source.lang);
    for (const { folded } of contents) known.add(folded);
    const own = termSet(contents);
    const words = lazily(() => wordsOf(text, source));
    return {
      text,
      source,
      terms: own,
      words,
      keys: lazily(
        () =>
          new Set(
            words()
              .filter((word) => word.content)
              .map((word) => word.key),
          ),
      ),
      negations: lazily(() => negations(text)),
      measured: lazily(() => measured(words(), source)),
      known,
      relevant: overlap(terms, own) >= RELEVANCE,
      onTopic: !topic.isDisjointFrom(own),
      lead: leadOf(all, lead, source),
      quoted: quoted.has(text),
    };
  });
  // Whether passages of documents are about the same subject is decided by the headings above them (`sameSubject`).
  if (source.units !== undefined) return candidates;
  const heading = termSet(headingWords);
  const speaksOf = (name: string): boolean =>
    heading.has(name) || candidates.some(({ terms }) => terms.has(name));
  return [...names].every(speaksOf) ? candidates : [];
}

/** The heading of a passage introduces only that passage. */
function leadOf(all: readonly Sentence[], lead: number | null, { title }: Source): string {
  const text = lead === null ? '' : (all[lead]?.text ?? '');
  return text === title ? '' : text;
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const isValue = ({ kind, unit }: Quantity): boolean => kind === 'number' && unit !== null;

function measured(words: readonly Word[], source: Source): Measured {
  const quantities = [...new Set(words.flatMap((word) => word.quantity ?? []))];
  return {
    values: quantities.filter(isValue),
    others: quantities
      .filter((quantity) => !isValue(quantity))
      .map(({ value }) => value)
      .toSorted()
      .join(' '),
    words: new Set(
      words
        .filter((word) => word.content && word.quantity === null && !isFigureWord(word.key, source.lang))
        .map((word) => stem(word.key, source.lang)),
    ),
  };
}

function wordsOf(text: string, source: Source): Word[] {
  const quantities = quantitiesIn(text, source.lang);
  let next = 0;
  return tokenize(text).map((token) => {
    while (next < quantities.length && quantities[next]!.end <= token.start) next += 1;
    const quantity = (quantities[next]?.start ?? Infinity) < token.end ? quantities[next]! : null;
    const folded = foldToken(token.text, source.lang);
    return {
      // Different spellings of one figure count as one word.
      key: quantity === null ? folded : `${quantity.value} ${quantity.unit}`,
      folded,
      start: token.start,
      end: token.end,
      content: quantity !== null || (folded.length > 1 && !isStopWord(folded, source.lang)),
      capital: /^\p{Lu}/u.test(token.text),
      quantity,
    };
  });
}
