/** The indexes of the best scores above 0, best first; of equal scores the lower index first. */
export function bestOf(scores: Float32Array, count: number): number[] {
  const top: number[] = [];
  /** The lowest score that still counts; lower scores are skipped. */
  let least = 0;
  for (let number = 0; number < scores.length; number++) {
    const score = scores[number]!;
    if (!(score > least)) continue;
    let place = top.length;
    while (place > 0 && scores[top[place - 1]!]! < score) place--;
    top.splice(place, 0, number);
    if (top.length > count) top.pop();
    if (top.length === count) least = scores[top.at(-1)!]!;
  }
  return top;
}
