/**
 * The names of headers are in lower case. `deadline` is the absolute time (ISO 8601) after which the caller no longer
 * waits.
 */
export type Headers = Readonly<Record<string, string>>;

export interface Message {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Headers;
}

export interface Subscription {
  /** Stops delivery. Running handlers are not interrupted. */
  unsubscribe(): Promise<void>;
}

export interface SubscribeOptions {
  /** The subscriber's queue group. Its members share the messages: each message goes to one of them. */
  queue?: string;
  /** The subscriber has the name of a queue group, but gets every message. */
  getsAll?: boolean;
}

/**
 * Handles a message. What it returns is the reply to a request. If it throws, the error goes to the connection's error
 * hook, and the caller gets an error reply (see `reply.ts`): `INTERNAL`, or `PAYLOAD_TOO_LARGE` for a reply beyond the
 * limit.
 */
export type MessageHandler = (message: Message) => Promise<ReplyMessage | void> | ReplyMessage | void;

export interface ReplyMessage {
  data: Uint8Array;
  headers?: Headers;
}

export interface RequestOptions {
  headers?: Headers;
  /** Milliseconds until `DEADLINE_EXCEEDED`. */
  timeoutMs: number;
  /** A signal that aborts makes the request reject with the signal's reason. The responder is not told. */
  signal?: AbortSignal | undefined;
}

/**
 * A message bus with delivery at most once: a message that must not be lost goes to the `EventStore` first. Subjects
 * are NATS subjects: tokens joined by dots, `*` for one token, `>` for the rest; others throw `TypeError`. Payloads are
 * bytes: nothing is shared by reference. A connection's messages reach each subscriber in the order sent; handlers of
 * one subscriber may overlap.
 */
export interface MessageBus {
  publish(subject: string, data: Uint8Array, headers?: Headers): void;
  subscribe(subject: string, handler: MessageHandler, options?: SubscribeOptions): Subscription;
  /**
   * Sends a request and resolves with its reply. Rejects with `NO_RESPONDERS` at once if nobody listens; with
   * `DEADLINE_EXCEEDED`; with `RESPONDER_LOST` within seconds if the responder is gone or the connection broke while
   * the request was on its way (it may have been carried out); and with `SERVICE_UNAVAILABLE` if the bus is closed, or
   * stays away too long to send.
   */
  request(subject: string, data: Uint8Array, options: RequestOptions): Promise<Message>;
  /**
   * Resolves with the replies of all responders that arrive within `timeoutMs`, and earlier once all known responders
   * have replied. Rejects with `NO_RESPONDERS` and `SERVICE_UNAVAILABLE` as `request` does.
   */
  requestMany(subject: string, data: Uint8Array, options: RequestOptions): Promise<Message[]>;
  /**
   * Delivers earlier messages, accepts no new ones, lets running handlers finish and reply, then closes. Requests that
   * still wait reject with `SERVICE_UNAVAILABLE`. Once `drain` is called, every method but `status` rejects with this
   * code, too.
   */
  drain(): Promise<void>;
  status(): BusStatus;
}

/** The state of the bus, for health. */
export interface BusStatus {
  /** `reconnecting`: messages wait for the connection. `closed`: `drain` has ended. */
  readonly state: 'connected' | 'reconnecting' | 'closed';
  /** The number of handlers that are running. */
  readonly inFlight: number;
}
