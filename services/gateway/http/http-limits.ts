/** The largest body, after decompression. */
export const MAX_BODY_BYTES = 256 * 1024;
/**
 * The longest parameter of a path. It is as large as Node's limit for all headers, so that every accepted address
 * reaches its route.
 */
export const MAX_PARAMETER_LENGTH = 16 * 1024;
/** Milliseconds after which a client that sends its headers or its body too slowly is dropped. */
export const HEADERS_TIMEOUT_MS = 10_000;
export const REQUEST_TIMEOUT_MS = 30_000;
/**
 * Milliseconds for which idle connections are kept: longer than the 60 s of common proxies, so that the proxy closes
 * the connection.
 */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** The most unanswered requests on one connection; clients that pipeline send a handful. */
export const MAX_UNANSWERED = 32;
/** Milliseconds for which a client may read nothing while data waits for it. */
export const STALLED_MS = 30_000;
/**
 * Milliseconds that a stop waits for requests in work, and after which it cuts remaining connections. A supervisor ends
 * a process that has not ended after ten seconds, and the services' last records take some of them.
 */
export const ANSWER_WITHIN_MS = 5_000;
export const CUT_AFTER_MS = 6_000;
