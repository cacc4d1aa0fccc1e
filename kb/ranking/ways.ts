import type { Form } from '../analysis/word.ts';
import { gramsIn } from '../analysis/grams.ts';
import type { AskedWord, WayFeatures, LineFits } from './fit.ts';
import { dotOf, type Likeness } from './likeness.ts';
import { FOUND, type Found, type Matcher } from './match.ts';
import { sizeOf, type Line, type Read, type Reading, type Text } from './reading.ts';
import type { Steps } from '../steps.ts';

/** The texts of a source that a question is compared with, and how well each word is found there. */
export interface Held {
  readonly read: Read;
  readonly title: HeldText;
  readonly sentences: readonly HeldText[];
  /** The lines of questions that the source answers. */
  readonly lines: readonly HeldLine[];
  /** The lines of related questions that the source does not answer. */
  readonly unanswered: readonly HeldLine[];
}

export interface HeldText extends Text {
  readonly found: Found;
}

type HeldLine = HeldText & Line;

export interface Asked {
  readonly words: readonly AskedWord[];
  /** The words in each sentence of the question, if there are several, by their index in `words`. */
  readonly sentences: readonly (readonly number[])[];
  /** Shares of the question: weighted by how much a word says, and by how few candidates have it. */
  readonly weights: readonly number[];
  readonly telling: readonly number[];
}

interface Ways {
  readonly features: WayFeatures;
  readonly lineFits: LineFits;
}

const NO_FEATURES: WayFeatures = {
  askedOften: 0,
  sideBySide: 0,
  usual: 0,
  letters: 0,
  nearest: 0,
  near: 0,
  nearTitle: 0,
};
export const NO_WAYS: Ways = {
  features: NO_FEATURES,
  lineFits: { nearer: 0, unansweredShare: 0 },
};

/** The number of best texts that are averaged. */
const BEST = 3;
/** The number of nearest lines among which the share of unanswered lines is counted. */
const NEAREST = 10;
/** In counts of a source's texts, its title counts as this many texts. */
const OF_A_TITLE = 2;
/**
 * The average over all candidates counts as this many further texts of each candidate, so that a few texts do not
 * decide alone.
 */
const SMOOTHING = 4;

/**
 * Compares a question with the different ways in which people ask for each candidate, weighted by how they differ
 * between candidates.
 */
export function* describeWays(
  { words, sentences, weights, telling }: Asked,
  candidates: readonly Held[],
  { reading, matcher, likeness }: { reading: Reading; matcher: Matcher; likeness: Likeness },
): Steps<Ways[]> {
  const rarityOf = rarityOfStems(candidates, reading);
  const letters = new Letters(candidates, reading);
  const question = likeness.vectorOf(words);
  yield 1;
  const usual = usualIn(candidates, words, weights);
  yield 1;
  const sideBySide = new Neighbours(words, reading);
  /** Compares a line with some of the words, which are given by index. */
  const fitterOf = (some: readonly AskedWord[], places: readonly number[]): ((line: HeldLine) => Fit) => {
    const [ofLetters, ofLikeness] = [letters.of(some), likeness.vectorOf(some)];
    let all = 0;
    for (const k of places) all += telling[k]!;
    const ofWords = (line: HeldLine): number => {
      if (all === 0 || line.found === matcher.nothing) return 0;
      let found = 0;
      for (const k of places) found += telling[k]! * line.found[k]!;
      return Math.sqrt((found / all) * knownOf(line, rarityOf, matcher, places));
    };
    return (line) => ({
      words: ofWords(line),
      letters: letters.cosine(ofLetters, line.grams),
      likeness: dotOf(ofLikeness, likeness.vectorOf(line.words)),
    });
  };
  function* fitsIn(fitOf: (line: HeldLine) => Fit): Steps<{ lines: Fit[]; misses: Fit[] }[]> {
    const fits: { lines: Fit[]; misses: Fit[] }[] = [];
    for (const { read, lines, unanswered: misses } of candidates) {
      fits.push({ lines: lines.map(fitOf), misses: misses.map(fitOf) });
      yield sizeOf(read);
    }
    return fits;
  }
  const fits = yield* fitsIn(fitterOf(words, [...words.keys()]));
  const fitsOfLines = fits.map(({ lines }) => lines);
  const fitsOfMisses = fits.flatMap(({ misses }) => misses);
  const unansweredShare = shareOf(fitsOfMisses, fitsOfLines.flat());
  const unanswered = nearestOf(fitsOfMisses);
  const ofSentences: { lines: number[]; unanswered: number }[] = [];
  for (const places of sentences) {
    const each = yield* fitsIn(
      fitterOf(
        places.map((k) => words[k]!),
        places,
      ),
    );
    ofSentences.push({
      lines: each.map(({ lines }) => nearestOf(lines)),
      unanswered: nearestOf(each.flatMap(({ misses }) => misses)),
    });
  }
  yield 1;
  return candidates.map(({ title, sentences: told, lines }, i) => {
    const ofLines = fitsOfLines[i]!;
    const nearTitle = dotOf(question, likeness.vectorOf(title.words));
    const near = best([
      nearTitle,
      ...told.map((each) => dotOf(question, likeness.vectorOf(each.words))),
      ...ofLines.map((fit) => fit.likeness),
    ]);
    const features = {
      askedOften: mean(best(ofLines.map((fit) => fit.words))),
      sideBySide: sideBySide.shareIn([title, ...told, ...lines]),
      usual: usual[i]!,
      letters: Math.max(0, ...ofLines.map((fit) => fit.letters)),
      nearest: near[0] ?? 0,
      near: mean(near),
      nearTitle,
    };
    const nearer = Math.max(
      nearestOf(ofLines) - unanswered,
      ...ofSentences.map((sentence) => sentence.lines[i]! - sentence.unanswered),
    );
    return { features, lineFits: { nearer, unansweredShare } };
  });
}

