import { writeFile } from 'node:fs/promises';
import { Analysis } from '../../kb/analysis/analysis.ts';
import type { Word } from '../../kb/analysis/word.ts';
import { loadKnowledgeBase } from '../../kb/base/load.ts';
import { buildIndex } from '../../kb/index/build.ts';
import type { Source } from '../../kb/source.ts';
import { cuesOf, CUES, DIMENSIONS, FIRST_GRAM, Likeness, LIKENESS_FILE } from '../../kb/ranking/likeness.ts';
import { splitSentences } from '../../kb/sentences.ts';
import { STARTER_BASE } from '../../services/knowledge/settings.ts';
import { seeded } from '../../events/seeded.ts';

const ROUNDS = 240;
const BATCH = 96;
/** This share of a text's cues is left out at random, so that the fit relies on no single cue. */
const LEFT_OUT = 0.4;
const TEMPERATURE = 0.07;
const RATE = 0.1;
/** What a 4-gram says at first, against a stem. */
const OF_A_GRAM = 0.35;

/** Texts that belong to one source, as cues; the first `asked` of them say how it is asked for. */
interface Texts {
  readonly asked: readonly Int32Array[];
  readonly all: readonly Int32Array[];
}

/** Writes the vectors that `kb/ranking/likeness.ts` reads. */
export async function fitLikeness(): Promise<void> {
  const { sources, synonyms } = await loadKnowledgeBase(STARTER_BASE);
  const { table } = learnLikeness(sources, new Analysis(new Set(buildIndex(sources, synonyms).vocabulary)));
  await writeFile(
    LIKENESS_FILE,
    Buffer.concat([Buffer.from(table.scales.buffer), Buffer.from(table.values.buffer)]),
  );
  const known = table.scales.filter((scale) => scale > 0).length;
  console.log(`${known} of ${CUES} numbers known, ${DIMENSIONS} bytes each`);
}

/** Ways of asking for a source are to lie near its other texts, and far from those of others. The same every time. */
export function learnLikeness(sources: readonly Source[], analysis: Analysis): Likeness {
  const texts = sources.map((source) => textsOf(source, analysis));
  const random = seeded(7);
  const model = new Model(texts, random);
  const topics = [...new Set(sources.map(({ id }) => topicOf(id)))];
  for (let round = 0; round < ROUNDS; round++) {
    // In turn among all sources and among those of one topic, which are the hardest to tell apart.
    const order =
      round % 2 === 0
        ? shuffled([...sources.keys()], random)
        : shuffled(topics, random).flatMap((topic) =>
            shuffled(
              [...sources.keys()].filter((i) => topicOf(sources[i]!.id) === topic),
              random,
            ),
          );
    for (let time = 0; time < 3; time++)
      for (let at = 0; at < order.length; at += BATCH)
        model.learn(order.slice(at, at + BATCH).map((source) => pairOf(texts[source]!, random)));
  }
  return new Likeness(model.table());
}

const cuesIn = (words: readonly Word[]): Int32Array => Int32Array.from(cuesOf(words));

const topicOf = (id: string): string => id.split('-')[0]!;

function textsOf({ title, section, text, asked = [], lang }: Source, analysis: Analysis): Texts {
  const ways = asked.map((line) => cuesIn(analysis.wordsOfLine(line, lang)));
  const others = [title, `${title} ${section}`, ...splitSentences(text).map((sentence) => sentence.text)];
  return { asked: ways, all: [...ways, ...others.map((each) => cuesIn(analysis.words(each, lang)))] };
}

type Pair = readonly [Int32Array, Int32Array];

