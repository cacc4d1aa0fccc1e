import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { BelegError } from '../../../events/errors.ts';

/** Limits the requests a minute for each key, over all paths that need one. Pages, health and metrics are not counted. */
export async function limitRate(app: FastifyInstance, perMinute: number): Promise<void> {
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    // Counted after the key was checked, so that wrong keys do not use up anybody's share.
    hook: 'preParsing',
    keyGenerator: ({ caller }) => caller,
    allowList: ({ routeOptions }) => routeOptions.config.limited !== true,
    errorResponseBuilder: (_request, { ttl }) => new BelegError('RATE_LIMITED', { retryAfter: ttl / 1_000 }),
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counts against the caller's rate limit, where one is set. */
    limited?: boolean;
  }
}
