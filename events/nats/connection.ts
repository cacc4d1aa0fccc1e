import { readFile } from 'node:fs/promises';
import { createConnection, isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, credsAuthenticator, type ConnectionOptions, type NatsConnection, ErrorCode } from 'nats';
import { MAX_PAYLOAD_BYTES } from '../bus/message.ts';
import { isOfCredentials, SILENT, watchConnection, type ConnectionLog } from './connection-log.ts';
import { apiCode, FREE_SUBJECTS, NO_ROOM, SubjectsTaken } from './ensure-stream.ts';
import { given } from '../given.ts';
import { tellIfSlow, telling } from '../tell-if-slow.ts';

export interface NatsSettings {
  /** `nats://` or `tls://` addresses of one cluster. If one of them is `tls://`, every connection uses TLS. */
  readonly servers: readonly string[];
  readonly token?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Path of a credentials file, read at the start. */
  readonly credentials?: string | undefined;
  /**
   * Paths of certificates: the authority of the server's certificate (by default those of the system), and our own
   * certificate and key.
   */
  readonly tls?: { [File in 'ca' | 'cert' | 'key']?: string | undefined } | undefined;
}

export interface ConnectOptions {
  /** The name of the connection in the server's list. */
  name: string;
  /** The log of the connection. A pino logger fits. */
  log?: ConnectionLog;
  /** Milliseconds to wait for a server that is not up yet. Default: 30 seconds. */
  waitOnFirstConnectMs?: number;
}

const DEFAULT_PORT = 4222;
/** With these pings a dead peer is noticed within 15 seconds. The client gives a server 5 seconds to greet. */
const PING_MS = 5_000;
const GREETING_MS = 5_000;

/**
 * The one connection of a process, shared by the bus, the leases, the vault and the outlet. Once made, it is restored
 * by itself, however long the server was away. Rejects with `NatsUnavailable`: at once for faults that waiting does not
 * mend (credentials, certificates, a server that accepts less than 1 MiB), otherwise when `waitOnFirstConnectMs` is
 * over.
 *
 * Mind that the client empties its send buffer at each attempt to reconnect. A message that must not be lost in a break
 * needs an answer of the server (a request, an acknowledgement), or is sent by the bus, which holds it.
 */
export async function connectNats(
  settings: NatsSettings,
  { name, log = SILENT, waitOnFirstConnectMs = 30_000 }: ConnectOptions,
): Promise<NatsConnection> {
  const options = await optionsOf(settings, name);
  const connection = await connectFirst(options, settings.servers, log, waitOnFirstConnectMs);
  const limit = connection.info?.max_payload ?? 0;
  if (limit < MAX_PAYLOAD_BYTES) {
    await connection.close();
    throw new NatsUnavailable(
      `NATS at ${settings.servers.join(', ')} only accepts messages up to ${limit} bytes: set its max_payload to ${MAX_PAYLOAD_BYTES}`,
    );
  }
  watchConnection(connection, log);
  return connection;
}

/**
 * The first token of the subjects on which this user gets replies. Each user has its own, so that a server can restrict
 * it to these (`subscribe: "_INBOX_gateway.>"`).
 */
export function inboxPrefixOf({ user }: Pick<NatsSettings, 'user'>): string {
  return user !== undefined && /^[A-Za-z0-9_-]+$/.test(user) ? `_INBOX_${user}` : '_INBOX';
}

async function optionsOf(settings: NatsSettings, name: string): Promise<ConnectionOptions> {
  const { servers, token, user, password, credentials } = settings;
  // The client would use `tls://` as a plain address. With this option set, it refuses a server without TLS.
  const tls = settings.tls ?? (servers.some((server) => server.startsWith('tls://')) ? {} : undefined);
  const address = servers.find((server) => isIP(hostOf(server)) !== 0);
  if (tls !== undefined && address !== undefined) {
    // For this address the client would check the certificate of `localhost` instead.
    throw new NatsUnavailable(
      `${address}: TLS needs a host name, the one in the server's certificate, not an IP address`,
    );
  }
  return {
    servers: [...servers],
    name,
    inboxPrefix: inboxPrefixOf(settings),
    ...given({
      token,
      user,
      pass: password,
      authenticator:
        credentials === undefined ? undefined : credsAuthenticator(await readCredentials(credentials)),
      tls: tls && given({ caFile: tls.ca, certFile: tls.cert, keyFile: tls.key }),
    }),
    maxReconnectAttempts: -1,
    reconnectDelayHandler: backOff,
    // A server that is being restarted may refuse credentials for a while that it accepted before.
    ignoreAuthErrorAbort: true,
    pingInterval: PING_MS,
    maxPingOut: 2,
    timeout: GREETING_MS,
  };
}

/**
 * The pause is short, so that a restart of the server is hardly noticed, and random, so that not all clients return at
 * once.
 */
function backOff(): number {
  return 50 + Math.floor(Math.random() * 200);
}

