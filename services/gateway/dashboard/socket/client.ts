import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { CHANNELS, channelsOf, FIRST_CHANNELS, type Channel } from './channels.ts';
import { readMessage, type ClientMessage } from './client-message.ts';
import { timestampOf, type Clock } from '../../../foundation/clock.ts';
import { errorText, SOCKET_ERRORS, type SocketErrorCode } from './errors.ts';
import type { SocketCounts } from './socket-metrics.ts';
import type { Hub } from './subscriptions.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Prepared } from './prepared-push.ts';
import type { Reply } from './server-message.ts';
import { createThrottle } from './throttle.ts';
import { AUTH_MS, CLOSE_MS, type ClientLimits } from './socket-limits.ts';

interface ClientParts {
  readonly hub: Hub;
  readonly clock: Clock;
  readonly counts: SocketCounts;
  readonly limits: ClientLimits;
  /** Whether a key lets this client read. */
  readonly admits: (key: string) => boolean;
  /** The address of the peer. */
  readonly address: string;
}

/**
 * One connection. It handles the client's messages and sends pushes to which the client is subscribed, as fast as the
 * client reads. Everything sent in one turn of the event loop goes out in one write.
 */
export class Client {
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  readonly #parts: ClientParts;
  readonly #outbox: Outbox;
  readonly #mayPass: () => boolean;
  #admitted = false;
  /** Cancels the timer for the client's key or, later, for the end of the closing handshake. */
  #callOff = () => {};
  #flushing = false;
  #answered = true;
  #over = false;

  /** `admitted`: whether the client has sent a valid key or needs none. If not, its first message must have one. */
  constructor(ws: WebSocket, socket: Duplex, parts: ClientParts, { admitted }: { admitted: boolean }) {
    this.#ws = ws;
    this.#socket = socket;
    this.#parts = parts;
    this.#outbox = createOutbox(parts.limits);
    this.#mayPass = createThrottle(parts.limits.rate, parts.clock);
    ws.on('message', (data: Buffer, isBinary) => this.#hear(isBinary ? null : data.toString()));
    ws.on('ping', () => this.#count());
    ws.on('pong', () => (this.#answered = true));
    // If bytes are no WebSocket frames, or are too many, ws closes with the code for it.
    ws.on('error', () => {});
    ws.on('close', () => this.#leave());
    socket.on('drain', () => this.#flush());
    if (admitted) this.#admit();
    else this.#callOff = parts.clock.after(AUTH_MS, () => this.#fail('UNAUTHORIZED'));
  }

  /** Whether the client has sent a valid key, or needs none. */
  get admitted(): boolean {
    return this.#admitted;
  }

  get address(): string {
    return this.#parts.address;
  }

  /** Called at each beat: a peer that has not answered the last ping is gone. */
  beat(): void {
    if (!this.#answered) {
      this.#parts.counts.dead += 1;
      this.#ws.terminate();
      return;
    }
    this.#answered = false;
    this.#ws.ping();
  }

  /** Ends the connection at once. */
  drop(): void {
    this.#ws.terminate();
  }

  /** Sends nothing more, and ends the connection within two seconds, whatever the peer does. */
  close(code: number, reason?: string): void {
    if (this.#over) return;
    this.#leave();
    this.#ws.close(code, reason);
    this.#callOff = this.#parts.clock.after(CLOSE_MS, () => this.#ws.terminate());
  }

  #leave(): void {
    this.#over = true;
    this.#callOff();
    this.#outbox.clear();
    for (const channel of CHANNELS) this.#parts.hub.leave(this, channel);
  }

  #admit(): void {
    this.#callOff();
    this.#admitted = true;
    this.#follow(FIRST_CHANNELS);
  }

  #follow(channels: readonly Channel[]): void {
    for (const channel of channels) this.#parts.hub.follow(this, channel);
  }

  /** Counts a message; false if the client has sent too many. */
  #count(): boolean {
    this.#answered = true;
    if (this.#over) return false;
    if (!this.#mayPass()) this.#fail('TOO_MANY_MESSAGES');
    return !this.#over;
  }

  /** Handles a message; `null` stands for a binary frame. */
  #hear(text: string | null): void {
    if (!this.#count()) return;
    const message = text === null ? 'INVALID_MESSAGE' : readMessage(text);
    if (typeof message === 'string') this.#fail(this.#admitted ? message : 'UNAUTHORIZED');
    else if (this.#admitted || message.action === 'auth') this.#obey(message);
    else this.#fail('UNAUTHORIZED');
  }

  #obey(message: ClientMessage): void {
    const { hub, clock } = this.#parts;
    switch (message.action) {
      case 'auth':
        if (!this.#parts.admits(message.key)) return this.#fail('UNAUTHORIZED');
        this.#reply({ type: 'authenticated' });
        if (!this.#admitted) this.#admit();
        return;
      case 'ping':
        return this.#reply({ type: 'pong', timestamp: timestampOf(clock) });
      case 'subscribe':
        this.#reply({ type: 'subscribed', channel: message.channel });
        return this.#follow(channelsOf(message.channel));
      case 'unsubscribe':
        for (const channel of channelsOf(message.channel)) hub.leave(this, channel);
        return this.#reply({ type: 'unsubscribed', channel: message.channel });
    }
  }

  #fail(code: SocketErrorCode): void {
    const [closeCode, message] = SOCKET_ERRORS[code];
    if (closeCode === null) return this.push(errorText(code));
    const { counts } = this.#parts;
    if (code === 'TOO_SLOW') counts.too_slow += 1;
    if (code === 'UNAUTHORIZED') counts.refused += 1;
    // Earlier replies are sent first, unless the client is too slow to take them.
    if (code === 'TOO_SLOW') this.#outbox.clear();
    else this.#flush();
    this.#ws.send(errorText(code));
    this.close(closeCode, message);
  }

  #reply(reply: Reply): void {
    this.push(JSON.stringify(reply));
  }

  /** Sends a push, or a text that is already written, after waiting messages. */
  push(message: Prepared | string): void {
    if (this.#over) return;
    const put = this.#outbox.put(message);
    if (put === 'full') return this.#fail('TOO_SLOW');
    if (put === 'replaced') this.#parts.counts.coalesced += 1;
    if (put === 'left out') this.#parts.counts.left_out += 1;
    if (this.#flushing) return;
    this.#flushing = true;
    queueMicrotask(() => {
      this.#flushing = false;
      this.#flush();
    });
  }

  /** Sends until the socket is full, and goes on when it has drained. */
  #flush(): void {
    if (this.#over || this.#outbox.size === 0) return;
    this.#socket.cork();
    while (!this.#socket.writableNeedDrain) {
      const text = this.#outbox.take();
      if (text === undefined) break;
      this.#ws.send(text);
      this.#parts.counts.sent += 1;
    }
    this.#socket.uncork();
  }
}