function pairOf({ asked, all }: Texts, random: () => number): Pair {
  const from = asked.length > 0 ? asked : all;
  const first = from[Math.floor(random() * from.length)]!;
  const others = all.filter((text) => text !== first);
  const second = others[Math.floor(random() * others.length)]!;
  const some = (cues: Int32Array): Int32Array => cues.filter(() => random() >= LEFT_OUT);
  return [some(first), some(second)];
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** Adagrad (Duchi et al., 2011), one rate for each cue; cues that no text has stay at zero. */
class Model {
  readonly #vectors = new Float64Array(CUES * DIMENSIONS);
  readonly #squares = new Float64Array(CUES);

  /** Begins with random directions, as long as a cue is rare: so alike texts lie near each other from the start. */
  constructor(texts: readonly Texts[], random: () => number) {
    const counts = new Uint32Array(CUES);
    for (const { all } of texts)
      for (const cue of new Set(all.flatMap((cues) => [...cues]))) counts[cue]! += 1;
    for (const [cue, count] of counts.entries()) {
      if (count === 0) continue;
      const rarity = Math.log(1 + (texts.length - count + 0.5) / (count + 0.5));
      const weight = cue < FIRST_GRAM ? rarity : OF_A_GRAM * rarity;
      for (let d = 0; d < DIMENSIONS; d++)
        this.#vectors[cue * DIMENSIONS + d] = (weight * gaussian(random)) / Math.sqrt(DIMENSIONS);
    }
  }

  /** One step: each first text is to be told from the second ones of the others, and the other way round. */
  learn(pairs: readonly Pair[]): void {
    const [first, second] = [0, 1].map((side) => pairs.map((pair) => this.#sum(pair[side]!)));
    const alike = first!.map((a) => second!.map((b) => dot(a.unit, b.unit) / TEMPERATURE));
    const pulls = alike.map((row) => row.map(() => 0));
    for (const i of pairs.keys()) {
      softmax(alike[i]!).forEach((share, j) => (pulls[i]![j]! += share - Number(i === j)));
      softmax(alike.map((row) => row[i]!)).forEach((share, j) => (pulls[j]![i]! += share - Number(i === j)));
    }
    const slopes = new Map<number, Float64Array>();
    for (const [i, [a, b]] of pairs.entries()) {
      addSlope(slopes, a, first![i]!, second!, pulls[i]!);
      addSlope(
        slopes,
        b,
        second![i]!,
        first!,
        pulls.map((row) => row[i]!),
      );
    }
    for (const [cue, slope] of slopes) {
      this.#squares[cue]! += dot(slope, slope) / DIMENSIONS;
      const rate = RATE / (Math.sqrt(this.#squares[cue]!) + 1e-9);
      for (let d = 0; d < DIMENSIONS; d++) this.#vectors[cue * DIMENSIONS + d]! -= rate * slope[d]!;
    }
  }

  /** Each vector in bytes, with its own scale. */
  table(): Likeness['table'] {
    const scales = new Float32Array(CUES);
    const values = new Int8Array(CUES * DIMENSIONS);
    for (let cue = 0; cue < CUES; cue++) {
      const vector = this.#vectors.subarray(cue * DIMENSIONS, (cue + 1) * DIMENSIONS);
      const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
      if (scale === 0) continue;
      scales[cue] = scale;
      vector.forEach((value, d) => (values[cue * DIMENSIONS + d] = Math.round(value / scale)));
    }
    return { scales, values };
  }

  #sum(cues: Int32Array): Sum {
    const sum = new Float64Array(DIMENSIONS);
    for (const cue of cues)
      for (let d = 0; d < DIMENSIONS; d++) sum[d]! += this.#vectors[cue * DIMENSIONS + d]!;
    const length = Math.sqrt(dot(sum, sum)) || 1;
    return { unit: sum.map((value) => value / length), length };
  }
}

interface Sum {
  readonly unit: Float64Array;
  readonly length: number;
}

/** What the vectors of a text's cues are to lose, by how much it is drawn to each of the others. */
function addSlope(
  slopes: Map<number, Float64Array>,
  cues: Int32Array,
  { unit, length }: Sum,
  others: readonly Sum[],
  pulls: readonly number[],
): void {
  const slope = new Float64Array(DIMENSIONS);
  for (const [j, other] of others.entries())
    for (let d = 0; d < DIMENSIONS; d++)
      slope[d]! += (pulls[j]! * other.unit[d]!) / (TEMPERATURE * others.length);
  const along = dot(slope, unit);
  for (let d = 0; d < DIMENSIONS; d++) slope[d] = (slope[d]! - along * unit[d]!) / length;
  for (const cue of cues) {
    const known = slopes.get(cue);
    if (known === undefined) slopes.set(cue, slope.slice());
    else for (let d = 0; d < DIMENSIONS; d++) known[d]! += slope[d]!;
  }
}

function softmax(values: readonly number[]): number[] {
  const top = Math.max(...values);
  const shares = values.map((value) => Math.exp(value - top));
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / sum);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < DIMENSIONS; d++) sum += a[d]! * b[d]!;
  return sum;
}

/** Box and Muller, 1958. */
const gaussian = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
