/**
 * Makes it a type error if a field of a destructured object is left over: whoever adds a field to a request is shown where
 * it must be read.
 *
 * @example const { request_id, rating, ...unread } = request;
 * assertAllRead(unread);
 */
export function assertAllRead(_unread: Readonly<Record<string, never>>): void {}
