import type { z } from 'zod';
import type { RequestDefinition } from '../../../events/messages/define.ts';

/**
 * How a command calls services: over the bus if the services share one (NATS_URL), over HTTP with the admin key if one
 * process has the record, and otherwise through services that start in this process.
 */
export interface OperatorLink extends AsyncDisposable {
  /** Rejects as `call` of `events/messages/define.ts` does. */
  call<Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    payload: z.input<Req>,
  ): Promise<z.output<Rep>>;
}
