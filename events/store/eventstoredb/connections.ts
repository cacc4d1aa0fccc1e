import {
  CancelledError,
  EventStoreDBClient,
  NotLeaderError,
  UnavailableError,
  type EndPoint,
  type SingleNodeOptions,
} from '@eventstore/db-client';
import streamsServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Recent } from '../../bounded-map.ts';
import type { Address } from './address.ts';
import type { Limits } from './attempts.ts';
import { commandError } from './errors.ts';
import { openBatch, type Batch, type Proposal, type Written } from './batch.ts';

const { StreamsClient } = streamsServices;

/** A gRPC channel to one node, made by EventStoreDB's client, without those parts of the client that are not allowed here. */
export class Connection extends EventStoreDBClient {
  /** When the connection was made, by the clock of `performance`. */
  readonly since = performance.now();
  readonly #onBroken: (connection: Connection, leader?: EndPoint) => void;
  #batch: Promise<Batch> | undefined;

  /** Replaces the client's own reconnecting, whose rejection is unhandled if the discovery of a cluster fails. */
  protected override handleError = async (_client: unknown, error: Error): Promise<void> => {
    const cause = commandError(error);
    if (cause instanceof NotLeaderError) this.#onBroken(this, cause.leader);
    else if (cause instanceof UnavailableError || cause instanceof CancelledError) this.#onBroken(this);
  };

  constructor(
    { server, channel, credentials }: Address,
    onBroken: (connection: Connection, leader?: EndPoint) => void,
  ) {
    // The client's overloads distinguish three forms of settings, of which this is any.
    super(server as SingleNodeOptions, channel, credentials);
    this.#onBroken = onBroken;
  }

  /** Sends an append over the one call that all appends of this connection share. Rejects as `Batch` does. */
  async append(proposal: Proposal): Promise<Written> {
    try {
      return await (await (this.#batch ??= this.#openBatch())).append(proposal);
    } catch (error) {
      void this.handleError(undefined, error as Error);
      throw error;
    }
  }

  /**
   * Gives the connection up: no new call begins. Running reads continue to their end; the outcome of appends is
   * unknown.
   */
  async retire(): Promise<void> {
    try {
      (await this.#batch)?.close();
      (await this.getChannel()).close();
    } catch {
      // The client never found a node, so there is nothing to close.
    }
  }

  async #openBatch(): Promise<Batch> {
    const ended = (): void => (this.#batch = undefined);
    try {
      const open = this.GRPCStreamCreator(StreamsClient, 'batchAppend', (client) =>
        client.batchAppend(...this.callArguments({ requiresLeader: true }, { deadline: Infinity })),
      );
      return openBatch(await open(), ended);
    } catch (error) {
      ended();
      throw error;
    }
  }
}

/** The number of heads that are remembered. */
const MOST_HEADS = 10_000;

export type Connections = ReturnType<typeof openConnections>;

/**
 * The connection of this store. It is replaced when it breaks or falls silent. Each connection has other channel
 * options (a millisecond of keep-alive), because with equal ones gRPC would return the old socket while another store
 * holds it.
 */
export function openConnections(address: Address, limits: Limits) {
  let generation = 0;
  let closed = false;
  /**
   * The last revision and hash of streams, which saves a read before each append. An outdated entry does no harm: an
   * event stays at its revision, and the server checks the expected revision.
   *
   * The entries are dropped with the connection, because the next server may have an older record, restored from a
   * backup. A break is not noticed while no call is under way, so processes must be stopped before a backup is
   * restored.
   */
  const heads = new Recent<string, { readonly revision: bigint; readonly hash: string }>(MOST_HEADS);

  const connect = (server: Address['server']): Connection => {
    const keepAliveInterval = (address.server.keepAliveInterval ?? 0) + (generation++ % 1000);
    const { keepAliveTimeout = 10_000 } = address.server;
    return new Connection(
      { ...address, server: { ...server, keepAliveInterval, keepAliveTimeout } },
      replace,
    );
  };

  /** Gives up a broken connection. The next call connects again, to the leader if one was named. */
  const replace = (broken: Connection, leader?: EndPoint): void => {
    if (broken !== current || closed) return;
    current = connect(leader === undefined ? address.server : { endpoint: leader });
    void broken.retire();
    heads.clear();
  };

  let current = connect(address.server);
  return {
    limits,
    heads,
    get current(): Connection {
      return current;
    },
    /**
     * To be called when a caller got no answer within its time, which may have been short. The connection is given up
     * only after a time of its own: if each impatient caller took it away from all others, a slow server would never
     * get to answer anybody.
     */
    silent(connection: Connection): void {
      const { timeoutMs, giveUpMs } = limits;
      if (performance.now() - connection.since >= Math.min(timeoutMs, giveUpMs)) replace(connection);
    },
    async close(): Promise<void> {
      closed = true;
      await current.retire();
    },
  };
}
