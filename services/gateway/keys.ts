import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { BelegError } from '../../events/errors.ts';
import { isLoopback } from '../config-fields.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom a rate limit counts: a fingerprint of the key, or the address of a caller that needs none. Never logged. */
    caller: string;
  }
}

export type Guard = (request: FastifyRequest) => Promise<void>;

/** Lets those in who send the key as a bearer token (RFC 6750); compared by hash, in constant time. */
export function requireKey(key: string): Guard {
  const expected = fingerprint(key);
  return async (request) => {
    const sent = bearerOf(request.headers.authorization);
    // Without a token there is still one comparison: what is missing costs the same time as what is wrong.
    const matches = timingSafeEqual(fingerprint(sent ?? ''), expected);
    if (sent === undefined || !matches) throw new BelegError('UNAUTHORIZED');
    request.caller = expected.toString('base64url');
  };
}

/** Without a key to ask for, only callers on this machine get in. */
export function requireLoopback(): Guard {
  return async (request) => {
    if (!isLoopback(request.socket.remoteAddress ?? '')) throw new BelegError('UNAUTHORIZED');
    request.caller = 'loopback';
  };
}

/** Closed: no key that is configured opens this. */
export function refuseAll(detail: string): Guard {
  return async () => {
    throw new BelegError('UNAUTHORIZED', { detail });
  };
}

function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

function fingerprint(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
