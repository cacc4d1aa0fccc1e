import type { AccountEvent } from '../../events/catalog/catalog.ts';
import { Lifecycle } from '../lifecycle.ts';

/** Whether an own strategy is asked. Only an operator restarts one that has failed. */
export type OwnStrategyStatus = 'running' | 'stopped' | 'halted';

export type OwnStrategyEventType = Extract<
  AccountEvent['type'],
  'StrategyTaken' | 'StrategyStarted' | 'StrategyStopped' | 'StrategyHalted'
>;

export const OWN_STRATEGY_LIFECYCLE = new Lifecycle<OwnStrategyStatus, OwnStrategyEventType>(
  'own strategy',
  'running',
  {
    // `StrategyTaken`: the strategy has another file or other parameters.
    running: { StrategyTaken: 'running', StrategyStopped: 'stopped', StrategyHalted: 'halted' },
    stopped: { StrategyTaken: 'stopped', StrategyStarted: 'running', StrategyHalted: 'halted' },
    // A halted strategy takes its file again only when it is started by hand. `StrategyHalted`: this start failed for
    // another reason.
    halted: { StrategyStarted: 'running', StrategyStopped: 'stopped', StrategyHalted: 'halted' },
  },
);
