/**
 * The standard normal distribution function by its series, with an error of about 1e-16 at most. (Marsaglia, 2004,
 * "Evaluating the Normal Distribution", Journal of Statistical Software 11)
 */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return x;
  if (Math.abs(x) > 8) return x < 0 ? 0 : 1;
  let [sum, term, before] = [x, x, 0];
  for (let n = 3; sum !== before; n += 2) {
    before = sum;
    term *= (x * x) / n;
    sum += term;
  }
  return 0.5 + sum * Math.exp((-x * x) / 2) * (1 / Math.sqrt(2 * Math.PI));
}

/** The inverse of the normal distribution: the value below which this share lies. `share` is between 0 and 1, both excluded. */
export function normalQuantile(share: number): number {
  let [low, high] = [-8, 8];
  // Bisects until the interval has two neighbouring numbers.
  for (;;) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) return middle;
    if (normalCdf(middle) < share) low = middle;
    else high = middle;
  }
}
