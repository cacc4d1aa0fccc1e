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
    // Another file, or other parameters, are taken.
    running: { StrategyTaken: 'running', StrategyStopped: 'stopped', StrategyHalted: 'halted' },
    stopped: { StrategyTaken: 'stopped', StrategyStarted: 'running', StrategyHalted: 'halted' },
    // Only a start takes its file again.
    halted: { StrategyStarted: 'running', StrategyStopped: 'stopped' },
  },
);
