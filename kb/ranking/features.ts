import { lawYearOf } from '../base/about.ts';
import type { LexicalIndex } from '../index/lexical-index.ts';
import { yearsIn } from '../index/years.ts';
import type { Hit, Match } from '../knowledge.ts';
import { splitSentences } from '../sentences.ts';
import { aspectsAsked, aspectsOfTitle, statedIn } from './aspects.ts';
import { askedWords, type AskedWord } from './asked.ts';
import { readLikeness, type Likeness } from './likeness.ts';
import { either, FOUND, Matcher, type Found } from './match.ts';
import { asksOwnCase } from './own-case.ts';
import { Reading, type Line, type Read, type Text } from './reading.ts';
import { describeWays, NO_WAYS, rarityAmong, type Held, type HeldText } from './ways.ts';

/** What a source that was found is judged by. Every value lies about in 0 … 1, so that weights can be compared. */
export const FEATURES = [
  /** Score of the search against the best one. */
  'score',
  /** Share of the question that the title has; below, "telling" weighs a word by how few of the candidates have it. */
  'title',
  'titleTelling',
  /** Share of the title that the question has: a title that says more is of another case. */
  'titleAsked',
  /** Share of the question that the passage has, under its title. */
  'body',
  'bodyTelling',
  /** Share that one sentence has, and that the first one has. */
  'sentence',
  'openingTelling',
  /** How well the question fits one of the lines that say how the source is asked for. */
  'asked',
  'askedTelling',
  /** Something of the kind that is asked for stands in the passage, and in its best sentence. */
  'wanted',
  'wantedThere',
  /** The title announces what is asked for; something else (`Dauer` where the amount is asked for). */
  'titleType',
  'titleOther',
  /** In the language of the question; kept for a year that is asked about, or telling of one that nothing is kept for. */
  'language',
  'year',
  // What follows is known of candidates some of which say how they are asked for, and 0 else.
  /** How well it fits the lines on average that fit best; pairs of words that stand side by side in both. */
  'askedOften',
  'sideBySide',
  /** How many of the lines ask for what is asked for. */
  'askedKind',
  /** How telling the words are for this one among the candidates: by how many of its texts have them (naive Bayes). */
  'usual',
  /** 4-grams in common with the line that has most, with the second, and with the title. */
  'letters',
  'lettersAgain',
  'lettersTitle',
  /** Likeness of the question to the nearest of its texts, to the three nearest, to the title, and on average. */
  'nearest',
  'near',
  'nearTitle',
  'nearAll',
] as const;

export type Features = Readonly<Record<(typeof FEATURES)[number], number>>;

/** How a source that was found fits the question; its likelihood among the others comes by `rankHits`. */
export type Described = Omit<Match, 'share'>;

const LIKENESS = readLikeness();

/** Whether some of them say how they are asked for: they are judged by more, and so with weights of their own. */
export const areLined = (hits: readonly Hit[]): boolean =>
  hits.some(({ source }) => (source.asked?.length ?? 0) > 0);

/**
 * Each hit held against the question, in their order.
 *
 * @param likeness another than the one that is learned, where that is measured
 */
