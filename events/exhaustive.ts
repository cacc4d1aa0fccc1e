/**
 * A type error if a field of a destructured object is left over. So a new field of a request has to be handled
 * everywhere.
 *
 * @example
 * const { request_id, rating, ...unread } = request;
 * assertAllRead(unread);
 */
export function assertAllRead(_unread: Readonly<Record<string, never>>): void {}
