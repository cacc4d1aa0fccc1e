import { once } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';
import { ServerMessage } from './server-message.ts';

type Of<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;

/** A WebSocket client for tests. A received message that does not match the schema is a fault. */
export class Peer {
  readonly ws: WebSocket;
  /** All received messages, in order. */
  readonly messages: ServerMessage[] = [];
  readonly faults: unknown[] = [];
  /** The close code, once it is closed. */
  readonly closed: Promise<number>;
  /** What the closing frame says, once it is closed. */
  reason = '';
  #heard = Promise.withResolvers<void>();

  constructor(port: number, options: ClientOptions = {}, path = '/ws') {
    this.ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
    this.ws.on('error', () => {});
    this.ws.on('message', (data: Buffer) => {
      const message = ServerMessage.safeParse(JSON.parse(data.toString()));
      if (message.success) this.messages.push(message.data);
      else this.faults.push(message.error, data.toString());
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.ws.on('close', (code, reason) => {
        this.reason = reason.toString();
        resolve(code);
      });
    });
  }

  static async open(port: number, options?: ClientOptions): Promise<Peer> {
    const peer = new Peer(port, options);
    await once(peer.ws, 'open');
    return peer;
  }

  /** A string is sent unchanged, anything else as JSON. */
  say(message: unknown): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Resolves with the messages of this type when there are `count` of them. */
  async heard<Type extends ServerMessage['type']>(type: Type, count = 1): Promise<Of<Type>[]> {
    for (;;) {
      if (this.faults.length > 0) throw new Error(`not a message: ${String(this.faults[1])}`);
      const heard = this.messages.filter((message): message is Of<Type> => message.type === type);
      if (heard.length >= count) return heard;
      await this.#heard.promise;
    }
  }

  /** Resolves when everything that was sent before has arrived. */
  async caughtUp(): Promise<void> {
    const pongs = this.messages.filter(({ type }) => type === 'pong').length;
    this.say({ action: 'ping' });
    await this.heard('pong', pongs + 1);
  }

  /** Unsubscribes from the metrics and subscribes to this channel; earlier messages are forgotten. */
  async follow(channel: string): Promise<void> {
    this.say({ action: 'unsubscribe', channel: 'all' });
    this.say({ action: 'subscribe', channel });
    await this.heard('subscribed');
  }

  forget(): void {
    this.messages.length = 0;
  }

  #wake(): void {
    const heard = this.#heard;
    this.#heard = Promise.withResolvers();
    heard.resolve();
  }
}
