import { once } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';
import { ServerMessage } from './server-message.ts';

type Of<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;

/** A client of the WebSocket as a test drives it. What it is sent that no schema allows is a fault. */
export class Peer {
  readonly ws: WebSocket;
  /** All that has come, in order. */
  readonly messages: ServerMessage[] = [];
  readonly faults: unknown[] = [];
  /** The close code, once it is closed. */
  readonly closed: Promise<number>;
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
      this.ws.on('close', (code) => resolve(code));
    });
  }

  static async open(port: number, options?: ClientOptions): Promise<Peer> {
    const peer = new Peer(port, options);
    await once(peer.ws, 'open');
    return peer;
  }

  /** A string goes as it is, anything else as JSON. */
  say(message: unknown): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The messages of this type, when there are as many. */
  async heard<Type extends ServerMessage['type']>(type: Type, count = 1): Promise<Of<Type>[]> {
    for (;;) {
      if (this.faults.length > 0) throw new Error(`not a message: ${String(this.faults[1])}`);
      const heard = this.messages.filter((message): message is Of<Type> => message.type === type);
      if (heard.length >= count) return heard;
      await this.#heard.promise;
    }
  }

  /** All that was sent before has come when it resolves. */
  async caughtUp(): Promise<void> {
    const pongs = this.messages.filter(({ type }) => type === 'pong').length;
    this.say({ action: 'ping' });
    await this.heard('pong', pongs + 1);
  }

  /** Unsubscribes from the metrics and subscribes to this; what came until then is forgotten. */
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
