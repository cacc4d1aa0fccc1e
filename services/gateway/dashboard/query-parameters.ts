import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { BelegError } from '../../../events/errors.ts';
import { LIST_LENGTHS } from '../../../events/messages/list-lengths.ts';
import { Ticker } from '../../../events/messages/ticker.ts';

/** Any text is accepted; a text that is no valid ticker is answered like an unknown ticker. */
export const TickerPath = z.object({ ticker: z.string().meta({ examples: ['AAPL'] }) });

const OfTicker = z.object({ ticker: Ticker });

/**
 * The ticker of a path.
 *
 * @throws {BelegError} `UNKNOWN_TICKER` for a text that cannot be one.
 */
export function tickerOf(request: FastifyRequest): string {
  const path = OfTicker.safeParse(request.params);
  if (!path.success) throw new BelegError('UNKNOWN_TICKER');
  return path.data.ticker;
}

/**
 * `limit`: the number of newest entries, a positive whole number. A number above the maximum is read as the maximum.
 */
export function limitQuery(list: keyof typeof LIST_LENGTHS) {
  const { usual, most } = LIST_LENGTHS[list];
  const message = 'must be a positive whole number';
  const whole = (sent: unknown) =>
    typeof sent === 'string' && /^\d+$/.test(sent) ? Math.min(Number(sent), most) : sent;
  const limit = z
    .preprocess(whole, z.int(message).min(1, message))
    .default(usual)
    .describe(`Number of newest entries. Default ${usual}; more than ${most} counts as ${most}`);
  return z.object({ limit });
}
