const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
/** Metrics come every second or so: a connection that is silent for this long is asked, and then given up. */
const SILENCE_MS = 10_000;
const ANSWER_MS = 5_000;

/**
 * A WebSocket that comes back: it authenticates where there is a key, subscribes to everything, notices silence, and
 * tries again with growing pauses.
 *
 * - `onUp()`: subscribed; what was missed must be read again.
 * - `onMessage(message)`: each push, in order.
 * - `onGap()`: a sequence number is missing.
 * - `onDown(retryAt)`: lost, or never there.
 * - `onLocked()`: the key is missing or wrong; it does not try again by itself.
 */
export function keepConnected({ readKey, onUp, onMessage, onGap, onDown, onLocked }) {
  let socket = null;
  let failures = 0;
  let timer = 0;
  let watch = 0;
  let sequence = null;

  /** `then` unless something is heard before. */
  function listen(ms, then) {
    clearTimeout(watch);
    watch = setTimeout(() => then(), ms);
  }

  function connect() {
    clearTimeout(timer);
    sequence = null;
    const opened = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`);
    socket = opened;
    const send = (message) => opened.send(JSON.stringify(message));
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
      timer = setTimeout(connect, pause);
      onDown(Date.now() + pause);
    };

    listen(SILENCE_MS, giveUp);
    opened.addEventListener('open', () => {
      const key = readKey();
      if (key !== '') send({ action: 'auth', key });
      send({ action: 'subscribe', channel: 'all' });
    });
    opened.addEventListener('close', lose);
    opened.addEventListener('message', ({ data }) => {
      if (socket !== opened) return;
      listen(SILENCE_MS, askIfSilent);
      const message = JSON.parse(data);
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
      if (typeof message.seq === 'number') {
        const missing = sequence !== null && message.seq !== sequence + 1;
        sequence = message.seq;
        if (missing) onGap();
      }
      onMessage(message);
    });
  }

  function disconnect() {
    const closing = socket;
    socket = null;
    clearTimeout(timer);
    clearTimeout(watch);
    closing?.close();
  }

  /** At once, whatever pause was going on. */
  function connectNow() {
    if (socket !== null) return;
    connect();
  }

  addEventListener('online', connectNow);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && timer !== 0 && socket === null) connectNow();
  });
  connect();
  return { connectNow, disconnect };
}
