import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { BelegError } from '../../../events/errors.ts';

/** So many requests a minute for each key, over all paths that ask for one. Pages, health and metrics are not counted. */
export async function limitRate(app: FastifyInstance, perMinute: number): Promise<void> {
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    // After the key was checked: a wrong key uses up nobody's share.
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
