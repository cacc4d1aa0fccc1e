import type { AccountEvent } from '../../events/catalog/catalog.ts';
import { Lifecycle } from '../lifecycle.ts';

/**
 * The state of the engine on the account's record. Reconciling with the broker is a state of the process alone, and is
 * not recorded.
 */
export type EngineStatus = 'stopped' | 'running' | 'halted';

export type EngineEventType = Extract<AccountEvent['type'], `Trading${string}`>;

export const ENGINE_LIFECYCLE = new Lifecycle<EngineStatus, EngineEventType>('engine', 'stopped', {
  stopped: { TradingStarted: 'running', TradingHalted: 'halted' },
  running: { TradingStopped: 'stopped', TradingHalted: 'halted' },
  // A halt may be followed by a halt for another reason.
  halted: {
    TradingStarted: 'running',
    TradingStopped: 'stopped',
    TradingHalted: 'halted',
    TradingResumed: 'running',
  },
});
