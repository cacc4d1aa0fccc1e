import type { ClientMessage } from '../../gateway/dashboard/socket/client-message.ts';
import type { Push, ServerMessage } from '../../gateway/dashboard/socket/server-message.ts';
import { addressOf } from '../http.ts';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
/** How long a connection may take to be made. */
const CONNECT_MS = 10_000;
/**
 * Metrics come about every second. After this long without a message the connection is pinged, and then given up. Until
 * then the page says that it is live and offers orders, so both times are short.
 */
const SILENCE_MS = 3_000;
const ANSWER_MS = 2_000;

interface Listener {
  readKey: () => string;
  /** Called after the subscription. Everything has to be read again then. */
  onUp: () => void;
  /** Called with each push, in order. */
  onMessage: (message: Push) => void;
  /** Called if a sequence number is missing. */
  onGap: () => void;
  /** Called if the connection is lost or could not be made. */
  onDown: (retryAt: number) => void;
  /** Called if the key is missing or wrong; there is no automatic retry. */
  onLocked: () => void;
}

/**
 * A WebSocket that reconnects: it authenticates if there is a key, subscribes to everything, notices silence, and
 * retries with growing pauses.
 */
export function keepConnected({ readKey, onUp, onMessage, onGap, onDown, onLocked }: Listener) {
  let socket: WebSocket | null = null;
  let failures = 0;
  let timer: number | undefined;
  let watch: number | undefined;
  let sequence: number | null = null;

  /** Calls `then` after `ms` unless something is received first. */
  function listen(ms: number, then: () => void): void {
    clearTimeout(watch);
    watch = window.setTimeout(then, ms);
  }

  function connect(): void {
    clearTimeout(timer);
    sequence = null;
    const address = addressOf('/ws');
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const opened = new WebSocket(address);
    socket = opened;
    const send = (message: ClientMessage) => opened.send(JSON.stringify(message));
    const giveUp = () => {
      opened.close();
      lose();
    };
    const askIfSilent = () => {
      send({ action: 'ping' });
      listen(ANSWER_MS, giveUp);
    };
    const lose = () => {
      if (socket !== opened) return;
      socket = null;
      clearTimeout(watch);
      const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++) * (0.75 + Math.random() / 2);
      timer = window.setTimeout(connect, pause);
      onDown(Date.now() + pause);
    };

    listen(CONNECT_MS, giveUp);
    opened.addEventListener('open', () => {
      const key = readKey();
      if (key !== '') send({ action: 'auth', key });
      send({ action: 'subscribe', channel: 'all' });
    });
    opened.addEventListener('close', lose);
    opened.addEventListener('message', ({ data }) => {
      if (socket !== opened) return;
      listen(SILENCE_MS, askIfSilent);
      const message: ServerMessage = JSON.parse(data);
      if (message.type === 'error' && message.code === 'UNAUTHORIZED') {
        disconnect();
        onLocked();
        return;
      }
      if (message.type === 'subscribed') {
        failures = 0;
        onUp();
        return;
      }
      if (!('seq' in message)) return;
      const missing = sequence !== null && message.seq !== sequence + 1;
      sequence = message.seq;
      if (missing) onGap();
      onMessage(message);
    });
  }

  function disconnect(): void {
    const closing = socket;
    socket = null;
    clearTimeout(timer);
    clearTimeout(watch);
    closing?.close();
  }

  /** Connects at once and ends any pause. */
  function connectNow(): void {
    if (socket !== null) return;
    connect();
  }

  addEventListener('online', connectNow);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && timer !== undefined && socket === null) connectNow();
  });
  connect();
  return { connectNow, disconnect };
}
