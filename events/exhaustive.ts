/**
 * A type error where a field of what was taken apart has been left over: who adds one to a request is told where it is to
 * be read.
 *
 * @example const { request_id, rating, ...unread } = request;
 * assertAllRead(unread);
 */
export function assertAllRead(_unread: Readonly<Record<string, never>>): void {}
