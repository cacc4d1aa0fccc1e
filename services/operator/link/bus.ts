import { setTimeout as delay } from 'node:timers/promises';
import { isBelegError } from '../../../events/errors.ts';
import { call, newCall } from '../../../events/messages/define.ts';
import type { Settings } from '../../composition/settings.ts';
import { openBusRuntime } from '../../composition/runtime.ts';
import type { OperatorLink } from './operator-link.ts';
import { createOperatorLogger } from './logger.ts';

/** An operator is better told at once that NATS is away than kept waiting for it. */
const CONNECT_MS = 2_000;
const STEP_MS = 200;

/**
 * Over NATS, to whichever process does it. Where that one has died, another takes over within seconds: it is asked for
 * `waitMs` again, which nothing that operators ask for minds.
 */
export async function openBusLink(
  settings: Settings,
  { waitMs }: { readonly waitMs: number },
): Promise<OperatorLink> {
  const runtime = await openBusRuntime(settings, createOperatorLogger(settings), {
    waitOnFirstConnectMs: CONNECT_MS,
  });
  return {
    async call(definition, payload) {
      const asked = newCall();
      for (let until: number | undefined; ; await delay(STEP_MS)) {
        try {
          return await call(runtime.bus, definition, payload, asked);
        } catch (error) {
          if (!isBelegError(error, 'NO_RESPONDERS', 'RESPONDER_LOST')) throw error;
          // Counted from the first failure: a request that was lost may have been worked on for minutes.
          until ??= performance.now() + waitMs;
          if (performance.now() >= until) throw error;
        }
      }
    },
    [Symbol.asyncDispose]: () => runtime.close(),
  };
}
