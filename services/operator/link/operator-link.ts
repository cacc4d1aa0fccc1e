import type { z } from 'zod';
import type { RequestDefinition } from '../../../events/messages/define.ts';

/**
 * How a command asks services for what only they may do. Over the bus where services share one (NATS_URL); over HTTP
 * with the admin key where one process has the record; and where none does, from services started in this process.
 */
export interface OperatorLink extends AsyncDisposable {
  /** Rejects as `call` of `events/messages/define.ts` does. */
  call<Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    payload: z.input<Req>,
  ): Promise<z.output<Rep>>;
}