/** How well a question fits a line: by words, by 4-grams, and by likeness. */
interface Fit {
  readonly words: number;
  readonly letters: number;
  readonly likeness: number;
}

const overall = ({ words, letters, likeness }: Fit): number => (words + letters + likeness) / 3;

const nearestOf = (fits: readonly Fit[]): number =>
  fits.reduce((most, fit) => Math.max(most, overall(fit)), 0);

/** The share of unanswered lines among the lines that the question fits best, each weighted by its fit. */
function shareOf(misses: readonly Fit[], lines: readonly Fit[]): number {
  const nearest: { fit: number; missed: boolean }[] = [];
  for (const [kind, fits] of [misses, lines].entries()) {
    for (const each of fits) {
      const fit = overall(each);
      if (nearest.length === NEAREST && fit <= nearest.at(-1)!.fit) continue;
      const place = nearest.findIndex((other) => other.fit < fit);
      nearest.splice(place === -1 ? nearest.length : place, 0, { fit, missed: kind === 0 });
      nearest.length = Math.min(nearest.length, NEAREST);
    }
  }
  const sumOf = (list: typeof nearest): number => list.reduce((sum, { fit }) => sum + fit, 0);
  const all = sumOf(nearest);
  return all === 0 ? 0 : sumOf(nearest.filter(({ missed }) => missed)) / all;
}

/**
 * For each candidate, how much more likely the words are in its texts than in the texts of all candidates: the log odds
 * of naive Bayes. They are halved, because the words of one text are not independent of each other.
 */
function usualIn(
  candidates: readonly Held[],
  words: readonly AskedWord[],
  weights: readonly number[],
): number[] {
  const texts = candidates.map(({ title, sentences, lines }) => [
    ...Array.from({ length: OF_A_TITLE }, () => title),
    ...sentences,
    ...lines,
  ]);
  const counts = texts.map((held) => {
    const sums = words.map(() => 0);
    for (const { found } of held)
      for (let k = 0; k < sums.length; k++) if (found[k]! >= FOUND) sums[k]! += found[k]!;
    return sums;
  });
  const all = texts.flat().length;
  const overall = words.map((_, k) => (counts.reduce((sum, count) => sum + count[k]!, 0) + 0.1) / (all + 1));
  return counts.map((count, i) =>
    words.reduce((sum, _, k) => {
      const here = (count[k]! + SMOOTHING * overall[k]!) / (texts[i]!.length + SMOOTHING);
      return sum + (Math.sqrt(weights[k]!) * Math.log(here / overall[k]!)) / 2;
    }, 0),
  );
}

/** The 4-grams of the words of a question: their weight, and for each number whether the question has the 4-gram. */
interface AskedLetters {
  readonly sum: number;
  readonly has: Uint8Array;
}

