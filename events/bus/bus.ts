/** Header names are lower case. `deadline` is an absolute time (ISO 8601) by which the caller has given up. */
export type Headers = Readonly<Record<string, string>>;

export interface Message {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Headers;
}

export interface Subscription {
  /** Stops delivery; handlers that run are left to finish. */
  unsubscribe(): Promise<void>;
}

export interface SubscribeOptions {
  /** Members of one queue group share the messages: each goes to one of them. */
  queue?: string;
}

/** For a request: what it returns is the reply. A thrown error is the caller's `INTERNAL`, logged by the service. */
export type MessageHandler = (message: Message) => Promise<ReplyMessage | void> | ReplyMessage | void;

export interface ReplyMessage {
  data: Uint8Array;
  headers?: Headers;
}

export interface RequestOptions {
  headers?: Headers;
  /** Milliseconds until `DEADLINE_EXCEEDED`. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** One message, request or reply, carries at most 1 MiB, as on NATS: beyond it `PAYLOAD_TOO_LARGE`. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024;

/**
 * Delivery only, at most once; what must not be lost goes to the `EventStore` first. Subjects are NATS subjects:
 * tokens joined by dots, `*` one token, `>` the rest. Payloads are bytes: nothing is shared by reference.
 */
export interface MessageBus {
  publish(subject: string, data: Uint8Array, headers?: Headers): void;
  subscribe(subject: string, handler: MessageHandler, options?: SubscribeOptions): Subscription;
  /** `NO_RESPONDERS` at once when nobody listens; `DEADLINE_EXCEEDED`; `SERVICE_UNAVAILABLE` when the bus is closed. */
  request(subject: string, data: Uint8Array, options: RequestOptions): Promise<Message>;
  /** Stops taking messages, lets handlers in flight finish and their replies leave, then closes. */
  drain(): Promise<void>;
  /** For health: `connected` also covers messages buffered while reconnecting. */
  status(): { connected: boolean; inFlight: number };
}
