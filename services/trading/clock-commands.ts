import { sessionClock } from '../../actors/trading/engine.ts';
import { BelegError } from '../../events/errors.ts';
import type { AccountWriter } from './account/account.ts';
import type { EngineView } from './engine.ts';
import type { TradingSettings } from './settings.ts';
import { startingUp } from './starting-up.ts';
import { callerOf, type Call } from './trading-commands.ts';

/**
 * The commands to the clock of a replay. The clock's setting is recorded in the account's stream, so that the next
 * holder goes on with it. The times at which sessions came are not recorded, because they are no facts about the
 * account. A live market sets its own pace.
 */
export function clockCommands(
  engine: Pick<EngineView, 'has' | 'next'>,
  writer: Pick<AccountWriter, 'submit' | 'state'>,
  { feedRests: isReplay, feedSpeed }: Pick<TradingSettings, 'feedRests' | 'feedSpeed'>,
) {
  function assertReplay(): void {
    if (!isReplay) throw new BelegError('NOT_A_REPLAY');
  }

  async function set(change: { paused?: boolean; speed?: number }, call: Call) {
    assertReplay();
    await writer.submit({ type: 'set-clock', ...change }, callerOf(call));
    const { paused, speed } = sessionClock(writer.state, feedSpeed);
    return { status: paused || speed === 0 ? ('paused' as const) : ('running' as const), speed };
  }

  return {
    pause: (_: unknown, call: Call) => set({ paused: true }, call),
    /** At speed 0 sessions still come only when they are asked for. */
    resume: (_: unknown, call: Call) => set({ paused: false }, call),
    speed: ({ speed }: { speed: number }, call: Call) => set({ speed }, call),
    next: async () => {
      assertReplay();
      if (!engine.has('priced')) throw startingUp(engine);
      return { session: await engine.next() };
    },
  };
}
