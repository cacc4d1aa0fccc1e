import type { AccountEvent } from '../../events/catalog/catalog.ts';
import { Lifecycle } from '../lifecycle.ts';

/** What the account's record says of the engine. While it reconciles, that is the process's state, not the account's. */
export type EngineStatus = 'stopped' | 'running' | 'halted';

export type EngineEventType = Extract<AccountEvent['type'], `Trading${string}`>;

export const ENGINE_LIFECYCLE = new Lifecycle<EngineStatus, EngineEventType>('engine', 'stopped', {
  stopped: { TradingStarted: 'running', TradingHalted: 'halted' },
  running: { TradingStopped: 'stopped', TradingHalted: 'halted' },
  // Halted again for another reason.
  halted: {
    TradingStarted: 'running',
    TradingStopped: 'stopped',
    TradingHalted: 'halted',
    TradingResumed: 'running',
  },
});
