import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { BelegError } from '../../../events/errors.ts';
import { isLoopback } from '../../foundation/settings-fields.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom a rate limit counts: a fingerprint of the key, or the address of a caller that needs none. Never logged. */
    caller: string;
  }
}

export type Guard = (request: FastifyRequest) => Promise<void>;

/** Whom a key, sent from an address, lets in: a name for the caller, never logged; `null` for nobody. */
export type Admission = (key: string | undefined, remoteAddress: string) => string | null;

/** Asks for one of the keys; where none is set, only callers on this machine get in. */
export function admitKeyOrLoopback(keys: readonly string[]): Admission {
  if (keys.length > 0) return matchKeys(keys);
  return (_key, remoteAddress) => (isLoopback(remoteAddress) ? 'loopback' : null);
}

/**
 * The same for a request, with the key as a bearer token (RFC 6750).
 *
 * @param lesser keys that are known and do not open this: whoever sends one is told why
 */
export function requireKeyOrLoopback(
  keys: readonly string[],
  lesser: { readonly keys: readonly string[]; readonly detail: string } = { keys: [], detail: '' },
): Guard {
  const admit = admitKeyOrLoopback(keys);
  const isLesser = matchKeys(lesser.keys);
  return async (request) => {
    const [sent, address] = [bearerOf(request.headers.authorization), request.socket.remoteAddress ?? ''];
    const caller = admit(sent, address);
    if (caller === null) {
      throw new BelegError('UNAUTHORIZED', isLesser(sent, address) === null ? {} : { detail: lesser.detail });
    }
    request.caller = caller;
  };
}

/** Matches a sent key against these: its fingerprint, or `null`. Keys are compared by hash, in constant time. */
function matchKeys(keys: readonly string[]): Admission {
  const expected = keys.map(fingerprint);
  return (sent) => {
    // A missing token is compared as well, so that it takes as much time as a wrong one.
    const actual = fingerprint(sent ?? '');
    const matching = expected.filter((key) => timingSafeEqual(actual, key));
    return sent === undefined ? null : (matching[0]?.toString('base64url') ?? null);
  };
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

/**
 * Keeps web pages of other sites out. A name that is neither loopback nor listed may have been bound to this machine by
 * whoever owns it (DNS rebinding): 421. A request that a page of another origin sends is refused: 403. A POST without a
 * body needs no preflight, and how long a GET takes tells what is on record; following a link is all that others may do.
 * Throws the `BelegError` to answer with, to an upgrade as to a request.
 */
export function createHostCheck(allowedHosts: readonly string[]) {
  const allowed = new Set(allowedHosts);
  const isOurs = (name: string) => isLoopback(name) || allowed.has(name);

  return function assertHost(request: IncomingMessage): void {
    // Node takes the first of several; a proxy before it may have judged by another (RFC 9112, 3.2).
    for (const name of ['Host', 'Authorization']) {
      if ((request.headersDistinct?.[name.toLowerCase()]?.length ?? 0) > 1) {
        throw new BelegError('BAD_REQUEST', { detail: `More than one ${name} header` });
      }
    }
    // A whole address in the first line counts for more than Host (RFC 9112, 3.2.2): both must be ours.
    const target = request.url?.startsWith('/') === false ? URL.parse(request.url)?.origin : undefined;
    const hosts = [`http://${request.headers.host ?? ''}`, ...(target === undefined ? [] : [target])].map(
      parseOrigin,
    );
    if (!hosts.every((host) => host !== null && isOurs(nameOf(host)))) {
      throw new BelegError('MISDIRECTED_REQUEST', {
        detail: 'List this host name in ALLOWED_HOSTS if it should be accepted',
      });
    }
    if (!isOwnPage(request)) throw new BelegError('FORBIDDEN_ORIGIN');
  };

  /** Whether a request comes from our own page, by what browsers send (Fetch Metadata), or else by the origin. */
  function isOwnPage({ headers, method }: IncomingMessage): boolean {
    const site = headers['sec-fetch-site'];
    if (site === 'same-origin') return true;
    if (site === 'cross-site' || site === 'same-site') {
      return (
        method === 'GET' &&
        headers['sec-fetch-mode'] === 'navigate' &&
        headers['sec-fetch-dest'] === 'document'
      );
    }
    return headers.origin === undefined || isOwnOrigin(headers.origin, headers.host ?? '');
  }

  /** The page's own origin; behind a proxy that rewrites `Host`, a listed name on the usual port. */
  function isOwnOrigin(origin: string, host: string): boolean {
    const page = parseOrigin(origin);
    if (page === null) return false;
    if (page.host === parseOrigin(`${page.protocol}//${host}`)?.host) return true;
    return allowed.has(nameOf(page)) && page.port === '';
  }
}

/** `null` for anything that is more, or less, than scheme, name and port. */
function parseOrigin(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const bare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  return bare && url.password === '' && !/[/?#@\s]/.test(text.slice(text.indexOf('//') + 2)) ? url : null;
}

/** The host without the brackets of IPv6 and the final dot of a fully qualified name. */
function nameOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
