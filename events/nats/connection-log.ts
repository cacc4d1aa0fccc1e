import { DebugEvents, ErrorCode, Events, type NatsConnection, type Status } from 'nats';
import { MAX_PAYLOAD_BYTES } from '../bus/message.ts';

/** The part of a pino logger that is used. */
export interface ConnectionLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const SILENT: ConnectionLog = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Logs what the client reports nowhere else: breaks, and refusals of the server. A refused publish raises no error at
 * its call, and a refused subscription just ends.
 */
export function watchConnection(connection: NatsConnection, log: ConnectionLog): void {
  void (async () => {
    // What has been logged. The client tries again several times a second, and the server may refuse each time.
    const told = new Set<string>();
    let isAway = false;
    for await (const status of connection.status()) {
      if (status.type === Events.Reconnect) isAway = false;
      if (!isAway) told.clear();
      if (status.type === Events.Disconnect) isAway = true;
      const what = `${status.type} ${JSON.stringify(status.data)}`;
      if (!told.has(what)) tell(status, connection, log);
      if (isAway) told.add(what);
    }
  })();
  void (async () => {
    const error = await connection.closed();
    if (error instanceof Error)
      log.error({ err: error }, 'NATS: the connection was closed and will not be opened again');
  })();
}

const CREDENTIALS: ReadonlySet<unknown> = new Set([
  ErrorCode.AccountExpired,
  ErrorCode.AuthenticationExpired,
  ErrorCode.AuthenticationTimeout,
  ErrorCode.AuthorizationViolation,
  ErrorCode.BadAuthentication,
]);

/** Whether the code of an error says that the server refused the credentials. */
export const isOfCredentials = (code: unknown): boolean => CREDENTIALS.has(code);

function tell(
  { type, data, permissionContext }: Status,
  connection: NatsConnection,
  log: ConnectionLog,
): void {
  switch (type) {
    case Events.Disconnect:
      log.warn({ server: data }, 'NATS: connection lost; reconnecting');
      break;
    case Events.Reconnect:
      log.info({ server: data }, 'NATS: reconnected');
      if ((connection.info?.max_payload ?? Infinity) < MAX_PAYLOAD_BYTES) {
        log.error(
          { server: data, needed: MAX_PAYLOAD_BYTES },
          'NATS: max_payload of this server is too small; raise it to the needed value',
        );
      }
      break;
    case Events.Error:
      if (data === ErrorCode.PermissionsViolation) {
        log.error(
          { ...permissionContext },
          'NATS: this user is not allowed to publish or subscribe to this subject; compare its permissions with nats.conf',
        );
      } else if (isOfCredentials(data)) {
        log.error(
          { code: data },
          'NATS: the server rejects the credentials of this process, which goes on trying: if they were changed, start it again with the new ones (NATS_USER, NATS_PASSWORD, NATS_TOKEN or NATS_CREDS)',
        );
      } else {
        log.error({ code: data }, 'NATS: the server reported an error');
      }
      break;
    case Events.LDM:
      log.warn({ server: data }, 'NATS: the server is about to stop');
      break;
    case DebugEvents.StaleConnection:
      log.warn({}, 'NATS: the server no longer answers');
      break;
    case Events.Update:
    case DebugEvents.Reconnecting:
    case DebugEvents.PingTimer:
    case DebugEvents.ClientInitiatedReconnect:
  }
}
