import { lawYearOf } from '../base/about.ts';
import type { LexicalIndex } from '../index/lexical-index.ts';
import { yearsIn } from '../index/years.ts';
import type { Match, AskedWord } from './fit.ts';
import type { Hit } from '../hit.ts';
import { splitSentences } from '../sentences.ts';
import { aspectsAsked, aspectsOfTitle, statedIn } from './aspects.ts';
import { askedWords, mostTelling } from './asked.ts';
import { figureAsked, isOfFigure } from './figure-asked.ts';
import { readLikeness, type Likeness } from './likeness.ts';
import { DIVIDED, FOUND, Matcher, type Found } from './match.ts';
import { asksOwnCase } from './own-case.ts';
import type { Kind } from './signs.ts';
import type { Source } from '../source.ts';
import { Reading, sizeOf, type Read, type Text } from './reading.ts';
import { atOnce, TO_READ, type Steps } from '../steps.ts';
import { describeWays, NO_WAYS, rarityAmong, type Held, type HeldText } from './ways.ts';

/**
 * The features of a hit, in three groups: if any source has lines of `asked`; for other sources; and for passages of
 * documents.
 */
export const FEATURES = {
  lined: [
    'score',
    'wanted',
    'wantedThere',
    'titleOther',
    'language',
    'year',
    'askedOften',
    'sideBySide',
    'usual',
    'letters',
    'nearest',
    'near',
    'nearTitle',
  ],
  unlined: ['score', 'sentence', 'opening', 'wanted', 'wantedThere', 'year'],
  document: ['score', 'stretch', 'title', 'isTitle', 'wanted'],
} as const;

/** How well a hit fits the question. `rankHits` adds the hit's share of the likelihood. */
export type Described = Omit<Match, 'share' | 'ofDocument'>;

const LIKENESS = readLikeness();

/** The kind of judgement: by lines of `asked` if any hit has such lines, otherwise by the kind of the best hit. */
export function orderKindOf(hits: readonly Hit[]): Kind {
  if (hits.some(({ source }) => isLined(source))) return 'lined';
  return hits[0] === undefined ? 'unlined' : kindOfSource(hits[0].source);
}

const isLined = ({ asked = [] }: Source): boolean => asked.length > 0;

const kindOfSource = (source: Source): Kind =>
  isLined(source) ? 'lined' : source.units === undefined ? 'unlined' : 'document';

/**
 * Compares each hit with the question. The results are in the order of the hits.
 *
 * @param likeness another model than the learned one, for measurements
 */
export function describe(
  index: LexicalIndex,
  question: string,
  hits: readonly Hit[],
  likeness?: Likeness,
): Described[] {
  return atOnce(describing(index, question, hits, likeness));
}

/**
 * The weight of a word with which a question about documents asks for a figure (`hoch`, `long`): the answer has the
 * figure instead of the word.
 */
const OF_FIGURE = 0.3;

/**
 * Comparing one word of a source with this many letters of the question is one unit of work. The words of a question
 * have about eight letters each.
 */
const ASKED_AT_ONCE = 64;

