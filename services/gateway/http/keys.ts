import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { BelegError } from '../../../events/errors.ts';
import { isLoopback } from '../../config-fields.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom a rate limit counts: a fingerprint of the key, or the address of a caller that needs none. Never logged. */
    caller: string;
  }
}

export type Guard = (request: FastifyRequest) => Promise<void>;

/** Lets those in who send one of the keys as a bearer token (RFC 6750). */
export function requireKey(keys: readonly string[]): Guard {
  const holderOf = matchKeys(keys);
  return async (request) => {
    const holder = holderOf(bearerOf(request.headers.authorization));
    if (holder === null) throw new BelegError('UNAUTHORIZED');
    request.caller = holder;
  };
}

/** A fingerprint of the key that was sent, `null` where it is none of these; compared by hash, in constant time. */
export function matchKeys(keys: readonly string[]): (sent: string | undefined) => string | null {
  const expected = keys.map(fingerprint);
  return (sent) => {
    // Without a token there are still comparisons: what is missing costs the same time as what is wrong.
    const actual = fingerprint(sent ?? '');
    const matching = expected.filter((key) => timingSafeEqual(actual, key));
    return sent === undefined ? null : (matching[0]?.toString('base64url') ?? null);
  };
}

/** Lets callers on this machine in. */
export function requireLoopback(): Guard {
  return async (request) => {
    if (!isLoopback(request.socket.remoteAddress ?? '')) throw new BelegError('UNAUTHORIZED');
    request.caller = 'loopback';
  };
}

/** Where no key is set, only callers on this machine get in. */
export function requireKeyOrLoopback(keys: readonly string[]): Guard {
  return keys.length === 0 ? requireLoopback() : requireKey(keys);
}

/** Closed: no key that is configured opens this. */
export function refuseAll(detail: string): Guard {
  return async () => {
    throw new BelegError('UNAUTHORIZED', { detail });
  };
}

/** The token of an `Authorization` header; `undefined` where there is none. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

function fingerprint(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
