import { INDICATORS } from '../../actors/strategy/indicators.ts';
import type { Day } from '../../actors/strategy/port.ts';
import type { Window } from './past.ts';
import type { SessionLine } from './protocol.ts';

/** The part of a day that differs between strategies. */
export type Own = Pick<Day, 'previous' | 'decided' | 'account' | 'state' | 'parameters'>;

/** What a strategy is shown of a session. The session must already be the last one of `past`. */
export function dayOf(session: SessionLine, own: Own, past: Window): Day {
  past.push(session);
  return {
    date: session.date,
    previous: own.previous,
    decided: own.decided,
    bars: session.bars,
    past,
    series: session.series ?? {},
    universe: session.universe ?? past.tickers,
    account: own.account,
    parameters: own.parameters,
    state: own.state,
    indicators: INDICATORS,
  };
}
