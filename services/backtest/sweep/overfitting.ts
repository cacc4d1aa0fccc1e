import { deviationOf, meanOf } from '../performance.ts';
import { normalCdf, normalQuantile } from './normal.ts';

const EULER_GAMMA = 0.577_215_664_901_532_9;

/** The Sharpe ratio of a period: mean return divided by the standard deviation (ddof 1). It is 0 if nothing changes. */
export function periodSharpe(returns: ArrayLike<number>): number {
  const { mean, m2 } = momentsOf(returns);
  const deviation = Math.sqrt((m2 * returns.length) / (returns.length - 1));
  return deviation > 0 ? mean / deviation : 0;
}

/**
 * The deflated Sharpe ratio (Bailey and López de Prado, 2014): the probability that the best of many trials has an
 * edge, although the best of as many without an edge would look good, too. Below 0.95 the best is no evidence.
 *
 * The variance is that of the Sharpe ratios of all trials, and the number is that of all trials. The often used number
 * of "independent" trials is smaller, and finds edges in noise too often.
 *
 * @param best returns of the best trial.
 * @param sharpes of all trials, of a period, the best among them.
 */
export function deflatedSharpe(best: ArrayLike<number>, sharpes: readonly number[]): number {
  const { m2, m3, m4 } = momentsOf(best);
  if (m2 === 0) return 0;
  return probabilisticSharpe({
    sharpe: periodSharpe(best),
    threshold: expectedBest(varianceOf(sharpes), sharpes.length),
    periods: best.length,
    skewness: m3 / m2 ** 1.5,
    kurtosis: m4 / m2 ** 2,
  });
}

/** The probability that the true Sharpe ratio of a period is above a threshold. (Bailey, López de Prado, 2012) */
export function probabilisticSharpe({
  sharpe,
  threshold,
  periods,
  skewness,
  kurtosis,
}: Readonly<Record<'sharpe' | 'threshold' | 'periods' | 'skewness' | 'kurtosis', number>>): number {
  const spread = Math.sqrt(1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2);
  return normalCdf(((sharpe - threshold) * Math.sqrt(periods - 1)) / spread);
}

/** The expected best Sharpe ratio of this many trials without an edge, from the variance of the trials' ratios. */
export function expectedBest(variance: number, trials: number): number {
  if (trials < 2) return 0;
  const first = normalQuantile(1 - 1 / trials);
  const second = normalQuantile(1 - 1 / (trials * Math.E));
  return Math.sqrt(variance) * ((1 - EULER_GAMMA) * first + EULER_GAMMA * second);
}

const varianceOf = (values: readonly number[]): number =>
  values.length < 2 ? 0 : deviationOf(values, meanOf(values)) ** 2;

/** The number of blocks, which must be even. */
const BLOCKS = 16;

/**
 * The probability of backtest overfitting by combinatorially symmetric cross-validation (Bailey, Borwein, López de
 * Prado and Zhu, 2015): over all choices of half of 16 blocks, how often the best trial in them is below the median in
 * the others. For a choice among noise it is 0.5.
 *
 * @param trials returns of each trial over the same sessions.
 * @returns `null` for fewer than two trials, or too few sessions.
 */
export function overfittingProbability(trials: readonly ArrayLike<number>[]): number | null {
  const sessions = trials[0]?.length ?? 0;
  const size = Math.floor(sessions / BLOCKS);
  if (trials.length < 2 || size < 2) return null;
  const sums = trials.map((returns) => blockSums(returns, size));
  let [below, ways] = [0, 0];
  for (const chosen of halves()) {
    const inside = sums.map((of) => sharpeOf(of, chosen, size));
    const outside = sums.map((of) => sharpeOf(of, ~chosen, size));
    let best = 0;
    for (let at = 1; at < inside.length; at++) if (inside[at]! > inside[best]!) best = at;
    const own = outside[best]!;
    let rank = 0;
    for (const value of outside) rank += value < own ? 1 : value === own ? 0.5 : 0;
    // The rank in the other half among all trials, from 0 (worst) to 1 (best). Equal trials share the middle of their
    // ranks.
    below += (rank - 0.5) / (trials.length - 1) <= 0.5 ? 1 : 0;
    ways += 1;
  }
  return below / ways;
}

/** All sets with half of the blocks, as bits. */
function* halves(): Generator<number> {
  for (let set = 0; set < 2 ** BLOCKS; set++) {
    let bits = 0;
    for (let rest = set; rest > 0; rest &= rest - 1) bits += 1;
    if (bits === BLOCKS / 2) yield set;
  }
}

interface BlockSums {
  readonly sums: Float64Array;
  readonly squares: Float64Array;
}

/** The first sessions are left out if the number is not divisible. */
function blockSums(returns: ArrayLike<number>, size: number): BlockSums {
  const skipped = returns.length - size * BLOCKS;
  const [sums, squares] = [new Float64Array(BLOCKS), new Float64Array(BLOCKS)];
  for (let block = 0; block < BLOCKS; block++) {
    for (let at = 0; at < size; at++) {
      const value = returns[skipped + block * size + at]!;
      sums[block]! += value;
      squares[block]! += value * value;
    }
  }
  return { sums, squares };
}

function sharpeOf({ sums, squares }: BlockSums, blocks: number, size: number): number {
  let [sum, square] = [0, 0];
  for (let block = 0; block < BLOCKS; block++) {
    if ((blocks & (1 << block)) === 0) continue;
    sum += sums[block]!;
    square += squares[block]!;
  }
  const count = (size * BLOCKS) / 2;
  const mean = sum / count;
  const variance = square / count - mean * mean;
  return variance > 0 ? mean / Math.sqrt(variance) : 0;
}

/** The mean and the central moments. */
function momentsOf(values: ArrayLike<number>) {
  let mean = 0;
  for (let at = 0; at < values.length; at++) mean += values[at]! / values.length;
  let [m2, m3, m4] = [0, 0, 0];
  for (let at = 0; at < values.length; at++) {
    const off = values[at]! - mean;
    m2 += off ** 2 / values.length;
    m3 += off ** 3 / values.length;
    m4 += off ** 4 / values.length;
  }
  return { mean, m2, m3, m4 };
}
