/**
 * The errors in `{"type":"error","code","message"}`. Codes are stable, because clients branch on them. An error with a
 * close code ends the connection with that code.
 */
export const SOCKET_ERRORS = {
  INVALID_MESSAGE: [
    null,
    'Invalid message: send a JSON object, as a text frame, with the action auth, ping, subscribe or unsubscribe',
  ],
  UNKNOWN_CHANNEL: [
    null,
    'Unknown channel: choose all, metrics, orders, positions, training, logs or prices',
  ],
  UNAUTHORIZED: [
    4401,
    'A valid key is required, as a bearer token or in a first message with the action auth',
  ],
  TOO_SLOW: [4408, 'The client reads too slowly and missed messages; reconnect to get the current state'],
  TOO_MANY_MESSAGES: [4429, 'Too many messages in a short time'],
} as const satisfies Record<string, readonly [closeCode: number | null, message: string]>;

export type SocketErrorCode = keyof typeof SOCKET_ERRORS;

/** The close code when the service stops (RFC 6455, 7.4.1). */
export const GOING_AWAY = 1001;

/** The text of an error frame. */
export function errorText(code: SocketErrorCode): string {
  return JSON.stringify({ type: 'error', code, message: SOCKET_ERRORS[code][1] });
}
