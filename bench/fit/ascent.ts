/** Features of one thing to judge. */
export type Vector = readonly number[];

/** One question: what its candidates look like, and which of them are right. Alike questions are held out together. */
export interface Choice {
  readonly set: string;
  readonly group: string;
  readonly vectors: readonly Vector[];
  readonly right: readonly boolean[];
  readonly weight: number;
}

/** Something that is true or not, with its features; the first feature is always 1. */
export interface Fact {
  readonly set: string;
  readonly group: string;
  readonly vector: Vector;
  readonly right: boolean;
  readonly weight: number;
}

const STEPS = 400;
const RATE = 0.1;
export const FOLDS = 5;

/** Maximises the probability that a softmax over the candidates gives to those that are right, less a ridge penalty. */
export function fitChoice(examples: readonly Choice[], size: number, ridge: number): number[] {
  const usable = examples.filter(({ right }) => right.includes(true));
  return ascend(size, (weights) => {
    const gradient = weights.map((weight) => -ridge * weight);
    for (const { vectors, right, weight } of usable) {
      const scores = vectors.map((vector) => dot(weights, vector));
      const top = Math.max(...scores);
      const shares = scores.map((score) => Math.exp(score - top));
      const all = shares.reduce((a, b) => a + b, 0);
      const good = shares.reduce((sum, share, i) => sum + (right[i] === true ? share : 0), 0);
      vectors.forEach((vector, i) => {
        const pull = weight * ((right[i] === true ? shares[i]! / good : 0) - shares[i]! / all);
        for (let k = 0; k < size; k++) gradient[k]! += pull * vector[k]!;
      });
    }
    return gradient;
  });
}

/** Logistic regression; the first weight, of the constant, has no penalty. */
export function fitFacts(examples: readonly Fact[], size: number, ridge: number): number[] {
  return ascend(size, (weights) => {
    const gradient = weights.map((weight, k) => (k === 0 ? 0 : -ridge * weight));
    for (const { vector, right, weight } of examples) {
      const pull = weight * (Number(right) - logistic(dot(weights, vector)));
      for (let k = 0; k < size; k++) gradient[k]! += pull * vector[k]!;
    }
    return gradient;
  });
}

/** Adam (Kingma and Ba, 2015), full batch. */
function ascend(size: number, slope: (weights: readonly number[]) => readonly number[]): number[] {
  const weights = Array.from({ length: size }, () => 0);
  const mean = weights.map(() => 0);
  const square = weights.map(() => 0);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = slope(weights);
    for (let k = 0; k < size; k++) {
      mean[k] = 0.9 * mean[k]! + 0.1 * gradient[k]!;
      square[k] = 0.999 * square[k]! + 0.001 * gradient[k]! ** 2;
      weights[k]! +=
        (RATE * mean[k]!) / (1 - 0.9 ** step) / (Math.sqrt(square[k]! / (1 - 0.999 ** step)) + 1e-8);
    }
  }
  return weights;
}

/** Each example with the weights that were fitted on the other groups. */
export function* heldOut<T extends { readonly group: string }>(
  examples: readonly T[],
  fit: (others: readonly T[]) => number[],
): Generator<{ example: T; weights: readonly number[] }> {
  const groups = [...new Set(examples.map(({ group }) => group))].toSorted();
  const foldOf = ({ group }: T): number => groups.indexOf(group) % FOLDS;
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = fit(examples.filter((example) => foldOf(example) !== fold));
    for (const example of examples) if (foldOf(example) === fold) yield { example, weights };
  }
}

export const logistic = (score: number): number => 1 / (1 + Math.exp(-score));

export function dot(weights: readonly number[], vector: Vector): number {
  let sum = 0;
  for (let k = 0; k < weights.length; k++) sum += vector[k]! * weights[k]!;
  return sum;
}
