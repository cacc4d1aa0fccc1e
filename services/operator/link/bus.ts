import { randomUUID } from 'node:crypto';
import { call } from '../../../events/messages/define.ts';
import type { Settings } from '../../config.ts';
import { openBusRuntime } from '../../runtime.ts';
import type { OperatorLink } from '../link.ts';
import { createOperatorLogger } from './logger.ts';

/** Over NATS, to whichever process does it. */
export async function openBusLink(settings: Settings): Promise<OperatorLink> {
  const runtime = await openBusRuntime(settings, createOperatorLogger(settings));
  return {
    call: (definition, payload) => call(runtime.bus, definition, payload, newCall()),
    close: () => runtime.close(),
  };
}

/** Of its own: nobody asked for it but the operator. */
export function newCall(): { correlationId: string; callId: string } {
  const id = randomUUID();
  return { correlationId: id, callId: id };
}
