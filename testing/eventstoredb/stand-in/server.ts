import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import featuresServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import streamsServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { append } from './append.ts';
import { batchAppend } from './batch-append.ts';
import type { Context } from './context.ts';
import { Database } from './database.ts';
import { softDelete, tombstone } from './delete.ts';
import { gossip, supportedMethods } from './discovery.ts';
import { Faults } from './faults.ts';
import { read } from './read.ts';
import { writeSystemEvents } from './system-events.ts';
import { versionToBe, type Version } from './version.ts';

const { StreamsService } = streamsServices;
const { ServerFeaturesService } = featuresServices;
const { GossipService } = gossipServices;

/** An EventStoreDB for tests: the server's gRPC protocol without TLS, one node, no access control. */
export interface StandIn {
  /** `esdb://127.0.0.1:PORT?tls=false` */
  readonly url: string;
  readonly port: number;
  readonly version: Version;
  readonly faults: Faults;
  /** Replaces its events from now on, as if somebody had tampered with its files; the file stays unchanged. */
  overwrite: Database['overwrite'];
  /** Cuts every connection; the file stays. */
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1, on a free port by default, over the events of a file. What was acknowledged is on disk. It does
 * what the servers do of whose version it is (`version.ts`), by their source and as they were seen to. Where it is other:
 *
 * | here | the server |
 * |---|---|
 * | no users, access lists, TLS | anonymous users may not read `$all` |
 * | no links, persistent subscriptions, projections, scavenging | has them |
 * | one node, always the leader | elects one in 1 to 9 s; meanwhile `NotLeader`, `NotReady` or silence |
 * | all of one append at once, and readable at once when it is on disk | a follower may lag; the index comes after the disk |
 * | an event takes its bytes and 64 | its bytes and 90 or more; between events stand records that are none (epochs) |
 * | an append of nothing has no position; empty names are taken | it has one; empty names are refused |
 * | a place before the first event, at 0, is one | at 0 stands a record |
 * | it goes on until it is stopped | a node that wrote what no majority took ends, and cuts it off at its next start |
 * | a stop ends subscriptions at once | waits 5 s for open ones |
 * | answers at once | the first calls after a start are slow |
 * | subscriptions to a stream read through all events | by an index, in pages |
 * | one to a stream that has no event has caught up | 23.10 says so after its first event |
 *
 * @example
 * const standIn = await startStandIn({ file: join(folder, 'stand-in.db') });
 * standIn.faults.inject('batchAppend', { kind: 'hang', when: 'after' });
 */
export async function startStandIn(options: {
  file: string;
  port?: number;
  version?: Version;
}): Promise<StandIn> {
  const database = await Database.open(options.file);
  const faults = new Faults();
  const sockets = new Set<Socket>();
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  faults.onNow('cutConnections', cut);
  let port = 0;

  const grpc = new Server();
  const version = options.version ?? versionToBe();
  addServices(grpc, { database, faults, version, cut }, () => port);
  // The server owns the sockets, so that it can cut a connection like a network.
  const connections = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    connections.injectConnection(socket);
  });
  listener.listen(options.port ?? 0, '127.0.0.1');
  await once(listener, 'listening');
  port = (listener.address() as AddressInfo).port;
  await writeSystemEvents(database, port);

  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    port,
    version,
    faults,
    overwrite: (events) => database.overwrite(events),
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      cut();
      grpc.forceShutdown();
      await closed;
      await database.close();
    },
  };
}

function addServices(grpc: Server, context: Context, port: () => number): void {
  const services = [StreamsService, ServerFeaturesService, GossipService];
  grpc.addService(StreamsService, {
    append: (call, answer) => void append(context, call, answer),
    batchAppend: (call) => batchAppend(context, call),
    read: (call) => void read(context, call),
    delete: (call, answer) => void softDelete(context, call, answer),
    tombstone: (call, answer) => void tombstone(context, call, answer),
  } satisfies streamsServices.IStreamsServer);
  grpc.addService(ServerFeaturesService, {
    getSupportedMethods: (_call, answer) => void supportedMethods(context, services, answer),
  } satisfies featuresServices.IServerFeaturesServer);
  grpc.addService(GossipService, {
    read: (_call, answer) => void gossip(context, port, answer),
  } satisfies gossipServices.IGossipServer);
}
