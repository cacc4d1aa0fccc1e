import { ErrorCode } from 'nats';

/** Why there is no connection to NATS, for the operator: names the servers, never what they were given. */
export class NatsUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NatsUnavailable';
  }
}

/** What passes: the server is not up yet, or its name not known yet. */
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

/** The codes of this client are strings, and so are those of the system. */
const NO_GREETING: string = ErrorCode.Timeout;
const NO_CREDENTIALS_FILE: string = ErrorCode.BadCreds;
const NO_SUCH_OPTION: string = ErrorCode.ServerOptionNotAvailable;
const TLS: string = ErrorCode.Tls;
const CREDENTIALS: ReadonlySet<string> = new Set([
  ErrorCode.AccountExpired,
  ErrorCode.AuthenticationExpired,
  ErrorCode.AuthenticationTimeout,
  ErrorCode.AuthorizationViolation,
  ErrorCode.BadAuthentication,
]);

export function passes(error: unknown): boolean {
  // A server that closes the connection before it has said anything leaves the client without an error.
  return error === undefined || PASSING.has(codeOf(error));
}

/** What the client rejected with, as a line that says what to look at. */
export function explain(error: unknown, servers: readonly string[]): NatsUnavailable {
  const where = `NATS at ${servers.join(', ')}`;
  const code = codeOf(error);
  if (code === NO_GREETING) {
    return new NatsUnavailable(
      `${where} sent no greeting in time (${code}): it is down or overloaded, or something other than NATS listens there`,
    );
  }
  if (passes(error))
    return new NatsUnavailable(`${where} cannot be reached (${code || 'it closed the connection at once'})`);
  if (CREDENTIALS.has(code)) {
    return new NatsUnavailable(`${where} rejected the credentials, or needs credentials and got none`);
  }
  if (code === NO_CREDENTIALS_FILE) return new NatsUnavailable('The file is not a NATS credentials file');
  if (code === NO_SUCH_OPTION) {
    return new NatsUnavailable(`${where} does not offer TLS, but the settings require it`);
  }
  if (code === TLS || /CERT|SSL|TLS|SIGNATURE/.test(code)) {
    return new NatsUnavailable(`${where}: the TLS connection failed`, { cause: error });
  }
  return new NatsUnavailable(`${where}: the connection failed; check that NATS listens there`, {
    cause: error,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
