import { Analysis, detectLanguage } from '../../../kb/analysis/analysis.ts';
import { reasonsOf, type Answered, type Reason } from './read-answers.ts';

export type Topic = ReturnType<typeof describe>;
export type Gaps = ReturnType<typeof groupGaps>;

const EXAMPLES = 3;
const NEAREST = 3;

/** The gaps by topic, the largest first; those that share no word come last. The order of answers does not matter. */
export function groupGaps(answers: readonly Answered[]) {
  const gaps = answers.filter((answer) => reasonsOf(answer).length > 0);
  const readable = gaps.filter((gap): gap is AnsweredText => gap.question !== null);
  const asked = Map.groupBy(
    answers.flatMap(({ question }) => (question === null ? [] : [...wordsOf(question).keys()])),
    (term) => term,
  );
  const topics: Topic[] = [];
  const left = new Set(readable.map((gap) => ({ gap, words: wordsOf(gap.question) })));
  const shared = new SharedWords();
  for (const { gap, words } of left) shared.add(words.keys(), gap.nearest);
  for (;;) {
    const term = shared.mostTelling((word) => Math.log(1 + answers.length / asked.get(word)!.length));
    if (term === undefined) break;
    const members = [...left].filter(({ words }) => words.has(term));
    for (const member of members) {
      left.delete(member);
      shared.remove(member.words.keys(), member.gap.nearest);
    }
    const [written] = mostFrequent(members.map(({ words }) => words.get(term)!));
    topics.push(describe(written!.id, gapsOf(members)));
  }
  topics.sort((a, b) => b.count - a.count || compare(a.topic!, b.topic!));
  if (left.size > 0) topics.push(describe(null, gapsOf([...left])));
  return {
    answers: answers.length,
    gaps: gaps.length,
    reasons: countReasons(gaps),
    /** The number of gaps whose text was erased or never recorded. */
    without_text: gaps.length - readable.length,
    topics,
  };
}

type AnsweredText = Answered & { readonly question: string };

const gapsOf = (members: readonly { readonly gap: AnsweredText }[]) => members.map(({ gap }) => gap);

const analysis = new Analysis();

/** The content words of a question in compared form, each with its spelling. Figures do not tell the topic. */
function wordsOf(question: string): Map<string, string> {
  const words = analysis.words(question, detectLanguage(question)).filter(({ term }) => !/\d/u.test(term));
  return new Map(words.map(({ term, text }) => [term, text]));
}

/**
 * The words of questions that have no topic yet, and how many questions with each word have the same nearest source.
 */
class SharedWords {
  readonly #words = new Map<
    string,
    { count: number; squares: number; bySource: Map<string | null, number> }
  >();

  add(terms: Iterable<string>, nearest: string | null): void {
    for (const term of terms) {
      let word = this.#words.get(term);
      if (word === undefined) this.#words.set(term, (word = { count: 0, squares: 0, bySource: new Map() }));
      const same = word.bySource.get(nearest) ?? 0;
      word.bySource.set(nearest, same + 1);
      word.count += 1;
      word.squares += 2 * same + 1;
    }
  }

  remove(terms: Iterable<string>, nearest: string | null): void {
    for (const term of terms) {
      const word = this.#words.get(term)!;
      const same = word.bySource.get(nearest)!;
      word.bySource.set(nearest, same - 1);
      word.count -= 1;
      word.squares -= 2 * same - 1;
    }
  }

  /**
   * The best topic: a word that several of these questions share, that few other questions have, and that goes with few
   * sources. A word like `chef` goes with all sources.
   */
  mostTelling(rarity: (term: string) => number): string | undefined {
    let best: { term: string; weight: number } | undefined;
    for (const [term, { count, squares }] of this.#words) {
      if (count < 2) continue;
      // The root of the sum of squares is the count if all questions have one nearest source, and smaller if they have
      // several.
      const weight = Math.sqrt(squares) * rarity(term) ** 2;
      if (best === undefined || weight > best.weight || (weight === best.weight && term < best.term)) {
        best = { term, weight };
      }
    }
    return best?.term;
  }
}

/**
 * A group of questions that share a word: `topic` is its most frequent spelling, `null` for questions without such a
 * word.
 */
function describe(topic: string | null, gaps: readonly AnsweredText[]) {
  const newest = gaps.toSorted((a, b) => compare(b.at, a.at));
  const byText = new Map(newest.toReversed().map((gap) => [gap.question.toLowerCase(), gap]));
  const nearest = mostFrequent(gaps.flatMap((gap) => gap.nearest ?? []));
  return {
    topic,
    count: gaps.length,
    reasons: countReasons(gaps),
    /** The sources that were found first, the most frequent first. */
    nearest: nearest.slice(0, NEAREST),
    /** Newest first, each text once. */
    examples: newest
      .filter((gap) => byText.get(gap.question.toLowerCase()) === gap)
      .slice(0, EXAMPLES)
      .map(({ request_id, question }) => ({ request_id, question })),
  };
}

function countReasons(gaps: readonly Answered[]): Record<Reason, number> {
  const counts = { refused: 0, rated_down: 0, low_relevance: 0 };
  for (const gap of gaps) for (const reason of reasonsOf(gap)) counts[reason]++;
  return counts;
}

function mostFrequent(values: readonly string[]): { id: string; count: number }[] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([id, same]) => ({ id, count: same.length }))
    .sort((a, b) => b.count - a.count || compare(a.id, b.id));
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
