import type { FastifyBaseLogger } from 'fastify';

/** The paths of secrets in a request, in case a library logs it. */
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

/** A logger that redacts keys and headers, whoever writes through it. */
export function withoutSecrets(logger: FastifyBaseLogger): FastifyBaseLogger {
  return logger.child({}, { redact: { paths: SECRETS, censor: '[redacted]' } });
}
