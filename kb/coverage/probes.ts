import { kindWeight, type AskedWord } from './asked.ts';
import { shareCovered, type Calibration } from './coverage.ts';
import type { LexicalIndex, QueryTerm } from '../index/lexical-index.ts';
import type { Source } from '../knowledge.ts';
import { splitSentences } from '../sentences.ts';

const PROBES = 300;
/** Content words of a probe: what a question has on average. */
const WORDS = 5;
const MIN_WORDS = 3;
/** Share of a question's words that are its own, not the source's. */
const OWN_WORDS = 0.4;
/** Probes are harder than questions (nothing about them is worded on purpose), so this many may fall below. */
const COVERED_QUANTILE = 0.25;
/** At least so many of the probes whose source is withheld must fall below. */
const WITHHELD_QUANTILE = 0.5;
const SEARCH_DEPTH = 20;
/** A passage that holds less of a question than this does not answer it, however uniform a small base is. */
const FLOOR = 0.25;
/** For a base that gives no probes at all. */
const DEFAULT_THRESHOLD = 0.45;

/**
 * Finds the threshold of coverage for this base. Thresholds do not carry over: in a large base, or one whose texts
 * repeat each other, chance alone covers more. So the base is asked questions made from itself: some words of one
 * sentence, a share of them replaced by words that the base does not know. They are measured with all sources and
 * again without the one they come from. Deterministic.
 */
export function calibrate(index: LexicalIndex): Calibration {
  const covered: number[] = [];
  const withheld: number[] = [];
  for (const { asked, query, source } of probesOf(index)) {
    const hits = index.search(query, { topK: SEARCH_DEPTH });
    covered.push(shareCovered(index, asked, hits));
    withheld.push(
      shareCovered(
        index,
        asked,
        hits.filter((hit) => hit.source !== source),
      ),
    );
  }
  const probes = covered.length;
  if (probes === 0) return { threshold: DEFAULT_THRESHOLD, probes, covered: 0, withheld: 0 };
  const quantiles = {
    covered: quantile(covered, COVERED_QUANTILE),
    withheld: quantile(withheld, WITHHELD_QUANTILE),
  };
  return { threshold: Math.max(quantiles.covered, quantiles.withheld, FLOOR), probes, ...quantiles };
}

interface Probe {
  readonly asked: readonly AskedWord[];
  /** What is searched for: the words that the base knows. */
  readonly query: string;
  readonly source: Source;
}

function* probesOf(index: LexicalIndex): Generator<Probe> {
  const { sources } = index.data;
  const random = randomOf(sources.length);
  for (let i = 0; i < PROBES; i++) {
    const source = sources[Math.floor(random() * sources.length)];
    if (source === undefined) return;
    const sentences = splitSentences(source.text);
    const sentence = sentences[Math.floor(random() * sentences.length)];
    const terms = sentence === undefined ? [] : termsOf(index, sentence.text, source);
    if (terms.length < MIN_WORDS) continue;
    const from = Math.floor(random() * Math.max(1, terms.length - WORDS + 1));
    const words = terms
      .slice(from, from + WORDS)
      .map((term, k) => ({ term, own: k > 0 && random() < OWN_WORDS }));
    yield {
      source,
      query: words
        .filter(({ own }) => !own)
        .map(({ term }) => term.text)
        .join(' '),
      asked: words.map(({ term, own }) => askedOf(own ? unknown(term, index) : term, source)),
    };
  }
}

/** Content words of a sentence, each once, with what the base knows of them. */
function termsOf(index: LexicalIndex, sentence: string, { lang }: Source): QueryTerm[] {
  const words = new Map(index.analysis.words(sentence, lang).map((word) => [word.term, word]));
  return [...words.values()].map((word) => ({
    ...word,
    idf: index.words.idf(word.term),
    passageFrequency: index.words.passageFrequency(word.term),
  }));
}

/** A word of the same kind that stands nowhere in the base. */
function unknown({ text, start, end }: QueryTerm, index: LexicalIndex): QueryTerm {
  const term = '\u0000';
  return { text, start, end, folded: term, term, parts: [], idf: index.words.idf(term), passageFrequency: 0 };
}

function askedOf(term: QueryTerm, { lang }: Source): AskedWord {
  return { ...term, weight: term.idf * kindWeight(term, lang), named: false, known: true, synonyms: [] };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

/** Mulberry32 (Tommy Ettinger, public domain): numbers from 0 to below 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
