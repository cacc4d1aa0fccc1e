import { plainAnswer, StrategyAnswer } from '../../actors/strategy/answer.ts';
import type { Answer, Strategy } from '../../actors/strategy/port.ts';
import { dayOf } from './day.ts';
import { StrategyFault } from './fault.ts';
import { lineOf, requireTickers, shownBefore, valuesOf, type HostedStrategy, type Place } from './hosted.ts';
import { Window } from './past.ts';
import { readAs } from './read-as.ts';

interface HereOptions extends Pick<HostedStrategy, 'name' | 'source' | 'share' | 'hash'> {
  readonly strategy: Strategy;
  /** Values for its parameters, by name; the others keep their defaults. */
  readonly parameters?: Readonly<Record<string, number>>;
  /** Whether the market has a ticker. */
  readonly hasTicker?: (ticker: string) => boolean;
  readonly file?: string;
}

/**
 * Runs a strategy in this process. It must be trusted: nothing keeps it from reading the clock or from an endless loop,
 * and it is shown objects without copying them. It is asked synchronously.
 *
 * @throws {StrategyFault} for parameters that it does not have.
 */
export function runHere({
  name,
  source,
  share,
  hash,
  strategy,
  parameters: given = {},
  hasTicker = () => true,
  file,
}: HereOptions): HostedStrategy {
  const { parameters: declared = {}, history, predictions = false } = strategy;
  const at: Place = { file };
  const parameters = valuesOf(declared, given, at);
  let window = new Window(history);
  return {
    name,
    source,
    share,
    hash,
    declared,
    parameters,
    history,
    usesPredictions: predictions,
    begin(past) {
      window = new Window(history);
      for (const session of shownBefore(past, history)) window.push(lineOf(session));
    },
    decide({ session, previous, decided, account, state, predictions }) {
      const shown = lineOf(session, predictions, hasTicker);
      const day = dayOf(shown, { previous, decided, account, state, parameters }, window);
      const said = answerOf(strategy, day, at);
      const answer = plainAnswer(said) ?? readAs(StrategyAnswer, said, at);
      requireTickers(answer, hasTicker, at);
      return answer;
    },
    close: async () => undefined,
  };
}

function answerOf(
  strategy: Strategy,
  day: Parameters<Strategy['onSession']>[0],
  at: Place,
): Answer | undefined {
  try {
    return strategy.onSession(day) as Answer | undefined;
  } catch (error) {
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${String(error)}`;
    throw new StrategyFault(detail, at, error);
  }
}
