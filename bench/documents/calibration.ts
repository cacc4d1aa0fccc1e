import { dot, fitFacts, logistic, type Fact } from '../fit/ascent.ts';

/** An answer with the probability that was told with it. */
export interface Estimated {
  readonly collection: string;
  readonly relevance: number;
  readonly right: boolean;
}

const BINS = 10;
const RIDGE = 0.01;

/** Expected calibration error: how far what is told lies from what is right, on average over ten ranges of what is told. */
export function calibrationError(answers: readonly Estimated[]): number {
  const bins = Map.groupBy(answers, ({ relevance }) => Math.min(BINS - 1, Math.floor(relevance * BINS)));
  return [...bins.values()].reduce((sum, bin) => {
    const told = bin.reduce((all, { relevance }) => all + relevance, 0);
    const right = bin.filter((each) => each.right).length;
    return sum + Math.abs(told - right) / answers.length;
  }, 0);
}

/** The same answers, each with the probability that the other collections alone would give it: a line through the log odds. */
export function calibratedOnOthers(answers: readonly Estimated[]): Estimated[] {
  return answers
    .map(({ collection }) => collection)
    .filter((name, k, all) => all.indexOf(name) === k)
    .flatMap((name) => {
      const weights = fitLine(answers.filter(({ collection }) => collection !== name));
      return answers
        .filter(({ collection }) => collection === name)
        .map((each) => ({ ...each, relevance: logistic(dot(weights, vectorOf(each))) }));
    });
}

/** Bias and slope of the line that fits these answers best; each collection counts the same. */
export function fitLine(answers: readonly Estimated[]): number[] {
  const sizes = Map.groupBy(answers, ({ collection }) => collection);
  const facts = answers.map((each): Fact => ({
    set: each.collection,
    group: each.collection,
    vector: vectorOf(each),
    right: each.right,
    weight: answers.length / sizes.size / sizes.get(each.collection)!.length,
  }));
  return fitFacts(facts, 2, RIDGE);
}

const CLOSEST = 0.001;

function vectorOf({ relevance }: Estimated): number[] {
  const within = Math.min(1 - CLOSEST, Math.max(CLOSEST, relevance));
  return [1, Math.log(within / (1 - within))];
}
