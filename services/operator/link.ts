import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { BelegError } from '../../events/errors.ts';
import type { RequestDefinition } from '../../events/messages/define.ts';
import type { Settings } from '../config.ts';
import { readListening } from '../listening.ts';
import { isRecordHeld } from '../runtime.ts';
import { openBusLink } from './link/bus.ts';
import { openHttpLink } from './link/http.ts';
import { openLocalLink } from './link/local.ts';

/**
 * How a command asks services for what only they may do. Over the bus where services share one (NATS_URL); over HTTP
 * with the admin key where one process has the record; and where none does, from services started in this process.
 */
export interface OperatorLink {
  /** Rejects as `call` of `events/messages/define.ts` does. */
  call<Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    payload: z.input<Req>,
  ): Promise<z.output<Rep>>;
  close(): Promise<void>;
}

/**
 * A process that has the record and does not listen yet is starting, or it is another command. On a shared bus another
 * process takes over within five seconds, and then begins.
 */
const WAIT_MS = 8_000;
const STEP_MS = 50;

/**
 * Rejects with `NatsUnavailable`, and with `STORE_UNAVAILABLE` where there is no record, or where a process has it that
 * does not listen. Services in this process start with the first call.
 */
export async function openLink(settings: Settings, { waitMs = WAIT_MS } = {}): Promise<OperatorLink> {
  if (settings.distributed !== null) return openBusLink(settings, { waitMs });
  const { dataDir, adminApiKeys } = settings;
  for (const until = performance.now() + waitMs; isRecordHeld(settings); await delay(STEP_MS)) {
    // Noted by the one that has the record now: see `noteListening`.
    const url = await readListening(dataDir);
    if (url !== null) return openHttpLink(url, { adminApiKeys, dataDir });
    if (performance.now() > until) {
      throw new BelegError('STORE_UNAVAILABLE', {
        detail: `another process is using ${dataDir}: a service that is starting or stopping, or another command; try again when it has finished`,
      });
    }
  }
  return openLocalLink(settings);
}