function hostOf(server: string): string {
  const { hostname } = new URL(server.includes('://') ? server : `nats://${server}`);
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

async function connectFirst(
  options: ConnectionOptions,
  servers: readonly string[],
  log: ConnectionLog,
  waitMs: number,
): Promise<NatsConnection> {
  const until = performance.now() + waitMs;
  const tell = telling(() => log.warn({ servers }, 'NATS cannot be reached yet: the start waits for it'));
  for (;;) {
    try {
      return await tellIfSlow(connect({ ...options }), tell);
    } catch (error) {
      if (!passes(error)) throw explain(error, servers, '');
      if (performance.now() >= until) throw explain(error, servers, await refusalOf(servers));
      tell();
      await delay(Math.min(backOff(), Math.max(0, until - performance.now())));
    }
  }
}

async function readCredentials(file: string): Promise<Uint8Array> {
  let content: Buffer;
  try {
    content = await readFile(file);
  } catch (error) {
    throw new NatsUnavailable(`The NATS credentials file cannot be read: ${file}`, { cause: error });
  }
  // With unreadable credentials the client would close the connection for good without an error.
  if (!/BEGIN NATS USER JWT[^]+BEGIN USER NKEY SEED/.test(content.toString())) {
    throw new NatsUnavailable(`Not a NATS credentials file: ${file}`);
  }
  return content;
}

/** Why there is no connection to NATS, for the operator. The message names the servers, but no credentials. */
class NatsUnavailable extends Error {
  override readonly name = 'NatsUnavailable';
}

/** Errors that pass: the server is not up yet, or its name is not known yet. */
const PASSING: ReadonlySet<string> = new Set([
  ErrorCode.ConnectionRefused,
  ErrorCode.ConnectionTimeout,
  ErrorCode.Disconnect,
  ErrorCode.Timeout,
  'EAI_AGAIN',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The error codes of this client are strings, like those of the system. */
const NO_GREETING: string = ErrorCode.Timeout;
const NO_CREDENTIALS_FILE: string = ErrorCode.BadCreds;
const NO_SUCH_OPTION: string = ErrorCode.ServerOptionNotAvailable;
const TLS: string = ErrorCode.Tls;

function passes(error: unknown): boolean {
  // If a server closes the connection before its greeting, the client has no error.
  return error === undefined || PASSING.has(codeOf(error));
}

/**
 * The error for a failure that needs JetStream, with the reason if the server has no JetStream, no room for it, or a
 * stream of others in the way. In a cluster another server may have both, so that is tried first.
 */
export function explainJetStream(
  { info }: Pick<NatsConnection, 'info'>,
  servers: readonly string[],
  error: unknown,
): unknown {
  const where = `NATS at ${servers.join(', ')}`;
  if (info?.jetstream !== true)
    return new NatsUnavailable(
      `${where} runs without JetStream, which every service but the gateway needs: start it with --jetstream, or switch it on in its configuration (nats.conf)`,
    );
  if (error instanceof Error && error.cause instanceof SubjectsTaken)
    return new NatsUnavailable(`${where}: ${error.cause.message}: ${FREE_SUBJECTS}`);
  return error instanceof Error && apiCode(error.cause) === NO_ROOM
    ? new NatsUnavailable(
        `${where} has too little room for JetStream: free space on the disk of its store, or raise max_file_store in its configuration (nats.conf)`,
      )
    : error;
}

/**
 * Why a server closes a connection at once, in the words that it sends with its greeting; empty if it sends none. The
 * client drops these words, so they are read here from the socket.
 */
async function refusalOf(servers: readonly string[]): Promise<string> {
  for (const server of servers) {
    const { port } = new URL(server.includes('://') ? server : `nats://${server}`);
    const socket = createConnection({
      host: hostOf(server),
      port: Number(port || DEFAULT_PORT),
      signal: AbortSignal.timeout(1_000),
    });
    const said = (await text(socket).catch(() => '')).match(/^-ERR '(?<said>maximum[^'\r\n]*)'/imu)?.groups![
      'said'
    ];
    if (said !== undefined) return said.toLowerCase();
  }
  return '';
}

/** Turns the client's rejection into an error whose message says what to check. */
function explain(error: unknown, servers: readonly string[], refusal: string): NatsUnavailable {
  const where = `NATS at ${servers.join(', ')}`;
  const code = codeOf(error);
  if (passes(error) && refusal !== '')
    return new NatsUnavailable(
      `${where} refuses another connection (${refusal}): raise max_connections in its configuration (nats.conf), or end other clients`,
    );
  if (code === NO_GREETING) {
    return new NatsUnavailable(
      `${where} sent no greeting in time (${code}): it is down or overloaded, or something other than NATS listens there`,
    );
  }
  if (passes(error))
    return new NatsUnavailable(`${where} cannot be reached (${code || 'it closed the connection at once'})`);
  if (isOfCredentials(code)) {
    return new NatsUnavailable(`${where} rejected the credentials, or needs credentials and got none`);
  }
  if (code === NO_CREDENTIALS_FILE) return new NatsUnavailable('The file is not a NATS credentials file');
  if (code === NO_SUCH_OPTION) {
    return new NatsUnavailable(`${where} does not offer TLS, but the settings require it`);
  }
  if (code === TLS || /CERT|SSL|TLS|SIGNATURE/.test(code)) {
    return new NatsUnavailable(
      `${where}: the TLS connection failed; NATS_CA is the file with who signed the server's certificate, NATS_CERT and NATS_KEY are what a server may ask for`,
      { cause: error },
    );
  }
  return new NatsUnavailable(`${where}: the connection failed; check that NATS listens there`, {
    cause: error,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
