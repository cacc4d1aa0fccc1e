import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { BelegError } from '../../../events/errors.ts';
import { wholeOrNull } from '../../foundation/settings-fields.ts';

/** The setting `PV_RATE_LIMIT`. */
export const RateLimit = wholeOrNull(0, 1_000_000).meta({
  description: 'requests per minute for each key; more get 429',
  default: 'no limit',
});

/**
 * Limits the requests per minute of each key, on all paths that need a key; pages, health and metrics are not limited.
 */
export async function limitRate(app: FastifyInstance, perMinute: number): Promise<void> {
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    // Requests are counted after the key was checked, so that wrong keys use up nobody's limit.
    hook: 'preParsing',
    keyGenerator: ({ caller }) => caller,
    allowList: ({ routeOptions }) => routeOptions.config.limited !== true,
    errorResponseBuilder: (_request, { ttl }) => new BelegError('RATE_LIMITED', { retryAfter: ttl / 1_000 }),
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the path counts against the caller's rate limit, if one is configured. */
    limited?: boolean;
  }
}
