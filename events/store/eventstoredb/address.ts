import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type {
  ChannelCredentialOptions,
  Credentials,
  DNSClusterOptions,
  GossipClusterOptions,
  SingleNodeOptions,
} from '@eventstore/db-client';
import {
  parseConnectionString,
  type ConnectionOptions,
} from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { given } from '../../given.ts';

/** The address of the store and the credentials, in the form that the client's constructor takes. */
export interface Address {
  readonly server: SingleNodeOptions | DNSClusterOptions | GossipClusterOptions;
  readonly channel: ChannelCredentialOptions;
  readonly credentials: Credentials | undefined;
}

const FORM = 'esdb://[user:password@]host[:port][,host…][?key=value&…]';

const KEYS = new Set(
  `tls tlsCAFile userCertFile userKeyFile connectionName maxDiscoverAttempts discoveryInterval gossipTimeout
  nodePreference keepAliveInterval keepAliveTimeout`.split(/\s+/u),
);

/** Options that the client would accept and then ignore, or apply in a harmful way. */
const REFUSED: Readonly<Record<string, string>> = {
  throwOnAppendFailure: 'hides conflicts',
  defaultDeadline: 'is ignored by the client; calls have their own timeouts',
  tlsVerifyCert: 'has no effect; name the file of the certificate authority with tlsCAFile',
};

/**
 * The shortest keep-alive. The client takes milliseconds, and with less than ten seconds a server may close the
 * connection for too many pings.
 */
const LEAST_KEEP_ALIVE_MS = 10_000;

/**
 * Reads a connection string. The credentials are removed before the client's own parser sees the string, because the
 * parser prints the whole string with every warning. TLS is on unless `tls=false`, and without TLS no credentials are
 * sent.
 *
 * @throws {TypeError} without a word of the string in it.
 */
export function parseAddress(url: string): Address {
  const [, scheme, user, rest] = /^(esdb(?:\+discover)?):\/\/(?:([^@/?]*)@)?([^@]+)$/.exec(url.trim()) ?? [];
  if (scheme === undefined || rest === undefined) throw malformed(`it must look like ${FORM}`);
  checkKeys(rest);
  let options: ConnectionOptions;
  try {
    options = parseConnectionString(`${scheme}://${rest}`);
  } catch {
    // The client's own message would quote the connection string, which nobody may see.
    throw malformed(`it must look like ${FORM}`);
  }
  return { server: serverOf(options), channel: channelOf(options), credentials: credentialsOf(user) };
}

/** The hosts with their ports in a connection string, for the log. */
export function hostsIn(url: string): string[] {
  const { server } = parseAddress(url);
  const hosts =
    'endpoints' in server ? server.endpoints : ['discover' in server ? server.discover : server.endpoint];
  return hosts.map((host) => (typeof host === 'string' ? host : `${host.address}:${host.port}`));
}

function checkKeys(rest: string): void {
  for (const key of new URLSearchParams(rest.split('?')[1] ?? '').keys()) {
    const reason = REFUSED[key];
    if (reason !== undefined) throw malformed(`${key} ${reason}`);
    if (!KEYS.has(key)) throw malformed(`it has an unknown setting; known are ${[...KEYS].join(', ')}`);
  }
}

function serverOf(options: ConnectionOptions): Address['server'] {
  const { hosts, dnsDiscover, keepAliveInterval = LEAST_KEEP_ALIVE_MS, keepAliveTimeout } = options;
  if (keepAliveInterval < LEAST_KEEP_ALIVE_MS || (keepAliveTimeout ?? LEAST_KEEP_ALIVE_MS) < 1000) {
    throw malformed(
      'keep-alive is in milliseconds: an interval of at least 10000, a timeout of at least 1000',
    );
  }
  const common = {
    keepAliveInterval,
    ...given({ keepAliveTimeout, connectionName: options.connectionName }),
  };
  const [first, ...others] = hosts;
  if (!dnsDiscover && others.length === 0) return { endpoint: first!, ...common };
  const cluster = {
    ...common,
    // This option is in seconds. Its default, 10 rounds of 5 s, would outlast every caller.
    gossipTimeout: options.gossipTimeout ?? 1,
    maxDiscoverAttempts: options.maxDiscoverAttempts ?? 3,
    ...given({ discoveryInterval: options.discoveryInterval, nodePreference: options.nodePreference }),
  };
  return dnsDiscover ? { discover: first!, ...cluster } : { endpoints: hosts, ...cluster };
}

function channelOf(options: ConnectionOptions): ChannelCredentialOptions {
  if (options.tls === false) return { insecure: true };
  const { tlsCAFile, userCertFile, userKeyFile } = options;
  if ((userCertFile === undefined) !== (userKeyFile === undefined)) {
    throw malformed('userCertFile and userKeyFile must be set together');
  }
  return given({
    rootCertificate: readPem('tlsCAFile', tlsCAFile),
    userCertFile: readPem('userCertFile', userCertFile),
    userKeyFile: readPem('userKeyFile', userKeyFile),
  });
}

function readPem(key: string, path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(resolve(path));
  } catch {
    throw malformed(`the file of ${key} cannot be read`);
  }
}

function credentialsOf(user: string | undefined): Credentials | undefined {
  if (user === undefined) return undefined;
  const colon = user.indexOf(':');
  if (colon < 1 || colon === user.length - 1) throw malformed('credentials must look like user:password');
  try {
    return {
      username: decodeURIComponent(user.slice(0, colon)),
      password: decodeURIComponent(user.slice(colon + 1)),
    };
  } catch {
    throw malformed('credentials must be percent-encoded');
  }
}

const malformed = (what: string): TypeError => new TypeError(`the EventStoreDB connection string: ${what}`);
