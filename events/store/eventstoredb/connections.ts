import {
  CancelledError,
  convertToCommandError,
  EventStoreDBClient,
  NotLeaderError,
  UnavailableError,
  type EndPoint,
  type SingleNodeOptions,
} from '@eventstore/db-client';
import type { Address } from './address.ts';

/** One gRPC channel to one node, by the client of EventStoreDB, with what must not happen taken out of it. */
export class Connection extends EventStoreDBClient {
  readonly #onBroken: (connection: Connection, leader?: EndPoint) => void;

  /**
   * Never "batch append", whatever the server offers. Its answers wait in one map for all clients of the process:
   * an error of one stream rejects the appends of all and forgets them, and an answer that still comes for one of them
   * throws where nobody can catch it. A stream that is closed cleanly, or hangs, takes every later append with it.
   * One call an append has a deadline and a fate of its own.
   */
  protected override supports = async (): Promise<boolean> => false;

  /** Instead of the client's own reconnecting, which rejects unhandled where the discovery of a cluster fails. */
  protected override handleError = async (_client: unknown, error: Error): Promise<void> => {
    const cause = commandError(error);
    if (cause instanceof NotLeaderError) this.#onBroken(this, cause.leader);
    else if (cause instanceof UnavailableError || cause instanceof CancelledError) this.#onBroken(this);
  };

  constructor(
    { server, channel, credentials }: Address,
    onBroken: (connection: Connection, leader?: EndPoint) => void,
  ) {
    // One class for three forms of settings; the client's overloads want them told apart.
    super(server as SingleNodeOptions, channel, credentials);
    this.#onBroken = onBroken;
  }

  /** Nothing new begins here; calls under way go on to their end. */
  async retire(): Promise<void> {
    try {
      (await this.getChannel()).close();
    } catch {
      // It never found a node.
    }
  }
}

/** A server that names no leader makes the client's conversion throw. */
function commandError(error: Error): Error {
  try {
    return convertToCommandError(error);
  } catch {
    return error;
  }
}

/**
 * The connection of this store, and another one whenever it breaks or falls silent. Other channel options each time (a
 * millisecond of keep-alive): with equal ones gRPC would give out the old socket again while another store holds it.
 */
export class Connections {
  readonly #address: Address;
  readonly #onReplaced: () => void;
  #current: Connection;
  #generation = 0;
  #closed = false;

  constructor(address: Address, onReplaced: () => void) {
    this.#address = address;
    this.#onReplaced = onReplaced;
    this.#current = this.#connect(address.server);
  }

  get current(): Connection {
    return this.#current;
  }

  /** The next call connects anew, to the leader where one was named. */
  replace(broken: Connection, leader?: EndPoint): void {
    if (broken !== this.#current || this.#closed) return;
    this.#current = this.#connect(leader === undefined ? this.#address.server : { endpoint: leader });
    void broken.retire();
    this.#onReplaced();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#current.retire();
  }

  #connect(server: Address['server']): Connection {
    const keepAliveInterval = (this.#address.server.keepAliveInterval ?? 0) + (this.#generation++ % 1000);
    const { keepAliveTimeout = 10_000 } = this.#address.server;
    return new Connection(
      { ...this.#address, server: { ...server, keepAliveInterval, keepAliveTimeout } },
      (connection, leader) => this.replace(connection, leader),
    );
  }
}
