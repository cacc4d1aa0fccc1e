import { randomUUID } from 'node:crypto';
import {
  nanos,
  type Endpoint,
  type Msg,
  type NamedEndpointStats,
  type NatsConnection,
  type Service,
} from 'nats';
import type { ErrorCode } from '../error-codes.ts';

/** Handles one message. Resolves, when the handler has ended, with the code of the error reply if there was one. */
type Deliver = (message: Msg) => Promise<ErrorCode | undefined>;

interface Member {
  readonly subject: string;
  readonly queue: string;
  readonly handler: NonNullable<Endpoint['handler']>;
  readonly stats: Omit<NamedEndpointStats, 'name' | 'subject' | 'data' | 'queue_group'>;
}

export type ServiceGroup = ReturnType<typeof openServiceGroup>;

/**
 * The members of one queue group in this process, announced as one NATS service with an endpoint for each member:
 * `$SRV.>` shows their names and statistics.
 */
export function openServiceGroup(
  connection: NatsConnection,
  name: string,
  version: string,
  onLost: (error: unknown, name: string) => void,
) {
  const members = new Set<Member>();
  let service: Service | undefined;
  /** Changes of the group are made one after the other. */
  let changes: Promise<void> = Promise.resolve();
  const change = (action: () => Promise<void>): Promise<void> => {
    changes = changes.then(action).catch((error: unknown) => onLost(error, name));
    return changes;
  };

  /** A service ends by itself if the server refuses one of its endpoints. If the connection closes, all of them end. */
  const ended = (error: Error | null): void => {
    // The end of the connection is reported once and not for each service.
    if (error !== null && !connection.isClosed()) onLost(error, name);
  };

  const start = async (): Promise<Service> => {
    const started = await connection.services.add({
      name,
      version,
      queue: name,
      statsHandler: async (endpoint) => {
        const member = [...members].find(({ handler }) => handler === endpoint.handler);
        // The client only measures a handler up to its first `await`; these are the figures of the whole handler.
        if (member !== undefined) Object.assign((endpoint as { stats?: object }).stats!, member.stats);
        return null;
      },
    });
    void started.stopped.then(ended);
    return started;
  };

  const remove = (member: Member): Promise<void> => {
    if (!members.delete(member)) return changes;
    // A service can only be stopped with all its endpoints. The service without this endpoint starts first, so that the
    // other endpoints miss no message.
    return change(async () => {
      const old = service;
      service = members.size === 0 ? undefined : await start();
      for (const other of members) if (service !== undefined) announce(service, other);
      await old?.stop();
    });
  };

  return {
    /**
     * Adds a member; returns a function that removes it. A member that gets all messages has a queue group of the
     * server to itself.
     */
    add(subject: string, deliver: Deliver, getsAll = false): () => Promise<void> {
      const stats = { num_requests: 0, num_errors: 0, processing_time: 0, average_processing_time: 0 };
      const handler = (_error: unknown, message: Msg): void => void count(stats, deliver(message));
      const queue = getsAll ? `${name}-${randomUUID()}` : name;
      const member: Member = { subject, queue, handler, stats };
      members.add(member);
      void change(async () => {
        if (members.has(member)) announce((service ??= await start()), member);
      });
      return () => remove(member);
    },
    /** Takes no more messages; those that were taken are delivered first. */
    stop(): Promise<void> {
      members.clear();
      return change(async () => {
        await service?.stop();
      });
    },
  };
}

async function count(stats: Member['stats'], delivered: ReturnType<Deliver>): Promise<void> {
  const start = performance.now();
  const code = await delivered;
  stats.num_requests++;
  stats.processing_time += nanos(performance.now() - start);
  stats.average_processing_time = Math.round(stats.processing_time / stats.num_requests);
  if (code === undefined) return;
  stats.num_errors++;
  stats.last_error = code;
}

function announce(service: Service, { subject, queue, handler }: Member): void {
  service.addEndpoint(endpointName(subject), { subject, queue, handler });
}

/** Only letters, digits, `-` and `_` may name an endpoint. */
function endpointName(subject: string): string {
  return subject
    .replaceAll('*', 'any')
    .replaceAll('>', 'rest')
    .replaceAll(/[^A-Za-z0-9_-]/g, '-');
}
