import { BelegError } from '../../events/errors.ts';

/** What the account's record says of the engine. While it reconciles, that is the process's state, not the account's. */
export type EngineStatus = 'stopped' | 'running' | 'halted';

export type EngineEventType = 'TradingStarted' | 'TradingStopped' | 'TradingHalted' | 'TradingResumed';

/** The lifecycle of the engine, written once; `evolve`, `decide` and the engine's machine read it. */
export const ENGINE_LIFECYCLE: Readonly<
  Record<EngineStatus, Readonly<Partial<Record<EngineEventType, EngineStatus>>>>
> = {
  stopped: { TradingStarted: 'running', TradingHalted: 'halted' },
  running: { TradingStopped: 'stopped', TradingHalted: 'halted' },
  // Halted again for another reason.
  halted: {
    TradingStarted: 'running',
    TradingStopped: 'stopped',
    TradingHalted: 'halted',
    TradingResumed: 'running',
  },
};

export const isEngineEvent = <Event extends { readonly type: string }>(
  event: Event,
): event is Extract<Event, { readonly type: EngineEventType }> =>
  Object.values(ENGINE_LIFECYCLE).some((next) => event.type in next);

/** @throws {BelegError} `STREAM_CORRUPT` for an event that is not legal now. */
export function nextEngineStatus(status: EngineStatus, type: EngineEventType): EngineStatus {
  const next = ENGINE_LIFECYCLE[status][type];
  if (next === undefined) {
    throw new BelegError('STREAM_CORRUPT', { detail: `${type} cannot follow ${status}` });
  }
  return next;
}
