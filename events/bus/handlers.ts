import { BelegError, isBelegError } from '../errors.ts';
import type { Message, MessageHandler } from './bus.ts';
import { snapshot } from './message.ts';
import { errorReply } from './reply.ts';

/** Told of what a handler threw. It must not throw itself. */
export type OnHandlerError = (error: unknown, subject: string) => void;

/** The handlers of one connection that run. What its bus drains waits for them: no bus below knows when they end. */
export class Handlers {
  readonly #running = new Set<Promise<void>>();
  readonly #onError: OnHandlerError;

  constructor(onError: OnHandlerError) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#running.size;
  }

  /**
   * Starts the handler at once. `reply` gets what it returns, or an error reply for what it throws; nothing where it
   * returns nothing. Resolves when all that is over, and never rejects.
   */
  run(handler: MessageHandler, message: Message, reply: (answer: Message) => void): Promise<void> {
    const running = this.#run(handler, message, reply).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Resolves when none runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #run(handler: MessageHandler, message: Message, reply: (answer: Message) => void): Promise<void> {
    try {
      const answer = await this.#respond(handler, message);
      if (answer !== undefined) reply(answer);
    } catch (error) {
      this.#onError(error, message.subject);
    }
  }

  async #respond(handler: MessageHandler, message: Message): Promise<Message | undefined> {
    try {
      const answer = await handler(message);
      if (answer === undefined) return undefined;
      return snapshot(message.subject, answer.data, answer.headers);
    } catch (error) {
      this.#onError(error, message.subject);
      const known = isBelegError(error, 'PAYLOAD_TOO_LARGE') ? error : new BelegError('INTERNAL');
      const { data, headers } = errorReply(known);
      return snapshot(message.subject, data, headers);
    }
  }
}
