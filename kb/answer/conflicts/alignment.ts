/** A word of a sentence, ready to be aligned. */
export interface Aligned {
  /** The form in which words are compared. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly content: boolean;
}

/** A place where two sentences differ: the words of each between two shared words. One side may be empty. */
export interface Gap<T> {
  readonly left: readonly T[];
  readonly right: readonly T[];
}

interface Alignment<T> {
  /** The words that both sentences have in the same order, as the left sentence spells them. */
  readonly shared: readonly T[];
  readonly gaps: readonly Gap<T>[];
}

/**
 * Aligns two sentences by their longest common subsequence of words. It is found by dynamic programming, which takes
 * time in proportion to the product of their lengths.
 */
export function align<T extends Aligned>(left: readonly T[], right: readonly T[]): Alignment<T> {
  const lengths = commonLengths(left, right);
  const width = right.length + 1;
  const shared: T[] = [];
  const gaps: Gap<T>[] = [];
  let [i, j, fromLeft, fromRight] = [0, 0, 0, 0];
  const closeGap = (): void => {
    if (i > fromLeft || j > fromRight)
      gaps.push({ left: left.slice(fromLeft, i), right: right.slice(fromRight, j) });
  };
  while (i < left.length && j < right.length) {
    if (left[i]!.key === right[j]!.key) {
      closeGap();
      shared.push(left[i]!);
      [fromLeft, fromRight] = [++i, ++j];
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  [i, j] = [left.length, right.length];
  closeGap();
  return { shared, gaps };
}

/** The length of the longest common subsequence from each pair of positions on. */
function commonLengths(left: readonly Aligned[], right: readonly Aligned[]): Uint16Array {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        left[i]!.key === right[j]!.key
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  return lengths;
}