/** Compares each hit with the question, in steps. */
export function* describing(
  index: LexicalIndex,
  question: string,
  hits: readonly Hit[],
  likeness: Likeness = LIKENESS,
): Steps<Described[]> {
  const asked = askedWords(index, question);
  const { lang } = index.read(question);
  const aspects = aspectsAsked(question);
  const own = asksOwnCase(question);
  const years = yearsIn(question);
  const untold = years.filter(
    (year) => year !== lawYearOf(index.about) && !hits.some(({ source }) => source.year === year),
  );
  const reading = Reading.of(index);
  const read: Read[] = [];
  for (const hit of hits) {
    const isNew = !reading.has(hit, index);
    const each = reading.read(hit, index);
    read.push(each);
    if (!isNew) continue;
    for (const { words } of [each.title, ...each.sentences, ...each.lines, ...each.unanswered])
      likeness.vectorOf(words);
    yield TO_READ * sizeOf(each);
  }
  const matcher = new Matcher(asked, read, reading);
  const texts: Texts[] = [];
  const letters = asked.reduce((sum, { folded }) => sum + folded.length, 0);
  for (const each of read) {
    texts.push(textsOf(each, matcher));
    yield sizeOf(each) * (1 + letters / ASKED_AT_ONCE);
  }
  const asks = orderKindOf(hits) === 'document' && figureAsked(question) !== undefined;
  const weights = shares(
    asked.map(({ text, weight }) => (asks && isOfFigure(text) ? OF_FIGURE : 1) * weight),
  );
  const words = asked.map((word, k) => ({
    ...word,
    weight: weights[k]!,
    known: (word.known && !word.corrected) || word.synonyms.length > 0,
  }));
  const telling = shares(
    asked.map((_, k) => {
      const weight = weights[k]!;
      const df = texts.filter(({ all }) => all[k]! >= FOUND).length;
      return Math.sqrt(weight) * rarityAmong(hits.length, df);
    }),
  );
  const anywhere = asked.map((_, k) => Math.max(0, ...texts.map(({ all }) => all[k]!)));
  const scores = hits.map((hit, i) => scoreOf(hit, words, texts[i]!.all));
  const best = Math.max(Number.MIN_VALUE, ...scores);
  const ways =
    orderKindOf(hits) === 'lined'
      ? yield* describeWays(
          { words: asked, sentences: sentencesOf(question, asked, telling), weights, telling },
          texts,
          {
            reading,
            matcher,
            likeness,
          },
        )
      : hits.map(() => NO_WAYS);
  return hits.map((hit, i): Described => {
    const { title, section, sentences, all } = texts[i]!;
    const headings = matcher.together(title.found, section);
    const lead = bestBy(sentences, (each) => dot(each.found, telling));
    const announced = aspectsOfTitle(hit.source.title);
    const meant = announced.filter((aspect) => aspects.includes(aspect)).length;
    return {
      words,
      found: all.slice(0, asked.length),
      anywhere,
      kind: kindOfSource(hit.source),
      lineFits: ways[i]!.lineFits,
      score: scores[i]!,
      own,
      inTitle: dot(title.found, weights),
      features: {
        score: scores[i]! / best,
        sentence: Math.max(0, ...sentences.map(({ found }) => dot(found, weights))),
        question: dot(all, weights),
        stretch: Math.max(
          0,
          ...sentences.map(({ found }) => dot(matcher.together(headings, found), weights)),
        ),
        title: dot(title.found, telling),
        isTitle: Number(dot(title.found, weights) >= MOST_OF_IT && isInQuestion(title, asked)),
        opening: dot(matcher.together(title.found, sentences[0]?.found ?? title.found), telling),
        wanted: Math.max(0, ...sentences.map(({ text }) => statedIn(text, aspects))),
        wantedThere: lead === undefined ? 0 : statedIn(lead.text, aspects),
        titleOther: announced.length === 0 || aspects.length === 0 ? 0 : 1 - meant / announced.length,
        language: Number(hit.source.lang === lang),
        year: Number(
          hit.source.year === null
            ? untold.some((year) => hit.source.text.includes(String(year)))
            : years.includes(hit.source.year),
        ),
        ...ways[i]!.features,
      },
    };
  });
}

/** The share of a question that a title must have to count as the same question. */
const MOST_OF_IT = 0.6;

/**
 * Whether a question has all words of a title, except the number of a section. The title must have two words or more.
 */
function isInQuestion({ words }: Text, asked: readonly AskedWord[]): boolean {
  const own = words.filter(({ folded }) => !/^\p{N}/u.test(folded));
  return (
    own.length > 1 &&
    own.every(({ term }) => asked.some((word) => [word.term, ...word.parts, ...word.synonyms].includes(term)))
  );
}

/**
 * The score of the search, raised by the weight of compounds that a document writes as separate words: the search
 * counts such compounds as missing.
 */
function scoreOf({ source, score }: Hit, words: readonly AskedWord[], found: Found): number {
  if (kindOfSource(source) !== 'document') return score;
  const divided = words.map(({ parts, passageFrequency }, k) =>
    Number(parts.length > 1 && passageFrequency === 0 && found[k]! >= DIVIDED),
  );
  return (
    score *
    (1 +
      dot(
        divided,
        words.map(({ weight }) => weight),
      ))
  );
}

/** The most sentences of a question that are compared with each line; stories have up to six. */
const MAX_SENTENCES = 8;

/**
 * The indexes of the words in each sentence, if there are several sentences. Of many sentences only those that say the
 * most are kept.
 */
function sentencesOf(
  question: string,
  asked: readonly AskedWord[],
  telling: readonly number[],
): readonly (readonly number[])[] {
  const sentences = splitSentences(question);
  if (sentences.length < 2) return [];
  const places = sentences
    .map(({ start, text }) =>
      asked.flatMap((word, k) => (word.start >= start && word.start < start + text.length ? [k] : [])),
    )
    .filter((each) => each.length > 0);
  return mostTelling(places, MAX_SENTENCES, (each) => each.reduce((sum, k) => sum + telling[k]!, 0));
}

interface Texts extends Held {
  readonly section: Found;
  readonly sentences: readonly (HeldText & { readonly text: string })[];
  readonly all: Found;
}

function textsOf(read: Read, matcher: Matcher): Texts {
  const held = <T extends Text>(text: T): T & HeldText => ({ ...text, found: matcher.in(text) });
  const title = held(read.title);
  const section = matcher.in(read.section);
  const sentences = read.sentences.map(held);
  const lines = read.lines.map(held);
  return {
    read,
    title,
    section,
    sentences,
    lines,
    unanswered: read.unanswered.map(held),
    all: matcher.together(title.found, section, ...[...sentences, ...lines].map(({ found }) => found)),
  };
}

function shares(weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => (sum === 0 ? 0 : weight / sum));
}

export function dot(values: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  for (let k = 0; k < weights.length; k++) sum += values[k]! * weights[k]!;
  return sum;
}

function bestBy<T>(items: readonly T[], value: (item: T) => number): T | undefined {
  let best: T | undefined;
  for (const item of items) if (best === undefined || value(item) > value(best)) best = item;
  return best;
}
