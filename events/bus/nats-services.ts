import {
  nanos,
  type Endpoint,
  type Msg,
  type NamedEndpointStats,
  type NatsConnection,
  type Service,
} from 'nats';
import type { ErrorCode } from '../errors.ts';

/** Handles one message; resolves, when all is over, with the code of the error reply, where it was one. */
type Deliver = (message: Msg) => Promise<ErrorCode | undefined>;

interface Member {
  readonly subject: string;
  readonly handler: NonNullable<Endpoint['handler']>;
  requests: number;
  errors: number;
  lastError: ErrorCode | undefined;
  busyMs: number;
}

/**
 * The members of one queue group in this process, announced as one NATS service with an endpoint for each: `$SRV.>`
 * tells who is there and how they do.
 */
export class ServiceGroup {
  readonly #connection: NatsConnection;
  readonly #name: string;
  readonly #version: string;
  readonly #onLost: (error: unknown, name: string) => void;
  readonly #members = new Set<Member>();
  #service: Service | undefined;
  /** Changes, one after the other. */
  #changes: Promise<void> = Promise.resolve();

  constructor(
    connection: NatsConnection,
    name: string,
    version: string,
    onLost: (error: unknown, name: string) => void,
  ) {
    this.#connection = connection;
    this.#name = name;
    this.#version = version;
    this.#onLost = onLost;
  }

  /** Returns what ends the membership. */
  add(subject: string, deliver: Deliver): () => Promise<void> {
    const member: Member = {
      subject,
      handler: (_error, message) => void count(member, deliver(message)),
      requests: 0,
      errors: 0,
      lastError: undefined,
      busyMs: 0,
    };
    this.#members.add(member);
    void this.#change(async () => {
      if (!this.#members.has(member)) return;
      this.#service ??= await this.#start();
      announce(this.#service, member);
    });
    return () => this.#remove(member);
  }

  /** Takes no more messages; those taken before are delivered first. */
  stop(): Promise<void> {
    this.#members.clear();
    return this.#change(async () => {
      await this.#service?.stop();
    });
  }

  #remove(member: Member): Promise<void> {
    if (!this.#members.delete(member)) return this.#changes;
    // A service lives and dies with all its endpoints. The one without this endpoint comes first, so that none of the
    // others misses a message.
    return this.#change(async () => {
      const old = this.#service;
      this.#service = this.#members.size === 0 ? undefined : await this.#start();
      for (const other of this.#members) if (this.#service !== undefined) announce(this.#service, other);
      await old?.stop();
    });
  }

  #change(action: () => Promise<void>): Promise<void> {
    this.#changes = this.#changes.then(action).catch((error: unknown) => this.#onLost(error, this.#name));
    return this.#changes;
  }

  async #start(): Promise<Service> {
    const service = await this.#connection.services.add({
      name: this.#name,
      version: this.#version,
      queue: this.#name,
      statsHandler: async (endpoint) => {
        for (const member of this.#members) if (member.handler === endpoint.handler) fill(endpoint, member);
        return null;
      },
    });
    // It ends by itself when the server refuses one of its endpoints, and all of them with it.
    void this.#watch(service);
    return service;
  }

  async #watch(service: Service): Promise<void> {
    const error = await service.stopped;
    // With the connection all services end, which is nothing to tell of each.
    if (error !== null && !this.#connection.isClosed()) this.#onLost(error, this.#name);
  }
}

async function count(member: Member, delivered: ReturnType<Deliver>): Promise<void> {
  const start = performance.now();
  const code = await delivered;
  member.requests++;
  member.busyMs += performance.now() - start;
  if (code === undefined) return;
  member.errors++;
  member.lastError = code;
}

function announce(service: Service, { subject, handler }: Member): void {
  service.addEndpoint(endpointName(subject), { subject, handler });
}

/** The client counts what a handler does before its first `await`; these are the figures of the whole handler. */
function fill(endpoint: Endpoint, { requests, errors, lastError, busyMs }: Member): void {
  const { stats } = endpoint as Endpoint & { stats: NamedEndpointStats };
  stats.num_requests = requests;
  stats.num_errors = errors;
  if (lastError !== undefined) stats.last_error = lastError;
  stats.processing_time = nanos(busyMs);
  stats.average_processing_time = requests === 0 ? 0 : Math.round(nanos(busyMs) / requests);
}

/** Only letters, digits, `-` and `_` may name an endpoint. */
function endpointName(subject: string): string {
  return subject
    .replaceAll('*', 'any')
    .replaceAll('>', 'rest')
    .replaceAll(/[^A-Za-z0-9_-]/g, '-');
}
