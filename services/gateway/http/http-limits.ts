/** The largest body, after decompression. */
export const MAX_BODY_BYTES = 256 * 1024;
/** As large as Node's limit for all headers, so that every accepted address reaches its route. */
export const MAX_PARAMETER_LENGTH = 16 * 1024;
/** A client that sends its headers or its body too slowly is dropped after this time. */
export const HEADERS_TIMEOUT_MS = 10_000;
export const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the 60 s of common proxies, so that the proxy closes the connection, not we. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** The most unanswered requests on one connection; clients that pipeline send a handful. */
export const MAX_UNANSWERED = 32;
/** How long a client may read nothing while data waits for it. */
export const STALLED_MS = 30_000;
/**
 * How long a stop waits for requests in work, and after what time it cuts what is still connected. A supervisor ends a process that has not
 * ended after ten seconds, and what the services record last takes some of them.
 */
export const ANSWER_WITHIN_MS = 5_000;
export const CUT_AFTER_MS = 6_000;
