import { BelegError } from '../../events/errors.ts';
import type { EngineView } from './engine.ts';
import { startingUp } from './starting-up.ts';

/**
 * The commands to the clock of a replay. They are not recorded: when a session came is no fact about the account, and
 * that it came is on record. A market that is polled has a clock of its own.
 */
export function clockCommands(
  engine: Pick<EngineView, 'has' | 'speed' | 'pause' | 'resume' | 'setSpeed' | 'next'>,
  { isReplay }: { readonly isReplay: boolean },
) {
  function assertReplay(): void {
    if (!isReplay) throw new BelegError('NOT_A_REPLAY');
  }
  /** The state of the clock, read again after each change. */
  const clock = () => ({
    status: engine.has('byHand') ? ('paused' as const) : ('running' as const),
    speed: engine.speed,
  });

  return {
    pause: async () => {
      assertReplay();
      engine.pause();
      return clock();
    },
    /** At speed 0 sessions still come only when they are asked for. */
    resume: async () => {
      assertReplay();
      engine.resume();
      return clock();
    },
    speed: async ({ speed }: { speed: number }) => {
      assertReplay();
      engine.setSpeed(speed);
      return clock();
    },
    next: async () => {
      assertReplay();
      if (!engine.has('priced')) throw startingUp(engine);
      return { session: await engine.next() };
    },
  };
}
