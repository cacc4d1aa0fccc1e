import { seeded } from '../../events/seeded.ts';
import { defined, performanceOfReturns } from './performance.ts';

const RESAMPLES = 1_000;
const SEED = 1;
/** Fewer days than that say nothing about others. */
const FEWEST = 60;

/**
 * The stationary bootstrap (Politis and Romano, 1994): series as long as the returns, made of their blocks, whose lengths are
 * random with a mean of the cube root of the length, so that calm and wild times stay together. The seed is fixed: the same
 * returns give the same figures; `null` where there are too few.
 */
export function resample(returns: readonly number[], perYear: number, resamples = RESAMPLES) {
  if (returns.length < FEWEST) return null;
  const random = seeded(SEED);
  const block = Math.cbrt(returns.length);
  const [sharpes, drawdowns]: [number[], number[]] = [[], []];
  for (let n = 0; n < resamples; n++) {
    const { sharpe, maxDrawdown } = performanceOfReturns(drawn(returns, block, random), perYear);
    if (sharpe !== null) sharpes.push(sharpe);
    if (maxDrawdown !== null) drawdowns.push(maxDrawdown);
  }
  const sharpe = quantilesOf(sharpes);
  const drawdown = quantilesOf(drawdowns);
  return {
    resamples,
    seed: SEED,
    /** Mean number of sessions of a block. */
    block,
    /** The interval that holds 95 % of the resampled Sharpe ratios. */
    sharpe: { low: sharpe(0.025), high: sharpe(0.975) },
    /** The deepest fall: in the middle of the resampled series, and what 5 % of them exceed. */
    maxDrawdown: { median: drawdown(0.5), worst: drawdown(0.05) },
  };
}

function drawn(returns: readonly number[], block: number, random: () => number): number[] {
  let at = 0;
  return returns.map((_, n) => {
    const goesOn = n > 0 && random() >= 1 / block;
    at = goesOn ? (at + 1) % returns.length : Math.floor(random() * returns.length);
    return returns[at]!;
  });
}

function quantilesOf(values: readonly number[]): (share: number) => number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return (share) => defined(sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN);
}
