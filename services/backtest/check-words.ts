import type { StrategySource } from '../strategies/named.ts';
import type { CheckResult } from './check-strategy.ts';

/** The text of a check without a difference: what it has shown, and what no check can show. */
export function checkedWords(
  { name, runs }: Pick<StrategySource, 'name' | 'runs'>,
  { sessions, kills }: Pick<CheckResult, 'sessions' | 'kills'>,
): string[] {
  const unseen =
    runs.kind === 'program'
      ? 'what the program reads by itself: files, the network, or a clock that says the same in each run, such as the day of ' +
        "Python's time.localtime()"
      : 'what is written in its own files, such as a list of the shares that rose later';
  return [
    `${name} decided the same over ${sessions} sessions: run again, killed ${kills} times and begun anew at another row, ` +
      'and cut at twenty dates with what follows scrambled.',
    `Only what a strategy is shown was cut and scrambled, so this cannot find a look-ahead through ${unseen}, ` +
      'unless its orders are right about the next session far more often than any rule is.',
    'This is no proof that it knows nothing of the future. A column or a series is found if it says what the next session brings; ' +
      'one that looks further ahead, such as whether the next five sessions rise, is not found, and universe.csv is not looked at.',
  ];
}
