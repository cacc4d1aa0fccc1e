import type { FastifyBaseLogger } from 'fastify';

/** Where a request's secrets would stand if some library logged the request. */
const SECRETS = [
  'req.headers',
  'headers',
  '*.headers.authorization',
  'apiKeys',
  'adminApiKeys',
  'readKeys',
  '*.apiKeys',
  '*.adminApiKeys',
  '*.readKeys',
];

/** The same logger, blind to keys and headers whoever writes through it. */
export function withoutSecrets(logger: FastifyBaseLogger): FastifyBaseLogger {
  return logger.child({}, { redact: { paths: SECRETS, censor: '[redacted]' } });
}
