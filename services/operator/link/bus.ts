import { setTimeout as delay } from 'node:timers/promises';
import { isBelegError } from '../../../events/errors.ts';
import { call, newCall } from '../../../events/messages/define.ts';
import type { Settings } from '../../composition/settings.ts';
import { openBusRuntime } from '../../composition/runtime.ts';
import type { OperatorLink } from './operator-link.ts';
import { createOperatorLogger } from './command-log.ts';

/** Milliseconds to wait for a connection. An operator should be told soon that NATS is away. */
const CONNECT_MS = 2_000;
const STEP_MS = 200;

/**
 * A link over NATS to whichever process has the service. If that process has died, another takes over within seconds,
 * so a call is repeated for `waitMs`; all calls of operators may be repeated.
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
          // The time counts from the first failure, because a lost request may have run for minutes.
          until ??= performance.now() + waitMs;
          if (performance.now() >= until) throw error;
        }
      }
    },
    [Symbol.asyncDispose]: () => runtime.close(),
  };
}
