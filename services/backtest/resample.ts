import { seeded } from '../../events/seeded.ts';
import { defined, riskFreeOf } from './performance.ts';

const RESAMPLES = 1_000;
const SEED = 1;
/** With fewer days than this the intervals mean nothing. */
const FEWEST = 60;

/**
 * The stationary bootstrap (Politis and Romano, 1994): series as long as the returns, made of their blocks with random
 * lengths around the cube root of the length, so that calm and volatile times stay together. The seed is fixed, so that
 * the same returns give the same figures; `null` if there are too few.
 */
export function resample(
  returns: readonly number[],
  perYear: number,
  riskFreePercent = 0,
  resamples = RESAMPLES,
) {
  if (returns.length < FEWEST) return null;
  const random = seeded(SEED);
  const block = Math.cbrt(returns.length);
  const riskFree = riskFreeOf(riskFreePercent, perYear);
  const of = Float64Array.from(returns);
  const [sharpes, drawdowns]: [number[], number[]] = [[], []];
  for (let n = 0; n < resamples; n++) {
    const { mean, deviation, maxDrawdown } = drawn(of, block, random);
    if (deviation > 0) sharpes.push(((mean - riskFree) / deviation) * Math.sqrt(perYear));
    drawdowns.push(maxDrawdown);
  }
  const sharpe = quantilesOf(sharpes);
  const drawdown = quantilesOf(drawdowns);
  return {
    resamples,
    seed: SEED,
    /** The mean number of sessions in a block. */
    block,
    /** The interval with 95 % of the resampled Sharpe ratios. */
    sharpe: { low: sharpe(0.025), high: sharpe(0.975) },
    /** The maximum drawdown: its median in the resampled series, and the value that 5 % of them exceed. */
    maxDrawdown: { median: drawdown(0.5), worst: drawdown(0.05) },
  };
}

/** One resampled series, measured while it is drawn: mean and deviation (ddof 1) by Welford's method. */
function drawn(returns: Float64Array, block: number, random: () => number) {
  const { length } = returns;
  let [at, mean, squares] = [0, 0, 0];
  let [value, high, maxDrawdown] = [1, 1, 0];
  for (let n = 0; n < length; n++) {
    const goesOn = n > 0 && random() >= 1 / block;
    at = goesOn ? (at + 1) % length : Math.floor(random() * length);
    const change = returns[at]!;
    const off = change - mean;
    mean += off / (n + 1);
    squares += off * (change - mean);
    value *= 1 + change;
    if (value > high) high = value;
    else maxDrawdown = Math.min(maxDrawdown, value / high - 1);
  }
  return { mean, deviation: Math.sqrt(squares / (length - 1)), maxDrawdown };
}

function quantilesOf(values: readonly number[]): (share: number) => number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return (share) => defined(sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN);
}
