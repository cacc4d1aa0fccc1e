import type { EquityPoint } from '../account-history.ts';
import { performanceOfReturns } from '../performance.ts';
import { returnsOf } from '../periods.ts';
import { deflatedSharpe, overfittingProbability, periodSharpe } from './overfitting.ts';
import { neighboursOf, type Axis, type Combination } from './parameter-space.ts';
import { chooseIn, stitched, type Fold } from './walk-forward.ts';

/** One run of the strategy with its parameters. */
export interface Trial {
  readonly parameters: Combination;
  /** Returns from close to close, one for each session. */
  readonly returns: Float64Array;
  /** The number of closed trades. */
  readonly trades: number;
}

/** The result of a sweep. Every choice comes with its result in the time after it. */
export type SweepSummary = ReturnType<typeof summariseSweep>;

interface Swept {
  readonly axes: readonly Axis[];
  /** At least one trial, all over the same sessions. */
  readonly trials: readonly Trial[];
  readonly dates: readonly string[];
  /** At least one fold: one for a split, several for walk-forward. */
  readonly folds: readonly Fold[];
  readonly perYear: number;
  /** The values of the benchmarks, the first before the first of the dates. */
  readonly benchmarks?: readonly { readonly name: string; readonly equity: readonly EquityPoint[] }[];
  /** Combinations with which the strategy failed; they are not among the trials. */
  readonly failed?: readonly FailedTrial[];
}

export interface FailedTrial {
  readonly parameters: Combination;
  /** Where it failed, why, and on which day. */
  readonly failure: string;
}

/**
 * In each fold the combination with the best Sharpe ratio is chosen, and tested in the time after it. The deflated
 * Sharpe ratio compares the first choice with all trials in its training. The probability of overfitting is calculated
 * over the same training, and once more over all sessions.
 */
export function summariseSweep({
  axes,
  trials: all,
  dates,
  folds,
  perYear,
  benchmarks = [],
  failed = [],
}: Swept) {
  // A run that never held anything is no evidence: counted as a trial, it would make results by chance look less
  // likely.
  const { active = [], resting = [] } = Object.groupBy(all, ({ returns }) =>
    returns.some((value) => value !== 0) ? 'active' : 'resting',
  );
  const [trials, idle] = active.length === 0 ? [resting, []] : [active, resting];
  const returns = trials.map((trial) => trial.returns);
  const yearly = Math.sqrt(perYear);
  const choices = chooseIn(folds, returns);
  const first = choices[0]!;
  const { train, test } = first;
  const inside = returns.map((of) => of.subarray(train.from, train.to));
  const sharpes = inside.map(periodSharpe);
  const outside = stitched(choices, returns);
  const around = neighboursOf(
    trials[first.chosen]!.parameters,
    axes,
    trials.map(({ parameters }) => parameters),
  );
  const sharpeOf = new Map(trials.map(({ parameters }, at) => [parameters, sharpes[at]! * yearly]));
  return {
    runs: trials.length,
    axes,
    from: dates[0]!,
    to: dates.at(-1)!,
    sessions: dates.length,
    perYear,
    folds: choices.map((choice) => ({
      train: spanOf(dates, choice.train),
      test: spanOf(dates, choice.test),
      parameters: trials[choice.chosen]!.parameters,
      /** The Sharpe ratios, a year. */
      sharpe: { train: choice.sharpe.train * yearly, test: choice.sharpe.test * yearly },
      rank: choice.rank,
    })),
    /** The tests one after another, each with the choice of its fold. */
    outOfSample: {
      ...performanceOfReturns(outside, perYear),
      equity: compounded(outside).slice(1),
      benchmarks: benchmarks.map(({ name, equity }) => {
        const all = returnsOf(equity);
        const own = choices.flatMap((choice) => all.slice(choice.test.from, choice.test.to));
        return { name, ...performanceOfReturns(own, perYear), equity: compounded(own).slice(1) };
      }),
      dates: choices.flatMap((choice) => dates.slice(choice.test.from, choice.test.to)),
    },
    /** The probability that the first choice has an edge at all. Below 0.95 it is no evidence. */
    deflatedSharpe: deflatedSharpe(inside[first.chosen]!, sharpes),
    /** How often the best trial in one half of the time is below the median in the other; 0.5 is chance. */
    overfitting: overfittingProbability(inside),
    /** The probability of overfitting over all sessions, including those in which the choices were tested. */
    overfittingOfAll: overfittingProbability(returns),
    failed,
    /** The parameters of runs that never held anything. They count neither as trials nor in any figure above. */
    idle: idle.map(({ parameters }) => parameters),
    /** Yearly Sharpe ratios one step from the first choice: similar on a plateau, far below on a spike. */
    neighbours: around.map((parameters) => ({ parameters, sharpe: sharpeOf.get(parameters)! })),
    /** One row for each run, those that never held anything last. */
    trials: [...trials, ...idle].map(({ parameters, returns: own, trades }, at) => {
      const { totalReturn, annualVolatility, maxDrawdown, sharpe } = performanceOfReturns([...own], perYear);
      return {
        parameters,
        totalReturn,
        annualVolatility,
        maxDrawdown,
        sharpe,
        trainSharpe: (sharpes[at] ?? 0) * yearly,
        testSharpe: periodSharpe(own.subarray(test.from, test.to)) * yearly,
        trades,
      };
    }),
  };
}

const spanOf = (dates: readonly string[], { from, to }: Fold['train']) => ({
  from: dates[from]!,
  to: dates[to - 1]!,
});

/** The growth of an investment of 1, after each return. */
function compounded(returns: readonly number[]): number[] {
  const values = [1];
  for (const value of returns) values.push(values.at(-1)! * (1 + value));
  return values;
}