export function describe(
  index: LexicalIndex,
  question: string,
  hits: readonly Hit[],
  likeness: Likeness = LIKENESS,
): Described[] {
  const asked = askedWords(index, question);
  const lang = index.languageOf(question);
  const aspects = aspectsAsked(question);
  const own = asksOwnCase(question);
  const years = yearsIn(question);
  const untold = years.filter(
    (year) => year !== lawYearOf(index.about) && !hits.some(({ source }) => source.year === year),
  );
  const reading = Reading.of(index);
  const read = hits.map((hit) => reading.read(hit));
  const matcher = new Matcher(asked, read, reading);
  const texts = read.map((each) => textsOf(each, matcher));
  const weights = shares(asked.map(({ weight }) => weight));
  const words = asked.map((word, k) => ({
    ...word,
    weight: weights[k]!,
    known: (word.known && !word.corrected) || word.synonyms.length > 0,
  }));
  const telling = shares(
    asked.map(({ weight }, k) => {
      const df = texts.filter(({ all }) => all[k]! >= FOUND).length;
      return Math.sqrt(weight) * rarityAmong(hits.length, df);
    }),
  );
  const anywhere = texts.reduce((found, { all }) => either(found, all), asked.map(() => 0) as Found);
  const best = Math.max(Number.MIN_VALUE, ...hits.map(({ score }) => score));
  const ways = areLined(hits)
    ? describeWays(
        { words: asked, sentences: sentencesOf(question, asked), weights, telling, aspects },
        texts,
        { reading, matcher, likeness },
      )
    : hits.map(() => NO_WAYS);
  return hits.map((hit, i): Described => {
    const { title, body, opening, sentences, lines, all } = texts[i]!;
    const lead = bestBy(sentences, (each) => dot(each.found, telling));
    const line = bestBy(
      lines.map((each) => ({
        recall: dot(each.found, weights),
        telling: dot(each.found, telling),
        precision: knownShare(each, reading, matcher),
      })),
      ({ recall, precision }) => recall * precision,
    );
    const announced = aspectsOfTitle(hit.source.title);
    const meant = announced.filter((aspect) => aspects.includes(aspect)).length;
    return {
      words,
      found: all,
      anywhere,
      lined: line !== undefined,
      lineFits: ways[i]!.lineFits,
      score: hit.score,
      own,
      features: {
        score: hit.score / best,
        title: dot(title.found, weights),
        titleTelling: dot(title.found, telling),
        titleAsked: knownShare(title, reading, matcher),
        body: dot(body, weights),
        bodyTelling: dot(body, telling),
        sentence: Math.max(0, ...sentences.map(({ found }) => dot(found, weights))),
        openingTelling: dot(opening, telling),
        asked: line === undefined ? 0 : Math.sqrt(line.recall * line.precision),
        askedTelling: line === undefined ? 0 : Math.sqrt(line.telling * line.precision),
        wanted: Math.max(0, ...sentences.map(({ text }) => statedIn(text, aspects))),
        wantedThere: lead === undefined ? 0 : statedIn(lead.text, aspects),
        titleType: aspects.length === 0 ? 0 : meant / aspects.length,
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

/** Places of the words that each sentence has, where there are several. */
function sentencesOf(question: string, asked: readonly AskedWord[]): number[][] {
  const sentences = splitSentences(question);
  if (sentences.length < 2) return [];
  return sentences
    .map(({ start, text }) =>
      asked.flatMap((word, k) => (word.start >= start && word.start < start + text.length ? [k] : [])),
    )
    .filter((places) => places.length > 0);
}

interface Texts extends Held {
  readonly sentences: readonly (HeldText & { readonly text: string })[];
  readonly body: Found;
  readonly opening: Found;
  readonly all: Found;
}

function textsOf(read: Read, matcher: Matcher): Texts {
  const held = <T extends Text>(text: T): T & HeldText => ({ ...text, found: matcher.in(text) });
  const title = held(read.title);
  const heading = either(title.found, matcher.in(read.section));
  const sentences = read.sentences.map(held);
  const body = sentences.reduce((found, sentence) => either(found, sentence.found), heading);
  const lines = read.lines.map(held);
  return {
    read,
    title,
    body,
    opening: either(title.found, sentences[0]?.found ?? title.found),
    sentences,
    lines,
    unanswered: read.unanswered.map(held),
    all: lines.reduce((found, line) => either(found, line.found), body),
  };
}

/** Share of a line's words, by rarity, that the question has. */
function knownShare(line: Line, reading: Reading, matcher: Matcher): number {
  let known = 0;
  let all = 0;
  for (const [i, number] of line.numbers.entries()) {
    const found = matcher.of(line, i);
    const rarity = reading.rarityOf[number]!;
    all += rarity;
    if (found !== null) known += rarity * Math.max(0, ...found);
  }
  return all === 0 ? 0 : known / all;
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
