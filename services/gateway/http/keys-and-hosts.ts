import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { BelegError } from '../../../events/errors.ts';
import { isLoopback } from '../../foundation/settings-fields.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller for the rate limit: a fingerprint of the key, or the address if no key is needed. Never logged. */
    caller: string;
  }
}

export type Guard = (request: FastifyRequest) => Promise<void>;

/** Returns a name for the caller if this key admits it from this address, else `null`. Never logged. */
type Admission = (key: string | undefined, remoteAddress: string) => string | null;

/** Requires one of the keys. If none is configured, only callers on this machine are admitted. */
export function admitKeyOrLoopback(keys: readonly string[]): Admission {
  if (keys.length > 0) return matchKeys(keys);
  return (_key, remoteAddress) => (isLoopback(remoteAddress) ? 'loopback' : null);
}

/**
 * `admitKeyOrLoopback` as a guard of requests, with the key as a bearer token (RFC 6750).
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

/** Compares a sent key with these, by hash and in constant time; returns its fingerprint, or `null`. */
function matchKeys(keys: readonly string[]): Admission {
  const expected = keys.map(fingerprint);
  return (sent) => {
    // A missing token is compared too, so that it takes as long as a wrong one.
    const actual = fingerprint(sent ?? '');
    const matching = expected.filter((key) => timingSafeEqual(actual, key));
    return sent === undefined ? null : (matching[0]?.toString('base64url') ?? null);
  };
}

/** A guard that no configured key opens. */
export function refuseAll(detail: string): Guard {
  return async () => {
    throw new BelegError('UNAUTHORIZED', { detail });
  };
}

/** The token of an `Authorization` header, if there is one. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

function fingerprint(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/**
 * Keeps out web pages of other sites. A host name that is neither loopback nor listed may have been bound to this
 * machine by its owner (DNS rebinding): 421. A request from a page of another origin is refused with 403: a POST
 * without a body needs no preflight, and the duration of a GET reveals what is on record. Only following a link is
 * allowed. A probe of health may also name no host, or an IP address, because a page that was bound to this machine
 * always has a name. Throws the `BelegError` to answer with, for upgrades as for requests.
 */
export function createHostCheck(allowedHosts: readonly string[]) {
  const allowed = new Set(allowedHosts);
  const isOurs = (name: string) => isLoopback(name) || allowed.has(name);

  return function assertHost(request: IncomingMessage, { isProbe = false } = {}): void {
    // Node uses the first of several headers; a proxy in front of it may have checked another one (RFC 9112, 3.2).
    for (const name of ['Host', 'Authorization']) {
      if ((request.headersDistinct?.[name.toLowerCase()]?.length ?? 0) > 1) {
        throw new BelegError('BAD_REQUEST', { detail: `More than one ${name} header` });
      }
    }
    // An absolute request target takes precedence over `Host` (RFC 9112, 3.2.2), so both must name us.
    const target = request.url?.startsWith('/') === false ? URL.parse(request.url)?.origin : undefined;
    const { host = '', origin = '' } = request.headers;
    const isUnnamed = isProbe && (host === '' || isIP(nameOf(parseOrigin(`http://${host}`) ?? NO_URL)) > 0);
    const hosts = [...(isUnnamed ? [] : [`http://${host}`]), ...(target === undefined ? [] : [target])];
    if (!hosts.map(parseOrigin).every((each) => each !== null && isOurs(nameOf(each)))) {
      throw new BelegError('MISDIRECTED_REQUEST', {
        detail:
          host === ''
            ? 'The request has no Host header: send one with a name of ALLOWED_HOSTS or of loopback'
            : 'List this host name in ALLOWED_HOSTS if it should be accepted',
      });
    }
    if (!isOwnPage(request)) throw new BelegError('FORBIDDEN_ORIGIN', { detail: whyForeign(origin, host) });
  };

  /**
   * Advice on what to set, for a page that has our name but another port, because a proxy has cut the port off;
   * `undefined` for any other page.
   */
  function whyForeign(origin: string, host: string): string | undefined {
    const [page, own] = [parseOrigin(origin), parseOrigin(`http://${host}`)];
    if (page === null || own === null || page.port === own.port) return undefined;
    const isSameName = nameOf(page) === nameOf(own) || allowed.has(nameOf(page));
    return isSameName
      ? 'The page has another port than the Host header: let the proxy send both on (nginx: proxy_set_header Host $http_host)'
      : undefined;
  }

  /** Whether a request comes from our own page, by Fetch Metadata, or else by its origin. */
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

  /** The origin of our page; behind a proxy that rewrites `Host`, a listed name on the usual port. */
  function isOwnOrigin(origin: string, host: string): boolean {
    const page = parseOrigin(origin);
    if (page === null) return false;
    if (page.host === parseOrigin(`${page.protocol}//${host}`)?.host) return true;
    return allowed.has(nameOf(page)) && page.port === '';
  }
}

const NO_URL = { hostname: '' };

/** Returns `null` for anything else than scheme, name and port. */
function parseOrigin(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const bare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  return bare && url.password === '' && !/[/?#@\s]/.test(text.slice(text.indexOf('//') + 2)) ? url : null;
}

/** The host without the brackets of IPv6 or the final dot of a fully qualified name. */
function nameOf(url: Pick<URL, 'hostname'>): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
