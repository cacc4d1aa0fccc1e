import { createHash } from 'node:crypto';

/** Short, readable, and the same for the same call: a repeated one makes no second order. */
export function orderId(account: string, callId: string): string {
  return `o-${createHash('sha256').update(`${account}/${callId}`).digest('hex').slice(0, 16)}`;
}