/** The 4-grams of words, weighted by how few candidates have them in their lines. */
class Letters {
  readonly #reading: Reading;
  readonly #counts: Uint16Array;
  /** The rarity of a word, by the number of candidates that have it. */
  readonly #rarities: readonly number[];

  constructor(candidates: readonly Held[], reading: Reading) {
    this.#reading = reading;
    this.#counts = reading.grams.count(candidates.map(({ read }) => read.gramsOfLines));
    this.#rarities = raritiesAmong(candidates.length).map((rarity) => rarity ** 2);
  }

  of(words: readonly Form[]): AskedLetters {
    const grams = this.#reading.grams.ofAsked(gramsIn(words));
    const has = new Uint8Array(this.#counts.length);
    for (const gram of grams) has[gram] = 1;
    return { sum: this.#sum(grams), has };
  }

  cosine({ sum, has }: AskedLetters, line: Uint32Array): number {
    let common = 0;
    for (let i = 0; i < line.length; i++) if (has[line[i]!]! > 0) common += this.#weight(line[i]!);
    return common === 0 ? 0 : common / Math.sqrt(sum * this.#sum(line));
  }

  #sum(grams: Iterable<number>): number {
    let sum = 0;
    for (const gram of grams) sum += this.#weight(gram);
    return sum;
  }

  #weight(gram: number): number {
    return this.#rarities[this.#counts[gram] ?? 0]!;
  }
}

/** Neighbouring words of a question, in either order. */
class Neighbours {
  readonly #reading: Reading;
  readonly #pairs: number;
  /**
   * For each stem by its number, the stem's place in the question, counted from 1; 0 if the question does not have the
   * stem.
   */
  readonly #places: Uint16Array;

  constructor(words: readonly AskedWord[], reading: Reading) {
    this.#reading = reading;
    this.#pairs = words.length - 1;
    this.#places = new Uint16Array(reading.stems.size);
    for (const [i, { term }] of words.entries())
      this.#places[reading.stems.find(term) ?? reading.stems.size] = i + 1;
  }

  /** The share of the question's neighbouring words that are neighbours in any of the texts. */
  shareIn(texts: readonly Text[]): number {
    if (this.#pairs < 1) return 0;
    const { stemOf } = this.#reading;
    const there = new Set<number>();
    for (const { numbers } of texts) {
      let before = 0;
      for (let i = 0; i < numbers.length; i++) {
        const place = this.#places[stemOf[numbers[i]!]!]!;
        if (place > 0 && before > 0 && Math.abs(place - before) === 1) there.add(Math.min(place, before));
        before = place;
      }
    }
    return there.size / this.#pairs;
  }
}

/** How few of the candidates have the stem of a word, given by its number, in their title, sentences or lines. */
function rarityOfStems(candidates: readonly Held[], reading: Reading): (word: number) => number {
  const counts = reading.stems.count(candidates.map(({ read }) => read.stems));
  const rarities = [0, ...raritiesAmong(candidates.length).slice(1)];
  return (word) => rarities[counts[reading.stemOf[word]!]!]!;
}

/** The share of a line's words, by rarity among the candidates, that some words of the question have. */
function knownOf(
  line: Line,
  rarityOf: (word: number) => number,
  matcher: Matcher,
  places: readonly number[],
): number {
  let known = 0;
  let all = 0;
  for (let i = 0; i < line.numbers.length; i++) {
    // A word that all candidates have still counts a little.
    const weight = rarityOf(line.numbers[i]!) + 0.1;
    all += weight;
    const found = matcher.of(line, i);
    if (found === null) continue;
    let most = 0;
    for (const k of places) most = Math.max(most, found[k]!);
    known += weight * most;
  }
  return all === 0 ? 0 : known / all;
}

/** The rarity of a word, by the number of the `all` candidates that have it. */
const raritiesAmong = (all: number): number[] =>
  Array.from({ length: all + 1 }, (_, frequency) => rarityAmong(all, frequency));

/** Inverse frequency among `all`, always above 0. */
export function rarityAmong(all: number, frequency: number): number {
  return Math.log(1 + (all - frequency + 0.5) / (frequency + 0.5));
}

/** The `BEST` highest values, highest first. */
const best = (values: readonly number[]): number[] =>
  Array.from(Float64Array.from(values).sort().subarray(-BEST)).reverse();

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
